package upgrade

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/store"
	"touchline/shared/store/space"
)

// Former data are read under the keys of this build; what is not of their layout is not.
func TestFormerDataHaveTheKeysOfThisBuild(t *testing.T) {
	own := space.Prefix
	for key, want := range map[store.Key]store.Key{
		{PK: "7#A", SK: "1"}:     {PK: own + "A", SK: "1"},
		{PK: "7#7#A", SK: "7#"}:  {PK: own + "7#A", SK: "7#"},
		{PK: own + "A", SK: "1"}: {},
		{PK: "75#A", SK: "1"}:    {},
		{PK: "8#A", SK: "7#"}:    {},
	} {
		item := key.Item()
		item["v"] = &types.AttributeValueMemberS{Value: "x"}
		got := here(item, 7)
		if (want == store.Key{}) {
			if got != nil {
				t.Errorf("%v is read as %v", key, got)
			}
			continue
		}
		if store.KeyOf(got) != want || got["v"] != item["v"] || store.KeyOf(item) != key {
			t.Errorf("%v is read as %v, want %v, and is %v", key, got, want, store.KeyOf(item))
		}
		if diff := cmp.Diff(key, there(want, 7)); diff != "" {
			t.Error(diff)
		}
	}
}
