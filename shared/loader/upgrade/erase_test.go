package upgrade_test

import (
	"bytes"
	"compress/flate"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/store"
)

// holds reports whether a value has a text, in what is deflated too.
func holds(v types.AttributeValue, text string) bool {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return strings.Contains(v.Value, text)
	case *types.AttributeValueMemberB:
		inflated, _ := io.ReadAll(flate.NewReader(bytes.NewReader(v.Value)))
		return bytes.Contains(v.Value, []byte(text)) || bytes.Contains(inflated, []byte(text))
	case *types.AttributeValueMemberL:
		return slices.ContainsFunc(v.Value, func(x types.AttributeValue) bool { return holds(x, text) })
	case *types.AttributeValueMemberM:
		for name, x := range v.Value {
			if strings.Contains(name, text) || holds(x, text) {
				return true
			}
		}
	}
	return false
}

// holding are the layouts of the items that have a text in a key or a value, and how many.
func (w *world) holding(t *testing.T, text string) map[string]int {
	t.Helper()
	found := map[string]int{} // by the prefix of the key
	err := w.table.Scan(t.Context(), func(item store.Item) error {
		key := store.KeyOf(item)
		for _, v := range item {
			if holds(v, text) {
				layout, _, _ := strings.Cut(key.PK, "#")
				found[layout]++
				break
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// patch is a dataset of lines of players.
func patch(lines string) fstest.MapFS {
	return fstest.MapFS{"players.ndjson": {Data: []byte(lines)}}
}

// lionheart is a dataset with a player whose name and key nothing else has.
func lionheart(t *testing.T) fstest.MapFS {
	t.Helper()
	fsys := fstest.MapFS{}
	for _, name := range []string{"organizations", "competitions", "teams", "players", "matches"} {
		text, err := os.ReadFile("../../endpoints/scripts/testdata/children/" + name + ".ndjson")
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte(`"Lea"`), []byte(`"Leonora Lionheart"`)), []byte(`"lea"`), []byte(`"key-lionheart"`))
		fsys[name+".ndjson"] = &fstest.MapFile{Data: text}
	}
	return fsys
}
