package records

import (
	"encoding/hex"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/sport"
)

// IDs are ids stored as one binary attribute, twelve bytes each: half of what
// a list of strings takes, and one attribute where that would be many.
type IDs []sport.ID

// idBytes is the number of bytes of an id.
const idBytes = sport.IDLength / 2

// MarshalDynamoDBAttributeValue packs the ids; none are NULL, which omitempty
// leaves out.
func (ids IDs) MarshalDynamoDBAttributeValue() (types.AttributeValue, error) {
	if len(ids) == 0 {
		return &types.AttributeValueMemberNULL{Value: true}, nil
	}
	packed := make([]byte, 0, len(ids)*idBytes)
	for _, id := range ids {
		if !sport.IsID(string(id)) {
			return nil, fmt.Errorf("%q is not an id", id)
		}
		packed, _ = hex.AppendDecode(packed, []byte(id)) // digits, an even number of them
	}
	return &types.AttributeValueMemberB{Value: packed}, nil
}

// UnmarshalDynamoDBAttributeValue unpacks them.
func (ids *IDs) UnmarshalDynamoDBAttributeValue(v types.AttributeValue) error {
	*ids = nil
	packed, ok := v.(*types.AttributeValueMemberB)
	if !ok {
		if _, none := v.(*types.AttributeValueMemberNULL); none {
			return nil
		}
		return fmt.Errorf("ids are a %T, want binary", v)
	}
	if len(packed.Value)%idBytes != 0 {
		return fmt.Errorf("ids are %d bytes, want a multiple of %d", len(packed.Value), idBytes)
	}
	text := hex.EncodeToString(packed.Value)
	for ; text != ""; text = text[sport.IDLength:] {
		*ids = append(*ids, sport.ID(text[:sport.IDLength]))
	}
	return nil
}
