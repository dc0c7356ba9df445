package records_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

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
