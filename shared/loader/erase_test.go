package loader_test

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/loader"
	"touchline/shared/loader/diff"
	"touchline/shared/loader/history"
	"touchline/shared/meter"
	"touchline/shared/store"
	"touchline/shared/store/file"
	"touchline/shared/store/records"
)

// holding are the items of the table that hold a text, in whatever is deflated too.
func holding(t *testing.T, s *sports, text string) []string {
	t.Helper()
	var found []string
	var has func(v types.AttributeValue) bool
	has = func(v types.AttributeValue) bool {
		switch v := v.(type) {
		case *types.AttributeValueMemberS:
			return strings.Contains(v.Value, text)
		case *types.AttributeValueMemberB:
			inflated, _ := io.ReadAll(flate.NewReader(bytes.NewReader(v.Value)))
			return bytes.Contains(v.Value, []byte(text)) || bytes.Contains(inflated, []byte(text))
		case *types.AttributeValueMemberL:
			for _, x := range v.Value {
				if has(x) {
					return true
				}
			}
		case *types.AttributeValueMemberM:
			for _, x := range v.Value {
				if has(x) {
					return true
				}
			}
		}
		return false
	}
	for _, item := range s.scanned(t) {
		for _, v := range item {
			if has(v) {
				key := store.KeyOf(item)
				found = append(found, key.PK+" "+key.SK)
				break
			}
		}
	}
	return found
}

// clubs are new clubs below the federation of children.
func clubs(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf(`{"id":"club %d","type":"club","name":"Club %d","parentId":"fed"}`, i, i)
	}
	return lines
}

func TestErasureLeavesNothingOfARecord(t *testing.T) {
	s := newSports(t)
	fsys := children(t)
	for name, file := range fsys {
		file.Data = bytes.ReplaceAll(file.Data, []byte(`"Lea"`), []byte(`"Leonora Lionheart"`))
		fsys[name].Data = bytes.ReplaceAll(file.Data, []byte(`"lea"`), []byte(`"lea-lionheart"`))
	}
	load(t, s, fsys, loader.Options{})
	load(t, s, folder(map[string][]string{"players": {
		`{"id":"lea-lionheart","patch":true,"name":"Leonie Lionheart"}`, `{"id":"lou","patch":true,"number":9}`,
	}, "organizations": clubs(60)}), loader.Options{}) // more than fits beside its entry
	load(t, s, folder(map[string][]string{"matches": {`{"id":"m1","patch":true,"round":3}`}}), loader.Options{Note: "as Leonie  LIONHEART asked", File: "weekend"})
	for _, text := range []string{"Lionheart", "lea-lionheart"} {
		if len(holding(t, s, text)) == 0 {
			t.Fatalf("nothing holds %s before", text)
		}
	}

	erase := folder(map[string][]string{"players": {`{"id":"lea-lionheart","erase":true}`}})
	report, err := s.loader().Load(t.Context(), erase, loader.Options{Diff: true})
	if err != nil {
		t.Fatal(err)
	}
	if report.Players.Deleted != 1 || report.Matches.Changed != 1 {
		t.Errorf("the report says %+v", report)
	}
	for _, text := range []string{"Lionheart", "lea-lionheart"} {
		if found := holding(t, s, text); len(found) > 0 {
			t.Errorf("%s is still in %q", text, found)
		}
	}
	loads, err := loader.Loads(t.Context(), s.table, history.Range{})
	if err != nil || len(loads) != 4 {
		t.Fatalf("%d loads, %v", len(loads), err)
	}
	text, _ := json.Marshal(loads)
	if bytes.Contains(text, []byte(idOf("player", "lea-lionheart"))) || loads[2].More != 1 || loads[0].Report.Erased != 1 {
		t.Errorf("the loads say of it: %s", text)
	}
	if p := loads[1]; p.Note != "" || p.File != "" || len(p.Report.Changes) != 1 {
		t.Errorf("a load whose note named it: %+v", p)
	}

	s.hasToComeBack(t)
	lines := string(s.exported(t)["matches.ndjson"].Data)
	if !strings.Contains(lines, `{"playerId":null,"number":7,"position":"forward"}`) || strings.Contains(lines, string(idOf("player", "lea-lionheart"))) {
		t.Errorf("the match is %s", lines)
	}
	was := s.dump(t)
	if report, _, err := s.loader().Undo(t.Context(), loader.Options{}); err != nil || report.Entries != 0 {
		t.Errorf("an undo of the erasure: %+v, %v", report, err)
	}
	load(t, s, erase, loader.Options{}) // again, of what is gone
	if found := holding(t, s, "ionheart"); len(found) > 0 || !cmp.Equal(was, s.dump(t)) {
		t.Errorf("erased again it is in %q", found)
	}
}

// A load that changed what is erased since is undone but for that, and one that named it
// in a record of others can no longer be undone.
func TestAnUndoAfterAnErasureLeavesTheErasedErased(t *testing.T) {
	s := newSports(t)
	load(t, s, children(t), loader.Options{})
	load(t, s, folder(map[string][]string{"players": {`{"id":"lea","patch":true,"name":"Leonie"}`, `{"id":"ben","patch":true,"name":"Benno"}`}}), loader.Options{Note: "names"})
	load(t, s, folder(map[string][]string{"matches": {`{"id":"m1","patch":true,"lineups":null,"events":null}`}}), loader.Options{Note: "no line-ups"})
	load(t, s, folder(map[string][]string{"organizations": {`{"id":"fed","patch":true,"name":"F"}`}}), loader.Options{Note: "the federation"})
	load(t, s, folder(map[string][]string{"players": {`{"id":"lea","erase":true}`}}), loader.Options{})

	_, _, err := s.loader().Undo(t.Context(), loader.Options{Load: 3})
	if want := "load 3 cannot be undone: what that takes is not kept: it named a record that was erased since"; !errors.Is(err, history.ErrNoWayBack) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	for _, number := range []int{4, 2} {
		if report, _, err := s.loader().Undo(t.Context(), loader.Options{Load: number}); err != nil || report.Sum().Changed != 1 {
			t.Errorf("load %d: %+v, %v", number, report, err)
		}
	}
	players := string(s.exported(t)["players.ndjson"].Data)
	if strings.Contains(players, "Leonie") || strings.Contains(players, `"Lea"`) || strings.Contains(players, "Benno") || !strings.Contains(players, `"Ben"`) {
		t.Errorf("the players are %s", players)
	}
	loads, err := loader.Loads(t.Context(), s.table, history.Range{})
	if err != nil || slices.ContainsFunc(loads, func(p history.Past) bool { return p.Note != "" }) {
		t.Errorf("%+v, %v", loads, err)
	}
}

// What was erased does not come back with the next sheet, unless that is said. Until
// something was erased, a load does not ask.
func TestTheErasedStaysErased(t *testing.T) {
	s := newSports(t)
	fsys := children(t)
	load(t, s, fsys, loader.Options{})
	reads := func() int {
		s.table.Meter = &meter.Meter{}
		defer func() { s.table.Meter = nil }()
		load(t, s, folder(map[string][]string{"players": {`{"id":"lou","patch":true,"number":8}`}}), loader.Options{})
		return s.table.Meter.Total().Trips
	}
	none := reads()
	load(t, s, folder(map[string][]string{
		"players": {`{"id":"lea","erase":true}`}, "competitions": {`{"id":"cup","season":2019,"erase":true}`},
	}), loader.Options{})
	if one := reads(); one != none+1 {
		t.Errorf("%d round trips after an erasure, %d before", one, none)
	}
	was := s.dump(t)
	delete(fsys, "matches.ndjson")
	day := time.Now().UTC().Format(time.DateOnly)
	want := "players.ndjson:1: id: was erased on " + day + `, and stays so: only "touchline import --allow-erased KEY" lets it come back`
	for _, opts := range []loader.Options{{}, {DryRun: true}, {Replace: true}, {AllowErased: []string{"lou"}}} {
		if _, err := s.loader().Load(t.Context(), fsys, opts); text(err) != want {
			t.Errorf("%+v: got %v, want %s", opts, err, want)
		}
	}
	if report := load(t, s, fsys, loader.Options{GoodPart: true}); report.Faults.Error() != want || report.Players.Created != 0 {
		t.Errorf("the good part: %+v", report)
	}
	if diff := difference(was, s.dump(t)); diff != "" {
		t.Errorf("what was refused changed the table:\n%s", diff)
	}
	again := s.loader()
	again.Now = func() time.Time { return time.Now().Add(24 * time.Hour) }
	_, err := again.Load(t.Context(), folder(map[string][]string{"players": {`{"id":"lea","erase":true}`, `{"id":"lou","patch":true,"number":9}`}}), loader.Options{})
	if _, stays := s.loader().Load(t.Context(), fsys, loader.Options{}); err != nil || text(stays) != want {
		t.Errorf("erased again, %v: %v", err, stays)
	}
	season := folder(map[string][]string{"competitions": {`{"id":"cup","season":2019,"name":"Cup","organizationId":"fed"}`}})
	if _, err := s.loader().Load(t.Context(), season, loader.Options{}); err == nil || !strings.HasPrefix(err.Error(), "competitions.ndjson:1: id: was erased") {
		t.Errorf("an erased season: %v", err)
	}

	report := load(t, s, fsys, loader.Options{AllowErased: []string{"lea"}})
	loads, err := loader.Loads(t.Context(), s.table, history.Range{})
	if err != nil || report.Players.Created != 1 || report.Returned != 1 || loads[0].Report.Returned != 1 {
		t.Errorf("let back: %+v, %v", report, err)
	}
	load(t, s, fsys, loader.Options{}) // it is like any other
	found, err := s.table.Query(t.Context(), store.Query{PK: records.JournalPK, From: "erased#player", To: "erased#player~"})
	if err != nil || len(found) > 0 {
		t.Errorf("%q, %v", found, err)
	}
	s.checked(t)
}

// naming is where somebody is named, in the items of a table, or else in its file: the key
// of a list's entry names him too, since it is made of his name.
func naming(t *testing.T, s *sports, path, name string) (found []string) {
	t.Helper()
	sorted := diff.NewCollation().Name(name)
	for _, text := range []string{name, string(sorted[:len(sorted)/2])} {
		found = append(found, holding(t, s, text)...)
		if content, err := os.ReadFile(path); path != "" && (err != nil || len(found) == 0 && bytes.Contains(content, []byte(text))) {
			found = append(found, fmt.Sprint("the free space of the file ", err))
		}
	}
	return found
}

// shown is the federation of children with its players shown, so that lists name them, and
// another name of Lea.
func shown(t *testing.T, name string) fstest.MapFS {
	fsys := children(t)
	fsys["players.ndjson"].Data = bytes.ReplaceAll(fsys["players.ndjson"].Data, []byte(`"Lea"`), []byte(`"`+name+`"`))
	fsys["competitions.ndjson"].Data = bytes.ReplaceAll(fsys["competitions.ndjson"].Data, []byte(`"hidePlayers":true`), []byte(`"hidePlayers":false`))
	return fsys
}

// inFile is a table in a file at a path.
func inFile(t *testing.T) (s *sports, data *file.File, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "private", "data.db")
	data, err := file.Open(path, file.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = data.Close() })
	return &sports{table: &store.Table{DB: data, Name: "sports"}, client: data}, data, path
}

// Killed at any write, an erasure has either not begun, or is finished by the next load.
// Then nothing names the erased, its journal included, and whoever keeps the bytes is told;
// and the same load again is an erasure without a trace in any case.
func TestAnErasureThatIsKilledIsFinishedByTheNextLoad(t *testing.T) {
	const name = "Leonora Lionheart"
	fsys := shown(t, name)
	for _, journal := range []struct {
		name  string
		clubs int // that the load brings, so that its journal is longer
	}{{"beside the load", 0}, {"in pieces", 60}} {
		erase := folder(map[string][]string{"players": {`{"id":"lea","erase":true}`}, "organizations": clubs(journal.clubs)})
		for next, then := range map[string]fstest.MapFS{
			"the same": erase, "another": folder(map[string][]string{"players": {`{"id":"lou","patch":true,"number":9}`}}),
		} {
			t.Run(journal.name+", then "+next, func(t *testing.T) {
				if testing.Short() && (journal.clubs > 0) != (next == "another") {
					t.Skip("takes seconds: make test-all runs it")
				}
				erased, kept := 0, 0
				for kill, killed := 0, errKilled; killed != nil; kill++ {
					s, data, path := inFile(t)
					load(t, s, fsys, loader.Options{})
					if len(naming(t, s, "", name)) < 3 {
						t.Fatal("little names her before")
					}
					told, dying, following := 0, s.dyingAfter(kill), s.loader()
					dying.Erased = func(ctx context.Context) error { told++; return data.Wipe(ctx) }
					following.Erased = dying.Erased
					_, killed = dying.Load(t.Context(), erase, loader.Options{})
					if killed == nil && s.journaled(t) {
						t.Errorf("killed after %d writes: it is not finished, and says nothing", kill)
					}
					if _, err := following.Load(t.Context(), then, loader.Options{}); err != nil {
						t.Fatal(err)
					}
					found := naming(t, s, path, name)
					again := string(s.exported(t)["players.ndjson"].Data)
					switch {
					case strings.Contains(again, name) && next == "another": // it had not begun
						kept++
					case len(found) > 0 || strings.Contains(again, name) || told == 0:
						t.Errorf("killed after %d writes: she is in %q, and where she was was told so %d times", kill, found, told)
					default:
						erased++
					}
				}
				if erased < 5 || (kept > 0) != (next == "another") {
					t.Errorf("she was erased %d times and kept %d times: that shows little", erased, kept)
				}
			})
		}
	}
}

// Where the bytes cannot be removed, the load says so, and each that erases tries again.
func TestAnErasureThatCannotBeFinishedIsAnError(t *testing.T) {
	s := inMemory()
	load(t, s, children(t), loader.Options{})
	full, told := errors.New("the disk is at fault"), 0
	l := s.loader()
	l.Erased = func(context.Context) error {
		if told++; told < 3 {
			return full
		}
		return nil
	}
	for n, want := range []error{full, full, nil} {
		if _, err := l.Load(t.Context(), folder(map[string][]string{"players": {`{"id":"lea","erase":true}`}}), loader.Options{}); !errors.Is(err, want) {
			t.Errorf("load %d: %v, want %v", n, err, want)
		}
	}
	if load(t, s, folder(map[string][]string{"players": {`{"id":"lou","patch":true,"number":9}`}}), loader.Options{}); told != 3 {
		t.Errorf("told %d times", told)
	}
}

// An erasure that is given up leaves no journal that names whom it began to erase.
func TestAnErasureThatIsGivenUpLeavesNoJournal(t *testing.T) {
	const name = "Leonora Lionheart"
	fsys := shown(t, name)
	s := inMemory()
	load(t, s, fsys, loader.Options{})
	for kill := 0; !s.journaled(t); kill++ {
		if _, err := s.dyingAfter(kill).Load(t.Context(), folder(map[string][]string{"players": {`{"id":"lea","erase":true}`}}), loader.Options{}); !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
	}
	if _, err := s.loader().Abandon(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, item := range naming(t, s, "", name) {
		if strings.Contains(item, "load#") {
			t.Errorf("%s names her", item)
		}
	}
}

// What a load that was killed before it was decided has left of its journal stays while others
// have none in pieces, and goes with an erasure, also of somebody else.
func TestWhatAnUndecidedLoadLeftGoesWithAnErasure(t *testing.T) {
	s := inMemory()
	load(t, s, children(t), loader.Options{})
	pieces := func() int {
		left, err := s.table.Query(t.Context(), store.Query{PK: records.JournalPK, From: records.JournalPrefix, To: records.JournalPrefix + "~"})
		if err != nil {
			t.Fatal(err)
		}
		return len(left)
	}
	left := 0
	for kill := 1; left == 0; kill++ {
		if _, err := s.dyingAfter(kill).Load(t.Context(), folder(map[string][]string{"organizations": clubs(400)}), loader.Options{}); !errors.Is(err, errKilled) || s.journaled(t) {
			t.Fatal(kill, err)
		}
		left = pieces()
	}
	load(t, s, folder(map[string][]string{"players": {`{"id":"lou","patch":true,"number":9}`}}), loader.Options{})
	if pieces() != left {
		t.Errorf("%d pieces are left, and %d after the next load", left, pieces())
	}
	load(t, s, folder(map[string][]string{"players": {`{"id":"lea","erase":true}`}}), loader.Options{})
	if pieces() > 0 {
		t.Errorf("%d pieces are left after an erasure", pieces())
	}
}
