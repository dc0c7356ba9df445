package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/scripts/touchline/database"
	"touchline/shared/store"
	"touchline/shared/store/records"
	"touchline/shared/store/space"
)

// asLayout8 moves the data of a table to where layout 8 has them.
func asLayout8(t *testing.T, sports *store.Table) {
	t.Helper()
	var writes []store.Write
	must(t, sports.Scan(t.Context(), func(item store.Item) error {
		key := store.KeyOf(item)
		if pk, ok := strings.CutPrefix(key.PK, space.Prefix); ok {
			writes = append(writes, store.Write{Key: key}, store.Write{Key: store.Key{PK: pk, SK: key.SK}, Item: maps.Clone(item)})
		}
		return nil
	}))
	former := store.Write{Key: records.VersionKey(), Item: store.Item{"v": &types.AttributeValueMemberN{Value: "8"}}}
	must(t, sports.Write(t.Context(), append(writes, former)))
}

// Data of an earlier layout are upgraded before they are served, a copy of before is
// kept, and the commands about both do what they say.
func TestServeUpgradesDataOfAnEarlierLayout(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	term, dir := newTerminal(nil), t.TempDir()
	s := startServe(t, term, "--data="+small(t), "--data-dir="+dir)
	there := func(s *serving) *screen {
		return newTerminal(map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": s.DynamoDB})
	}
	asLayout8(t, there(s).database(t).Sports())
	s.stop(t)

	if code := term.run("serve", "--no-upgrade", "--addr=127.0.0.1:0", "--dynamodb-addr=127.0.0.1:0", "--data-dir="+dir); code != exitFailed || !strings.Contains(term.Errors.String(), "serve without --no-upgrade does it") {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}
	s = startServe(t, term, "--data-dir="+dir)
	if said := term.Errors.String(); !strings.Contains(said, "are of layout 8, this version reads layout 9") || !strings.Contains(said, "are of layout 9 now") {
		t.Errorf("it said %s", said)
	}
	if _, err := os.Stat(filepath.Join(dir, database.FileName+".layout-8")); err != nil {
		t.Errorf("no copy is kept: %v", err)
	}
	other, erasing := there(s), filepath.Join(t.TempDir(), "erasing")
	writeFile(t, filepath.Join(erasing, "organizations.ndjson"), `{"id":"club","erase":true}`+"\n")
	for _, step := range []struct {
		line []string
		want []string
	}{
		{[]string{"upgrade", "--list"}, []string{"layout 8  version 0  kept since 20", "layout 9  version 2  in use, of this version"}},
		{[]string{"loads"}, []string{"   1  "}},
		{[]string{"export", filepath.Join(t.TempDir(), "out")}, []string{"organizations        2"}},
		{[]string{"upgrade", "--back"}, []string{"loads go to the data of layout 8 again"}},
		{[]string{"upgrade"}, nil},
		{[]string{"import", erasing}, []string{"1 record erased. Files that were loaded, exports, and backups", "layout 8, which an upgrade left behind: touchline upgrade --drop 8 removes"}},
		{[]string{"upgrade", "--drop", "8"}, []string{"removed the data of layout 8: "}},
		{[]string{"check"}, nil},
	} {
		out := other.succeed(t, step.line...)
		for _, want := range step.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: %q is not in %s", strings.Join(step.line, " "), want, out)
			}
		}
	}
	s.stop(t)
}

// An upgrade that was interrupted goes on without another copy: that of before is there.
func TestServeGoesOnWithAnUpgrade(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	term, dir := newTerminal(nil), t.TempDir()
	s := startServe(t, term, "--data="+small(t), "--data-dir="+dir)
	sports := newTerminal(map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": s.DynamoDB}).database(t).Sports()
	asLayout8(t, sports)
	entry := &types.AttributeValueMemberM{Value: store.Item{"n": &types.AttributeValueMemberN{Value: "1"}}}
	begun := store.Item{"v": &types.AttributeValueMemberN{Value: "9"}, "s": &types.AttributeValueMemberM{Value: store.Item{"9": entry}}}
	must(t, sports.Write(t.Context(), []store.Write{{Key: records.BuildingKey(), Item: begun}}))
	s.stop(t)
	copied := filepath.Join(dir, database.FileName+".layout-8")
	must(t, os.WriteFile(copied, []byte("of before"), 0o600))

	s = startServe(t, term, "--data-dir="+dir)
	if said := term.Errors.String(); !strings.Contains(said, copied+" is the copy of before") || !strings.Contains(said, "are of layout 9 now") {
		t.Errorf("it said %s", said)
	}
	if text, err := os.ReadFile(copied); err != nil || string(text) != "of before" {
		t.Errorf("the copy of before: %q, %v", text, err)
	}
	if _, err := os.Lstat(copied + "-2"); !os.IsNotExist(err) {
		t.Errorf("another copy was made: %v", err)
	}
	s.stop(t)
}
