package pagedlist

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// A player is an entry such as the API's longest lists hold.
type player struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Number   int    `json:"number"`
	Position string `json:"position"`
	Photo    string `json:"photo"`
	TeamID   string `packed:"-" json:"teamId"`
	Team     team   `json:"team"`
	Inactive bool   `json:"-"`
	Season   int    `json:"-"`
}

type team struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	ShortName string  `json:"shortName"`
	Logo      *string `json:"logo"`
}

func id(r *rand.Rand) string { return fmt.Sprintf("%016x%08x", r.Uint64(), r.Uint32()) }

func words(r *rand.Rand, n int) string {
	syllables := []string{"ba", "ro", "mi", "tel", "san", "kur", "vo", "lin", "der", "gas", "pe", "ny"}
	parts := make([]string, n)
	for i := range parts {
		for range 2 + r.IntN(2) {
			parts[i] += syllables[r.IntN(len(syllables))]
		}
	}
	return strings.Join(parts, " ")
}

// players makes n players of teams of 20.
func players(n int) []player {
	r := rand.New(rand.NewPCG(7, uint64(n))) //nolint:gosec // a test's numbers
	all := make([]player, n)
	var of team
	for i := range all {
		if i%20 == 0 {
			of = team{ID: id(r), Name: words(r, 2), ShortName: "TEA"}
		}
		all[i] = player{
			ID: id(r), Name: words(r, 2), Number: 1 + r.IntN(30), Position: []string{"goalkeeper", "defender", "midfielder", "forward"}[r.IntN(4)],
			TeamID: of.ID, Team: of, Season: 2025, Inactive: r.IntN(20) == 0,
		}
	}
	return all
}

func playerFacet(p player) Facet {
	if p.Inactive {
		return "2025 inactive"
	}
	return "2025 active"
}

func playersByID() Schema[player] {
	return Schema[player]{Name: "player", Key: func(p player) []byte { return []byte(p.ID) }, Facet: playerFacet}
}

// playersByName have keys as long as collation keys are: three bytes a letter.
func playersByName() Schema[player] {
	return Schema[player]{Name: "player", Facet: playerFacet, Key: func(p player) []byte {
		key := make([]byte, 0, 80)
		for _, c := range []byte(p.Name) {
			key = append(key, 0x20, c)
		}
		key = append(append(key, 0, 0), strings.Repeat("\x02", len(p.Name))...)
		return append(append(key, 0), p.ID...)
	}}
}

// fill is a table with a list "l".
func fill[T any](t testing.TB, schema Schema[T], all []T) *memory {
	t.Helper()
	table := newMemory()
	changes, err := schema.Changes("l", puts(all))
	if err != nil {
		t.Fatal(err)
	}
	if err := Apply(t.Context(), table, schema, []Changes{changes}, Options{Fresh: true}); err != nil {
		t.Fatal(err)
	}
	return table
}

// budget reads a page and checks its cost: two round trips, of a list of more than 8,000
// entries three, and the size of the answer by 8 KB plus two units, of the three that a
// list page may cost in addition to it (one is for records). A list of a million entries
// has a directory that takes two units more: no request of the API reads one, since it
// ranges over too many organizations (D22).
func budget[T any](t *testing.T, table *memory, schema Schema[T], req Request[T], entries, wantEntries int) {
	t.Helper()
	table.reset()
	page, total, err := Read(t.Context(), table.BatchGet, schema, req)
	if err != nil {
		t.Fatal(err)
	}
	if len(page) != wantEntries {
		t.Fatalf("%d entries of %d, want %d", len(page), total, wantEntries)
	}
	answer, err := json.Marshal(page)
	if err != nil {
		t.Fatal(err)
	}
	trips, bound := 2, float64(len(answer))/8192+2
	if entries > 8000 {
		trips = 3
	}
	if entries > 100_000 {
		bound += 2
	}
	if table.trips > trips || table.readUnits > bound {
		t.Errorf("%d entries, reverse %v, offset %d, limit %d: %d trips, %.1f units of %.2f",
			entries, req.Reverse, req.Offset, req.Limit, table.trips, table.readUnits, bound)
	}
}

// budgets reads pages from everywhere in what a request selects of a list.
func budgets[T any](t *testing.T, table *memory, schema Schema[T], entries, selected int, all Request[T]) {
	t.Helper()
	for _, reverse := range []bool{false, true} {
		for _, limit := range []int{1, 25, 100} {
			last := min(selected, 10_000)
			for _, offset := range []int{0, 13, last / 2, last/2 + 31, last - limit} {
				if offset < 0 || offset > selected {
					continue
				}
				req := all
				req.List, req.Reverse, req.Offset, req.Limit = "l", reverse, offset, limit
				budget(t, table, schema, req, entries, min(limit, selected-offset))
			}
		}
	}
}

func TestAPageCostsTheSameWhereverItIs(t *testing.T) {
	for _, n := range []int{10, 1000, 8000, 20_000} {
		costs(t, n)
	}
}

func TestScaleOfAPagesCost(t *testing.T) {
	if os.Getenv("TOUCHLINE_SCALE") == "" {
		t.Skip("long; make test-scale runs it")
	}
	costs(t, 100_000)
	costs(t, 1_000_000)
}

func costs(t *testing.T, n int) {
	all := players(n)
	active := 0
	for _, p := range all {
		if !p.Inactive {
			active++
		}
	}
	for _, schema := range []Schema[player]{playersByID(), playersByName()} {
		table := fill(t, schema, all)
		budgets(t, table, schema, n, n, Request[player]{})
		budgets(t, table, schema, n, active, Request[player]{Match: func(f Facet) bool { return f == "2025 active" }})
	}
}

// An edit writes the chunk that it changes, the removal of the one that it replaces and
// the head, and of a long list an index page and the removal of its former one. Now and
// then a cut moves, and the chunk after it changes, too.
func TestAnEditCostsWhatItChanges(t *testing.T) {
	schema := playersByID()
	for _, tt := range []struct {
		n                      int
		payload, insert, reads float64 // at most: of write units in the middle, and of reads in sequence
	}{{10, 3, 3, 2}, {1000, 4, 9, 8}, {20_000, 4, 17, 10}, {60_000, 4, 17, 10}} {
		all := players(tt.n + 50)
		table := fill(t, schema, all[:tt.n])
		most := 0
		units := func(op Op[player]) float64 {
			table.reset()
			apply(t, table, schema, []Op[player]{op}, Options{})
			most = max(most, table.trips)
			return table.putUnits
		}
		var payload, insert, remove float64
		tries := min(50, tt.n)
		for i := range tries {
			some := all[i*tt.n/tries]
			if n := units(Op[player]{Put: &some}); n != 0 {
				t.Errorf("%d players, the same again: %.1f units", tt.n, n)
			}
			some.Number++
			payload += units(Op[player]{Put: &some}) / float64(tries)
			insert += units(Op[player]{Put: &all[tt.n+i]}) / float64(tries)
			remove += units(Op[player]{Key: []byte(all[tt.n+i].ID)}) / float64(tries)
		}
		if n := units(Op[player]{Key: []byte("nobody")}); n != 0 {
			t.Errorf("%d players, delete what is not there: %.1f units", tt.n, n)
		}
		t.Logf("%d players: a payload %.1f, an insert %.1f, a removal %.1f units; at most %d reads", tt.n, payload, insert, remove, most)
		if payload > tt.payload || insert > tt.insert || remove > tt.insert || float64(most) > tt.reads {
			t.Errorf("at most %.1f, %.1f and %.0f are allowed", tt.payload, tt.insert, tt.reads)
		}
	}
}
