package loader_test

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/loader"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
	"touchline/shared/store/space"
)

var update = flag.Bool("update", false, "write the golden file of a new Layout")

// What a load writes for a dataset that stays as it is changes with Layout only:
// another version of the loader would read it wrongly. A field that is stored in
// an attribute of its own, and left out where it has its default, changes nothing
// here. The golden file has a line for each item: its key, and a hash of the rest.
//
// Lists whose index does not fit their head are left out: they would take ten
// thousand entries. Their index has the encoding of the others.
func TestWhatIsStoredChangesWithTheLayoutOnly(t *testing.T) {
	s := newSports(t)
	load(t, s, os.DirFS("testdata/layout"), loader.Options{})
	var ids []pagedlist.Op[records.IDEntry] // a list in chunks
	for n := range 2000 {
		ids = append(ids, pagedlist.Op[records.IDEntry]{Put: &records.IDEntry{ID: sport.ID(fmt.Sprintf("%024x", n))}})
	}
	edit(t, s, records.IDSchema(), "chunks", ids...)

	var lines []string
	for _, item := range s.scanned(t) {
		if key := store.KeyOf(item); key.PK != records.JournalPK && key != records.VersionKey() { // the loader's own, with the time of day
			lines = append(lines, fmt.Sprintf("%s %s %x\n", strings.TrimPrefix(key.PK, space.Prefix), key.SK, hashOf(t, item)))
		}
	}
	slices.Sort(lines)
	got := strings.Join(lines, "")
	if form := fmt.Sprintf("%x", sha256.Sum256([]byte(got)))[:12]; form != space.Form {
		t.Errorf("what is stored has changed: its layout has another number, and space.Form %q (.github/CONTRIBUTING.md)", form)
	}

	file := filepath.Join("testdata", fmt.Sprintf("layout-%d.txt", space.Layout))
	want, err := os.ReadFile(file)
	if *update && errors.Is(err, fs.ErrNotExist) {
		of, _ := filepath.Glob("testdata/layout-*.txt")
		for _, former := range of {
			if err := os.Remove(former); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err != nil {
		t.Fatalf("%v: `make golden` writes it", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("what layout %d stores has changed:\n%s", space.Layout, diff)
	}
}

// hashOf is of an item's attributes, without what differs from one load to the
// next: how the compressor cuts.
func hashOf(t *testing.T, item store.Item) []byte {
	t.Helper()
	item[store.PKName] = &types.AttributeValueMemberS{Value: strings.TrimPrefix(store.KeyOf(item).PK, space.Prefix)}
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(item)) {
		_, _ = fmt.Fprintf(h, "%s:", name)
		hashValue(t, h, item[name])
	}
	return h.Sum(nil)[:6]
}

func hashValue(t *testing.T, h io.Writer, value types.AttributeValue) {
	t.Helper()
	switch v := value.(type) {
	case *types.AttributeValueMemberM:
		_, _ = fmt.Fprintf(h, "{%d:", len(v.Value))
		for _, name := range slices.Sorted(maps.Keys(v.Value)) {
			_, _ = fmt.Fprintf(h, "%s:", name)
			hashValue(t, h, v.Value[name])
		}
	case *types.AttributeValueMemberL:
		_, _ = fmt.Fprintf(h, "[%d:", len(v.Value))
		for _, element := range v.Value {
			hashValue(t, h, element)
		}
	case *types.AttributeValueMemberB:
		text := v.Value
		if len(text) > 0 && text[0]&1 == 1 { // deflated, if that can be undone
			if plain, err := io.ReadAll(flate.NewReader(bytes.NewReader(text[1:]))); err == nil {
				text = plain
			}
		}
		_, _ = fmt.Fprintf(h, "%d:%s", len(text), text)
	case *types.AttributeValueMemberS:
		_, _ = fmt.Fprintf(h, "S%d:%s", len(v.Value), v.Value)
	case *types.AttributeValueMemberN:
		_, _ = fmt.Fprintf(h, "N%s;", v.Value)
	case *types.AttributeValueMemberBOOL:
		_, _ = fmt.Fprintf(h, "%t;", v.Value)
	case *types.AttributeValueMemberNULL:
		_, _ = fmt.Fprint(h, "null;")
	default:
		t.Fatalf("a %T is stored", value)
	}
}

// edit makes ops on a list.
func edit[T any](t *testing.T, s *sports, schema pagedlist.Schema[T], list string, ops ...pagedlist.Op[T]) {
	t.Helper()
	changes, err := schema.Changes(list, ops)
	if err == nil {
		err = pagedlist.Apply(t.Context(), s.table, schema, []pagedlist.Changes{changes}, pagedlist.Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
}
