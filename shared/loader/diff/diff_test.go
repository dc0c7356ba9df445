package diff_test

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"touchline/shared/loader/diff"
	"touchline/shared/loader/spool"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// writes are what is put into a sink, in the order of writing: phase, name and key, and a
// minus before what is removed.
type writes []string

// Put implements diff.Sink.
func (w *writes) Put(r spool.Record) error {
	sign := ""
	if len(r.Value) == 0 {
		sign = "-"
	}
	*w = append(*w, fmt.Sprintf("%d %s%s %s", r.Phase, sign, strings.TrimPrefix(r.Name, "a list "), r.Key))
	return nil
}

var at = store.Key{PK: "M#m", SK: "-"}

func match(round int, hash string) (*records.MatchRecord, *records.DetailRecord) {
	return &records.MatchRecord{Match: records.Match{ID: "m", Round: round}}, &records.DetailRecord{Packed: []byte("packed"), Hash: []byte(hash)}
}

// large is a record that is stored in pieces, whose names follow from what is in them.
func large(text string) *records.OrganizationRecord {
	var b strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&b, "%s%x", text, i*7919)
	}
	return &records.OrganizationRecord{Organization: records.Organization{ID: "o", Description: b.String()}}
}

// timed is a record that may be unlike another one that is stored alike.
type timed struct {
	At   time.Time
	Text string
}

// What is in both views is not written; the rest is, pieces before what names them, and
// removed after it.
func TestItems(t *testing.T) {
	m, d := match(1, "a")
	later, _ := match(2, "a")
	_, other := match(1, "b")
	noon, text := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), large("a").Description
	repacked := &records.DetailRecord{Packed: []byte("packed anew"), Hash: d.Hash}
	for _, tt := range []struct {
		name   string
		was    any
		is     any
		phases string // of writes, those of removals with a minus
	}{
		{"new", nil, m, "2"},
		{"the same", m, m, ""},
		{"equal", m, new(*m), ""},
		{"another", m, later, "2"},
		{"removed", m, nil, "-2"},
		{"new details", nil, d, "0"},
		{"details of the same hash", d, repacked, ""},
		{"other details", d, other, "0"},
		{"details that are gone", d, nil, "-3"},
		{"in pieces", nil, large("a"), "0 2"},
		{"in other pieces", large("a"), large("b"), "0 2 -3"},
		{"in the same pieces", &timed{noon, text}, &timed{noon.In(time.FixedZone("", 0)), text}, "0 2"},
		{"in pieces no longer", large("a"), &records.OrganizationRecord{}, "2 -3"},
		{"gone, and its pieces", large("a"), nil, "-2 -3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var w writes
			items := diff.NewItems(&w)
			for v, record := range map[world.View]any{world.Before: tt.was, world.After: tt.is} {
				if record != nil {
					items.Put(v, at, record)
				}
			}
			if err := items.Compare(); err != nil {
				t.Fatal(err)
			}
			var phases []string
			for _, text := range w {
				phase, what, _ := strings.Cut(text, " ")
				if strings.HasPrefix(what, "-") {
					phase = "-" + phase
				}
				phases = append(phases, phase)
			}
			if got := strings.Join(phases, " "); got != tt.phases {
				t.Errorf("%s, want %s: %q", got, tt.phases, w)
			}
			before := len(w)
			if err := items.Compare(); err != nil || len(w) != before {
				t.Errorf("compared again: %v, %q", err, w[before:])
			}
		})
	}
}

// wordy is a record whose response is as long as it says.
type wordy struct{ Bytes int }

func (w *wordy) ResponseBytes() int { return w.Bytes }

// What the table cannot hold, and what no response can, is named.
func TestWhatIsTooMuch(t *testing.T) {
	noise := make([]byte, 20<<20)
	_, _ = rand.Read(noise)
	for _, tt := range []struct {
		name        string
		is          any
		large, long int
		writes      int
	}{
		{"too large", &records.DetailRecord{Packed: noise}, 1, 0, 0},
		{"too long", &wordy{records.MaxResponse + 1}, 0, 1, 1},
		{"as long as may be", &wordy{records.MaxResponse}, 0, 0, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var w writes
			items := diff.NewItems(&w)
			items.Put(world.After, at, tt.is)
			if err := items.Compare(); err != nil || len(items.TooLarge) != tt.large || len(items.TooLong) != tt.long || len(w) != tt.writes {
				t.Errorf("%v, %d too large, %d too long, %d writes", err, len(items.TooLarge), len(items.TooLong), len(w))
			}
		})
	}
}

// Scorers and cards are ordered by their figures (D27), then as names are.
func TestRankings(t *testing.T) {
	lists := diff.NewLists(diff.NewCollation(), nil)
	a, b := records.PlayerRef{ID: "1", Name: "A"}, records.PlayerRef{ID: "2", Name: "B"}
	var places []string
	for _, e := range []records.ScorerEntry{{Player: b, Value: 10}, {Player: b, Value: 3, Appearances: 1}, {Player: a, Value: 3, Appearances: 2}, {Player: b, Value: 3, Appearances: 2}} {
		places = append(places, string(lists.Scorers.Key(e)))
	}
	if !slices.IsSorted(places) {
		t.Errorf("scorers: %q", places)
	}
	places = nil
	team := records.TeamRef{ID: "0", Name: "C"}
	for _, e := range []records.CardEntry{
		{Player: &b, Total: 5}, {Player: &b, Total: 4, Red: 2}, {Player: &b, Total: 4, Red: 1, SecondYellow: 2}, {Player: &b, Total: 4, Red: 1, SecondYellow: 1},
		{Player: &a, Total: 1, Red: 1}, {Player: &b, Total: 1, Red: 1}, {Team: team, Total: 1, Red: 1}, {Player: &a, Team: team, Total: 1},
	} {
		places = append(places, string(lists.Cards.Key(e)))
	}
	if !slices.IsSorted(places) {
		t.Errorf("cards: %q", places)
	}
}

// Names are ordered as people expect, then by id, and no name runs into another's id.
func TestNamesAreCollated(t *testing.T) {
	c := diff.NewCollation()
	last := ""
	for _, of := range []struct{ name, id string }{{"a", "1"}, {"a", "2"}, {"á", "1"}, {"á", "2"}, {"ab", ""}, {"ab", "1"}, {"B", "1"}} {
		key := string(c.Key(of.name, sport.ID(of.id)))
		if key <= last {
			t.Errorf("%s %s does not come after what stands before it", of.name, of.id)
		}
		last = key
	}
}
