package main

import (
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/scripts/touchline/database"
	"touchline/shared/store"
	"touchline/shared/store/records"
	"touchline/shared/store/space"
)

// former is a layout that no build has.
const former = -1

// becomesFormer moves the data of a table to where the former layout has them.
func becomesFormer(t *testing.T, sports *store.Table) {
	t.Helper()
	var writes []store.Write
	must(t, sports.Scan(t.Context(), func(item store.Item) error {
		key := store.KeyOf(item)
		if pk, ok := strings.CutPrefix(key.PK, space.Prefix); ok {
			writes = append(writes, store.Write{Key: key}, store.Write{Key: store.Key{PK: space.Of(former) + pk, SK: key.SK}, Item: maps.Clone(item)})
		}
		return nil
	}))
	number := func(n int) types.AttributeValue { return &types.AttributeValueMemberN{Value: strconv.Itoa(n)} }
	entry := &types.AttributeValueMemberM{Value: store.Item{"n": number(1)}}
	version := store.Item{"o": number(former), "s": &types.AttributeValueMemberM{Value: store.Item{strconv.Itoa(former): entry}}}
	must(t, sports.Write(t.Context(), append(writes, store.Write{Key: records.VersionKey(), Item: version})))
}

// Data of an earlier layout are upgraded before they are served, those of a restored
// backup too, and the commands about both layouts do what they say.
func TestServeUpgradesDataOfAnEarlierLayout(t *testing.T) {
	term, dir := newTerminal(nil), t.TempDir()
	s := startServe(t, term, "--data="+small(t), "--data-dir="+dir)
	s.beside().with(t, func(d *database.Database) { becomesFormer(t, d.Sports()) })
	if found := examined(t, s.beside().succeed(t, "doctor", "--json"))["data"]; found.State != dubious || !strings.Contains(found.Message, "they are of layout -1: serve makes data of layout 1 of them") {
		t.Errorf("%+v", found)
	}
	file := saved(t, s.beside())
	s.stop()

	restoring := newTerminal(nil)
	if code := restoring.run("restore", "--yes", "--unread", file, "--data-dir="+dir); code != exitOK || !strings.Contains(restoring.Errors.String(), "of layout -1, which are upgraded to 1") {
		t.Errorf("exit %d: %s", code, restoring.Errors.String())
	}
	s = startServe(t, term, "--data-dir="+dir)
	if said := term.Errors.String(); !strings.Contains(said, "are of layout -1, this version reads layout 1") || !strings.Contains(said, "are of layout 1 now") {
		t.Errorf("it said %s", said)
	}
	other, erasing := s.beside(), filepath.Join(t.TempDir(), "erasing")
	writeFile(t, filepath.Join(erasing, "organizations.ndjson"), `{"id":"club","erase":true}`+"\n")
	for _, step := range []struct {
		line []string
		want []string
	}{
		{[]string{"upgrade", "--list"}, []string{"layout -1  version 1  kept", "layout 1  version 2  in use, of this version"}},
		{[]string{"loads"}, []string{"   1  "}},
		{[]string{"export", filepath.Join(t.TempDir(), "out")}, []string{"organizations        2"}},
		{[]string{"upgrade", "--back"}, []string{"loads go to the data of layout -1 again"}},
		{[]string{"upgrade"}, nil},
		{[]string{"import", erasing}, []string{"1 record erased. Files that were loaded, exports, and backups", "layout -1, which an upgrade left behind: touchline upgrade --drop -1 --data-dir "}},
		{[]string{"upgrade", "--drop=-1"}, []string{"removed the data of layout -1: "}},
		{[]string{"check"}, nil},
	} {
		out := other.succeed(t, step.line...)
		for _, want := range step.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: %q is not in %s", strings.Join(step.line, " "), want, out)
			}
		}
	}
	s.stop()
}
