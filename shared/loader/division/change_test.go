package division_test

import (
	"slices"
	"strings"
	"testing"

	"touchline/shared/dataset"
	"touchline/shared/loader/change"
	"touchline/shared/loader/commit"
	"touchline/shared/loader/division"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/records/recordstest"
)

// changed is the world in which a set takes the place of what a table holds.
func changed(t *testing.T, table *recordstest.Table, was, set *dataset.Set) *world.World {
	t.Helper()
	w := world.NewWorld()
	f := &world.Fetcher{Table: table.Table, World: w}
	c := &change.Changes{World: w, Report: &commit.Report{}}
	all := []*dataset.Part{set.Whole(), was.Whole()}
	for _, p := range all {
		f.Competitions(t.Context(), ids(p.Competitions))
		f.Organizations(t.Context(), ids(p.Organizations))
		f.Teams(t.Context(), ids(p.Teams))
		f.Players(t.Context(), ids(p.Players))
		f.Matches(t.Context(), ids(p.Matches))
	}
	if err := f.Err(); err != nil {
		t.Fatal(err)
	}
	given := map[sport.ID]bool{}
	for i, p := range all {
		for _, x := range p.Organizations {
			c.Organization(x)
		}
		for _, x := range p.Competitions {
			c.Competition(x)
		}
		for _, x := range p.Teams {
			c.Team(x)
		}
		for _, x := range p.Players {
			if x.Deleted = x.Deleted || i == 1; !given[x.ID] {
				c.Player(x)
			}
			given[x.ID] = true
		}
		for _, x := range p.Matches {
			if x.Deleted = x.Deleted || i == 1; !given[x.ID] {
				c.Match(x)
			}
			given[x.ID] = true
		}
	}
	return w
}

func ids[T dataset.Entity](of []*dataset.Record[T]) []sport.ID {
	var all []sport.ID
	for _, x := range of {
		all = append(all, x.ID)
	}
	return all
}

// What the table holds joins parts as well as what is to come. Each case replaces
// lines of the dataset, by their beginnings, and says which of the competitions,
// of teams that are free, and of what changes are of one part. What does not change
// is of the part of anything.
func TestAChangeIsDividedByWhatItWasAndWillBe(t *testing.T) {
	friendly := match("x", "", "a2", "free", "")
	for name, c := range map[string]struct {
		before, after map[string]string
		changed       []string // kind and key
		want          string
	}{
		"a name": {
			before:  map[string]string{"players": `{"id":"pc","name":"Old","teamId":"a2"}`},
			after:   map[string]string{"players": `{"id":"pc","name":"New","teamId":"a2"}`},
			changed: []string{"player pc"},
			want:    "a pc | b cup free",
		},
		"a player who goes to another team": {
			before:  map[string]string{"players": `{"id":"pc","name":"C","teamId":"a2"}`},
			after:   map[string]string{"players": `{"id":"pc","name":"C","teamId":"b2"}`},
			changed: []string{"player pc"},
			want:    "a b pc | cup free",
		},
		"a match that is removed": {
			before:  map[string]string{"matches": friendly},
			changed: []string{"match x"},
			want:    "a free x | b cup",
		},
		"a match that is new": {
			after:   map[string]string{"matches": friendly},
			changed: []string{"match x"},
			want:    "a free x | b cup",
		},
		"a match that no longer names a player": {
			before:  map[string]string{"matches": match("x", "a", "a2", "a1", "pb")},
			after:   map[string]string{"matches": match("x", "a", "a2", "a1", "")},
			changed: []string{"match x"},
			want:    "a b x | cup free",
		},
		"a match of other teams": {
			before:  map[string]string{"matches": match("x", "cup", "a1", "a2", "")},
			after:   map[string]string{"matches": match("x", "cup", "b1", "b2", "")},
			changed: []string{"match x"},
			want:    "a b cup x | free",
		},
		"what does not change, below an organization that does": {
			before: map[string]string{"matches": friendly},
			after:  map[string]string{"matches": friendly, "organizations": `{"id":"g","type":"club","name":"G","parentId":"f"}`},
			want:   "a free | b | cup",
		},
	} {
		t.Run(name, func(t *testing.T) {
			table := recordstest.New(t)
			table.Load(t, folder(c.before))
			set := read(t, c.after)
			w := changed(t, table, read(t, c.before), read(t, c.after))
			d, err := division.OfChange(t.Context(), set, w, table.Table, 1)
			if err != nil {
				t.Fatal(err)
			}
			together := map[int][]string{}
			for _, name := range append([]string{"competition a", "competition b", "competition cup", "team free"}, c.changed...) {
				kind, key, _ := strings.Cut(name, " ")
				n, ok := d.Of(sport.IDFor(map[string]sport.Kind{
					"competition": sport.KindCompetition, "team": sport.KindTeam, "player": sport.KindPlayer, "match": sport.KindMatch,
				}[kind], key))
				if !ok || n >= d.Parts() {
					t.Errorf("%s is of no part", name)
				}
				together[n] = append(together[n], key)
			}
			var parts []string
			for _, of := range together {
				parts = append(parts, strings.Join(of, " "))
			}
			if got := strings.Join(slices.Sorted(slices.Values(parts)), " | "); got != c.want {
				t.Errorf("divided into %s, want %s", got, c.want)
			}
		})
	}
}
