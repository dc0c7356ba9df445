package loader_test

import (
	"errors"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"touchline/shared/loader"
	"touchline/shared/loader/erasure"
	"touchline/shared/loader/export"
)

// withErasures is what an export says of a table that is asked for its erasures.
func withErasures(t *testing.T, s *sports) fstest.MapFS {
	t.Helper()
	fsys := fstest.MapFS{}
	e := export.Exporter{Table: s.table, Create: into(fsys), Erasures: true}
	if _, err := e.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	return fsys
}

// erasing is a table that has erased a player and a season.
func erasing(t *testing.T) *sports {
	t.Helper()
	s := inMemory()
	load(t, s, children(t), loader.Options{})
	load(t, s, folder(map[string][]string{
		"players": {`{"id":"lea","erase":true}`}, "competitions": {`{"id":"cup","season":2019,"erase":true}`},
	}), loader.Options{})
	return s
}

// What an export tells of erasures is refused by the table that imports it, also where the
// import was killed at any point, and another export tells it again.
func TestErasuresTravelWithAnExport(t *testing.T) {
	from := erasing(t)
	exported := withErasures(t, from)
	stale := folder(map[string][]string{"players": {`{"id":"lea","name":"Lea","teamId":"lions"}`}})
	for kill, killed := 0, errKilled; killed != nil; kill++ {
		s := inMemory()
		if _, killed = s.dyingAfter(kill).Load(t.Context(), exported, loader.Options{}); killed != nil && !errors.Is(killed, errKilled) {
			t.Fatal(killed)
		}
		report := load(t, s, exported, loader.Options{})
		if killed == nil && report.Entries != 0 {
			t.Errorf("the same again writes %d", report.Entries)
		}
		if _, err := s.loader().Load(t.Context(), stale, loader.Options{}); err == nil || !strings.Contains(err.Error(), "was erased on ") {
			t.Fatalf("killed after %d writes: she comes back: %v", kill, err)
		}
		if again := withErasures(t, s); string(again["erased.ndjson"].Data) != string(exported["erased.ndjson"].Data) {
			t.Errorf("killed after %d writes, it tells %s", kill, again["erased.ndjson"].Data)
		}
	}
	if _, told := from.exported(t)["erased.ndjson"]; told {
		t.Error("an export tells of erasures unasked")
	}
}

func TestAnErasureIsTakenByItsFederation(t *testing.T) {
	exported := withErasures(t, erasing(t))
	erased := fstest.MapFS{"erased.ndjson": exported["erased.ndjson"]}
	with := func(extra fstest.MapFS) fstest.MapFS {
		all := maps.Clone(erased)
		maps.Copy(all, extra)
		return all
	}
	stored := `player "lea" was erased on`
	for name, tt := range map[string]struct {
		before, then fstest.MapFS
		opts         loader.Options
		refused      string // empty: it is taken
		told         int
	}{
		"beside its federation":    {children(t), with(folder(map[string][]string{"players": {`{"id":"lea","erase":true}`}})), loader.Options{}, "", 2},
		"of what is stored":        {children(t), erased, loader.Options{}, stored, 0},
		"nor its good part":        {children(t), erased, loader.Options{GoodPart: true}, stored, 0},
		"of what the dataset has":  {nil, with(children(t)), loader.Options{}, "players.ndjson:1: id: was erased on", 0},
		"which it may":             {nil, with(children(t)), loader.Options{AllowErased: []string{"lea"}}, "", 1},
		"of another federation":    {folder(map[string][]string{"organizations": {`{"id":"x","type":"federation","name":"X"}`}}), erased, loader.Options{}, "federation: is neither stored here", 0},
		"with a faulty line":       {nil, with(fstest.MapFS{"erased.ndjson": {Data: []byte(`{"kind":"player","id":"lea","day":"x","federation":"fed"}`)}}), loader.Options{GoodPart: true}, "id: must be an id of 24 digits", 0},
		"and replaced by one less": {nil, with(withErasures(t, erasing(t))), loader.Options{Replace: true}, "", 2},
	} {
		t.Run(name, func(t *testing.T) {
			s := inMemory()
			if tt.before != nil {
				load(t, s, tt.before, loader.Options{})
			}
			report, err := s.loader().Load(t.Context(), tt.then, tt.opts)
			if tt.refused != "" {
				if err == nil || !strings.Contains(err.Error(), tt.refused) {
					t.Errorf("got %v, want %s", err, tt.refused)
				}
				return
			}
			if err != nil || report.Told != tt.told {
				t.Fatalf("%+v, %v", report, err)
			}
			if _, _, err := s.loader().Undo(t.Context(), loader.Options{}); err != nil && tt.before != nil {
				t.Error(err)
			}
			if kept, err := erasure.ReadErased(t.Context(), s.table); err != nil || len(kept) < tt.told {
				t.Errorf("it keeps %v, %v", kept, err)
			}
		})
	}
}
