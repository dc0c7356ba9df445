package records_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
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

func TestWhatHoldsNoIDsIsRefused(t *testing.T) {
	for name, value := range map[string]types.AttributeValue{
		"a byte more":  &types.AttributeValueMemberB{Value: make([]byte, 13)},
		"a byte fewer": &types.AttributeValueMemberB{Value: make([]byte, 11)},
		"a text":       &types.AttributeValueMemberS{Value: "0123456789ab"},
	} {
		if err := new(records.IDs).UnmarshalDynamoDBAttributeValue(value); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestWhatIsNoIDIsNotPacked(t *testing.T) {
	for _, id := range []sport.ID{"", "abc", "0123456789ABCDEF01234567"} {
		if _, err := (records.IDs{id}).MarshalDynamoDBAttributeValue(); err == nil {
			t.Errorf("packed %q", id)
		}
	}
}
