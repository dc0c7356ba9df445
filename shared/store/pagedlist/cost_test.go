package pagedlist

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"touchline/shared/meter"
	"touchline/shared/store"
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

// matches stand for the API's other long lists, with ranges.
type match struct {
	ID      string `json:"id"`
	Status  string `json:"status"`
	Kickoff uint64 `json:"-"`
	At      string `packed:"-" json:"kickoffAt"`
	Home    team   `json:"home"`
	Away    team   `json:"away"`
	Score   [2]int `json:"score"`
	Leg     *int   `json:"leg"`
	TwoLegs bool   `json:"twoLegs"`
	Winner  string `json:"winner"`
	Round   int    `json:"round"`
	Group   *int   `json:"group"`
}

func kickoffKey(at uint64, id string) []byte {
	return append(keyOf(thing{At: at})[:8], id...)
}

func matchesByKickoff() Schema[match] {
	return Schema[match]{
		Name:   "match",
		Key:    func(m match) []byte { return kickoffKey(m.Kickoff, m.ID) },
		Facet:  func(m match) Facet { return Facet("2025 " + m.Status) },
		Ranged: true,
	}
}

const (
	hour = 3_600_000
	week = 7 * 24 * hour
)

// matches makes n matches: ten a week, at four times.
func matches(n int) []match {
	r := rand.New(rand.NewPCG(9, uint64(n))) //nolint:gosec // a test's numbers
	teams := make([]team, 20)
	for i := range teams {
		teams[i] = team{ID: id(r), Name: words(r, 2), ShortName: "TEA"}
	}
	all := make([]match, n)
	for i := range all {
		all[i] = match{
			ID: id(r), Status: "finished", At: "2025-08-01T18:00:00.000Z", Winner: "home", Round: i / 10,
			Kickoff: 1<<63 + 1_754_000_000_000 + uint64(i/10)*week + uint64(r.IntN(4))*2*hour, //nolint:gosec // small
			Home:    teams[r.IntN(20)], Away: teams[r.IntN(20)], Score: [2]int{r.IntN(5), r.IntN(5)},
		}
		if i > n/2 {
			all[i].Status, all[i].Winner = "upcoming", "none"
		}
	}
	return all
}

func fill[T any](t testing.TB, table *store.Table, schema Schema[T], list string, all []T) {
	t.Helper()
	ops := make([]Op[T], len(all))
	for i := range all {
		ops[i] = Op[T]{Key: schema.Key(all[i]), Put: &all[i]}
	}
	if _, err := applyOps(t.Context(), table, schema, list, ops, Options{Fresh: true}); err != nil {
		t.Fatal(err)
	}
}

// budget reads a page and checks its cost: two round trips, and the size of the
// answer by 8 KB plus two units, of the three that a list page may cost in addition
// it (one is for records).
func budget[T any](t *testing.T, table *store.Table, schema Schema[T], req Request[T], wantEntries int) {
	t.Helper()
	count := &meter.Meter{}
	entries, total, err := Read(meter.With(t.Context(), count), table.BatchGet, schema, req)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != wantEntries {
		t.Fatalf("%d entries of %d, want %d", len(entries), total, wantEntries)
	}
	answer, err := json.Marshal(entries)
	if err != nil {
		t.Fatal(err)
	}
	used := count.Total()
	bound := float64(len(answer))/8192 + 2
	what := fmt.Sprintf("%s, reverse %v, ranged %v, offset %d, limit %d: %d trips, %.1f units of %.2f",
		req.List, req.Reverse, req.From != nil || req.To != nil, req.Offset, req.Limit, used.Trips, used.ReadUnits, bound)
	if used.Trips > 2 || used.ReadUnits > bound {
		t.Error(what)
	} else {
		t.Log(what)
	}
}

// budgets reads pages from everywhere in a list.
func budgets[T any](t *testing.T, table *store.Table, schema Schema[T], list string, total int, all Request[T]) {
	t.Helper()
	for _, reverse := range []bool{false, true} {
		for _, limit := range []int{1, 25, 100} {
			last := min(total, 10_000)
			for _, offset := range []int{0, last / 2, last - limit} {
				if offset < 0 {
					continue
				}
				req := all
				req.List, req.Reverse, req.Offset, req.Limit = list, reverse, offset, limit
				budget(t, table, schema, req, min(limit, total-offset))
			}
		}
	}
}

func TestAPageCostsTheSameWhereverItIs(t *testing.T) {
	table := newTables(t).table(t)
	for _, n := range []int{10, 1000, 20_000} {
		costs(t, table, n)
	}
}

func TestScaleOfAPagesCost(t *testing.T) {
	if os.Getenv("TOUCHLINE_SCALE") == "" {
		t.Skip("long; make test-scale runs it")
	}
	table := newTables(t).table(t)
	costs(t, table, 100_000)
	costs(t, table, 1_000_000)
}

func costs(t *testing.T, table *store.Table, n int) {
	all := players(n)
	for name, schema := range map[string]Schema[player]{"id": playersByID(), "name": playersByName()} {
		list := fmt.Sprintf("%d by %s", n, name)
		fill(t, table, schema, list, all)
		budgets(t, table, schema, list, n, Request[player]{})
		active := 0
		for _, p := range all {
			if !p.Inactive {
				active++
			}
		}
		budgets(t, table, schema, list, active, Request[player]{Match: func(f Facet) bool { return f == "2025 active" }})
	}
}

func TestARangeCostsWhatAPageCosts(t *testing.T) {
	table := newTables(t).table(t)
	for _, n := range []int{10, 380, 2500} {
		all, schema, list := matches(n), matchesByKickoff(), fmt.Sprintf("%d matches", n)
		fill(t, table, schema, list, all)
		budgets(t, table, schema, list, n, Request[match]{})
		from, to := all[n/10].Kickoff, all[n*9/10].Kickoff
		in := 0
		for _, m := range all {
			if m.Kickoff >= from && m.Kickoff <= to {
				in++
			}
		}
		budgets(t, table, schema, list, in, Request[match]{From: kickoffKey(from, ""), To: kickoffKey(to+1, "")})
	}
}

// Edits leave chunks half empty and their numbers in disorder.
func TestManyEditsStayWithinBudget(t *testing.T) {
	table := newTables(t).table(t)
	schema, all := playersByName(), players(13_000)
	fill(t, table, schema, "l", all[:10_000])
	for rest := all[10_000:]; len(rest) > 0; rest = rest[200:] {
		var ops []Op[player]
		for i := range rest[:200] {
			ops = append(ops, Op[player]{Put: &rest[i]})
		}
		if _, err := applyOps(t.Context(), table, schema, "l", ops, Options{}); err != nil {
			t.Fatal(err)
		}
	}
	budgets(t, table, schema, "l", len(all), Request[player]{})
}

// Competitions of a season end on many dates, and each is a facet.
func TestManyEndDatesStayWithinBudget(t *testing.T) {
	type competition struct {
		player        // as many fields, as long
		Ends   int64  `json:"-"`
		Gender string `json:"gender"`
	}
	table := newTables(t).table(t)
	r := rand.New(rand.NewPCG(2, 2))
	all := make([]competition, 2000)
	for i, p := range players(len(all)) {
		all[i] = competition{player: p, Gender: []string{"men", "women"}[i%2]}
		if r.IntN(4) > 0 {
			all[i].Ends = 1_780_000_000 + r.Int64N(100)*86_400
		}
	}
	schema := Schema[competition]{
		Name:  "competition",
		Key:   func(c competition) []byte { return []byte(c.ID) },
		Facet: func(c competition) Facet { return Facet(fmt.Sprintf("2025 %s open %08x", c.Gender, c.Ends)) },
	}
	fill(t, table, schema, "l", all)
	open, now := 0, int64(1_780_000_000+5*86_400)
	for _, c := range all {
		if c.Ends == 0 || c.Ends > now {
			open++
		}
	}
	budgets(t, table, schema, "l", len(all), Request[competition]{})
	budgets(t, table, schema, "l", open, Request[competition]{Match: func(f Facet) bool {
		return f[len(f)-8:] == "00000000" || string(f[len(f)-8:]) > fmt.Sprintf("%08x", now)
	}})
}
