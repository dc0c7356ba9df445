package records_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/store/records"
)

func TestALeafIsKnownByItsItem(t *testing.T) {
	for _, leaf := range []bool{false, true} {
		item, err := attributevalue.MarshalMap(records.OrganizationRecord{Leaf: leaf})
		if err != nil {
			t.Fatal(err)
		}
		if got := records.IsLeaf(item); got != leaf {
			t.Errorf("%v, want %v", got, leaf)
		}
	}
}
