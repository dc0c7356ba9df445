package store

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/meter"
)

// metered adds the table's own meter to those of the context.
func (t *Table) metered(ctx context.Context) context.Context {
	if t.Meter == nil {
		return ctx
	}
	return meter.With(ctx, t.Meter)
}

// Size is the size in bytes that DynamoDB charges an item by: a read unit for
// every started 4096, a write unit for every started 1024.
func Size(item Item) int {
	n := 0
	for name, v := range item {
		n += len(name) + valueSize(v)
	}
	return n
}

// valueSize is what of Size is an attribute's value: strings and bytes
// by length, a number by a byte for two significant digits and one more, a list
// or map by 3 bytes and one for each element in addition to the elements. No table has sets.
func valueSize(v types.AttributeValue) int {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return len(v.Value)
	case *types.AttributeValueMemberN:
		return numberSize(v.Value)
	case *types.AttributeValueMemberB:
		return len(v.Value)
	case *types.AttributeValueMemberL:
		n := 3
		for _, e := range v.Value {
			n += 1 + valueSize(e)
		}
		return n
	case *types.AttributeValueMemberM:
		n := 3
		for name, e := range v.Value {
			n += 1 + len(name) + valueSize(e)
		}
		return n
	}
	return 1 // a boolean, or null
}

// numberSize is on the safe side: a sign counts a byte, zeros at the ends count
// like other digits.
func numberSize(s string) int {
	digits, sign := 0, 0
	for _, c := range s {
		switch {
		case '0' <= c && c <= '9':
			digits++
		case c == '-':
			sign = 1
		}
	}
	return 1 + sign + (digits+1)/2
}
