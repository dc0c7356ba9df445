package records_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

func TestIDsComeBackAsTheyWere(t *testing.T) {
	type record struct {
		IDs  records.IDs `dynamodbav:"i,omitempty"`
		None records.IDs `dynamodbav:"n,omitempty"`
	}
	want := record{IDs: records.IDs{sport.IDFor(sport.KindTeam, "a"), sport.IDFor(sport.KindTeam, "b")}}
	item, err := attributevalue.MarshalMap(want)
	if err != nil {
		t.Fatal(err)
	}
	if len(item) != 1 {
		t.Errorf("no ids are stored: %v", item["n"])
	}
	var got record
	if err := attributevalue.UnmarshalMap(item, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("stored (-) and read (+):\n%s", diff)
	}
}

func TestWhatIsNoIDIsNotPacked(t *testing.T) {
	for _, id := range []sport.ID{"", "abc", "0123456789ABCDEF01234567"} {
		if _, err := (records.IDs{id}).MarshalDynamoDBAttributeValue(); err == nil {
			t.Errorf("packed %q", id)
		}
	}
}
