package reader

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/problem"
	"touchline/shared/simulation"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// The federation f has the associations a and b; the club c is below both, d below a.
var (
	above = map[sport.ID][]sport.ID{"f": {"f"}, "a": {"a", "f"}, "b": {"b", "f"}, "c": {"c", "a", "b", "f"}, "d": {"d", "a", "f"}}
	leafs = []sport.ID{"c", "d"}
)

func organization(id sport.ID) *records.OrganizationRecord {
	if id == "" {
		return nil
	}
	return &records.OrganizationRecord{
		Organization: records.Organization{ID: id}, Scope: records.Scope{Reach: above[id]}, Leaf: slices.Contains(leafs, id),
	}
}

// A list is the one of the addressed organization, or of what lies below it and below
// what filters name; and a guess from the query alone has it among its lists.
func TestTheListThatHoldsThePage(t *testing.T) {
	of := func(id sport.ID) records.List[records.TeamEntry] { return records.Teams.Of(id, records.ByID) }
	below := func(id sport.ID) records.List[records.TeamEntry] {
		return records.Teams.Below(id, records.ByID)
	}
	entered := func(id sport.ID) records.List[records.TeamEntry] {
		return records.Teams.Entered("k", id, records.ByID)
	}
	tests := map[string]struct {
		query   OrganizationQuery
		want    records.List[records.TeamEntry]
		guessed int      // lists
		from    sport.ID // of the key; empty: f
	}{
		"its own":                              {OrganizationQuery{ID: "a"}, of("a"), 1, ""},
		"its own, below what a filter names":   {OrganizationQuery{ID: "c", Association: "a"}, of("c"), 1, ""},
		"its own, not below it":                {OrganizationQuery{ID: "d", Association: "b"}, "", 1, ""},
		"below it":                             {OrganizationQuery{ID: "a", Descendants: true}, below("a"), 2, ""},
		"below the key's own":                  {OrganizationQuery{ID: "f", Descendants: true}, below("f"), 2, "f"},
		"below the key's own, which is a leaf": {OrganizationQuery{ID: "c", Descendants: true}, of("c"), 2, "c"},
		"below a filter":                       {OrganizationQuery{ID: "f", Association: "a", Descendants: true}, below("a"), 2, "f"},
		"below a leaf":                         {OrganizationQuery{ID: "f", Club: "d", Descendants: true}, of("d"), 2, "f"},
		"below both":                           {OrganizationQuery{ID: "b", Association: "a", Descendants: true}, below("a"), 2, ""},
		"below the filter's organization":      {OrganizationQuery{ID: "c", Association: "a", Descendants: true, Type: sport.Club}, of("c"), 2, ""},
		"entered":                              {OrganizationQuery{ID: "a", Competition: "k", Descendants: true}, entered("a"), 1, ""},
		"entered, its own":                     {OrganizationQuery{ID: "a", Competition: "k"}, entered("a"), 1, ""},
		"entered by a leaf":                    {OrganizationQuery{ID: "f", Competition: "k", Club: "d", Descendants: true}, entered("d"), 1, "f"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			v := sport.Viewer{Organization: "f", Descendants: true}
			if tt.from != "" {
				v.Organization = tt.from
			}
			x := &search{query: tt.query, organization: organization(sport.ID(tt.query.ID))}
			f := familyOf(records.Teams, tt.query, tt.query.Competition)
			got := listOf(x, f, organization(sport.ID(tt.query.Association)), organization(sport.ID(tt.query.Club)))
			if got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
			guessed := guess(f, v, tt.query, tt.query.Association, tt.query.Club)
			if len(guessed) != tt.guessed || got != "" && !slices.Contains(guessed, headOf(got)) {
				t.Errorf("guessed %v", guessed)
			}
		})
	}
}

// A team's players are on its own list, unless a filter names a competition that the team
// is not entered in.
func TestTheListOfATeamsPlayers(t *testing.T) {
	own := records.PlayersOfTeam("t", records.ByID)
	for name, tt := range map[string]struct {
		organization, association, competition sport.ID
		descendants                            bool
		want                                   records.List[records.PlayerEntry]
	}{
		"of its owner":             {"c", "", "", false, own},
		"of another":               {"a", "", "", false, ""},
		"below another":            {"a", "", "", true, own},
		"not below another":        {"d", "", "", true, ""},
		"below a filter":           {"f", "a", "", true, own},
		"not below a filter":       {"f", "d", "", true, ""},
		"entered":                  {"c", "", "k", false, own},
		"entered in a competition": {"c", "", "other", false, records.Players.Entered("other", "c", records.ByID)},
	} {
		x := &search{
			query: OrganizationQuery{Descendants: tt.descendants}, organization: organization(tt.organization), association: organization(tt.association),
			team: &records.TeamRecord{Team: records.Team{TeamRef: records.TeamRef{ID: "t"}}, Owner: "c", OwnerReach: above["c"], Competition: "k"},
		}
		if tt.competition != "" {
			x.competition = &records.CompetitionRecord{Competition: records.Competition{CompetitionRef: records.CompetitionRef{ID: tt.competition}}}
		}
		list, where := x.playersOfTeam()
		of := func(team sport.ID) records.PlayerEntry {
			return records.PlayerEntry{Player: records.Player{Team: records.TeamRef{ID: team}}}
		}
		if list != tt.want || where != nil && (!where(of("t")) || where(of("u"))) {
			t.Errorf("%s: %s, want %s", name, list, tt.want)
		}
	}
}

func TestWhatOrganizationsOwnAloneHasNoListOfALeaf(t *testing.T) {
	f := family[records.Organization]{below: func(r sport.ID) records.List[records.Organization] {
		return records.OrganizationsBelow(sport.Club, r, records.ByID)
	}}
	x := &search{query: OrganizationQuery{ID: "d", Descendants: true}, organization: organization("d")}
	if list := listOf(x, f); list != "" {
		t.Errorf("%s: nothing is below it", list)
	}
}

// D1 step 20: the rule of players before the general one.
func TestAListRangesOverSoManyOrganizations(t *testing.T) {
	tests := []struct {
		organizations int
		unnarrowed    bool
		refused       bool
	}{
		{50, true, false}, {51, true, true}, {51, false, false}, {5000, false, false}, {5001, false, true}, {5001, true, true},
	}
	for _, tt := range tests {
		err := (&search{unnarrowed: tt.unnarrowed}).checkSize(tt.organizations)
		if (err != nil) != tt.refused || err != nil && problem.From(err).Code != problem.ScopeTooLarge {
			t.Errorf("%d, unnarrowed %v: %v", tt.organizations, tt.unnarrowed, err)
		}
	}
}

func TestMatchesAreSelectedByTimeAndSeason(t *testing.T) {
	at := time.UnixMilli(1000)
	from, to := (MatchFilter{From: &at, To: &at}).bounds()
	for ms, want := range map[int64]bool{999: false, 1000: true, 1001: false} {
		key := records.KickoffKey(ms, "id")
		if in := string(key) >= string(from) && string(key) < string(to); in != want {
			t.Errorf("a match at %d ms is in the range: %v", ms, in)
		}
	}
	if from, to := (MatchFilter{}).bounds(); from != nil || to != nil {
		t.Errorf("bounds %v %v", from, to)
	}
	for asked, seasons := range map[[2]int][]int{{0, 0}: {0, 2024, 2025}, {2024, 2025}: {2024}, {0, 2025}: {0, 2025}} { // asked, own
		var in []int
		for _, season := range []int{0, 2024, 2025} {
			if (MatchFilter{Season: asked[0]}).match(asked[1])(records.MatchSchema().Facet(records.MatchEntry{Match: records.Match{Season: season}})) {
				in = append(in, season)
			}
		}
		if diff := cmp.Diff(seasons, in); diff != "" {
			t.Errorf("season %d of an entry of %d: %s", asked[0], asked[1], diff)
		}
	}
}

func TestCompetitionsAreSelectedByTheirFacets(t *testing.T) {
	now := time.Unix(1000, 0)
	open, done := records.Open, records.Completed
	tests := map[string]struct {
		filter CompetitionFilter
		facet  records.Facet
		want   bool
	}{
		"active, without an end":  {CompetitionFilter{Status: CompetitionActive}, records.Facet{Status: open, Season: 2025, Gender: "men"}, true},
		"active until its end":    {CompetitionFilter{Status: CompetitionActive}, records.Facet{Status: open, Ends: 1000}, true},
		"its end is past":         {CompetitionFilter{Status: CompetitionActive}, records.Facet{Status: open, Ends: 999}, false},
		"completed is not active": {CompetitionFilter{Status: CompetitionActive}, records.Facet{Status: done}, false},
		"completed":               {CompetitionFilter{Status: CompetitionCompleted}, records.Facet{Status: done}, true},
		"open is not completed":   {CompetitionFilter{Status: CompetitionCompleted}, records.Facet{Status: open, Ends: 1}, false},
		"of the season":           {CompetitionFilter{Season: 2025}, records.Facet{Season: 2025}, true},
		"of another":              {CompetitionFilter{Season: 2025}, records.Facet{Season: 2024}, false},
		"of the gender":           {CompetitionFilter{Gender: "women"}, records.Facet{Gender: "women"}, true},
		"of none":                 {CompetitionFilter{Gender: "women"}, records.Facet{}, false},
	}
	for name, tt := range tests {
		tt.filter.Now = now
		if got := tt.filter.match()(tt.facet); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if (CompetitionFilter{Now: now}).match() != nil {
		t.Error("no filter selects")
	}
}

// filled is a reader of a table with a list.
func filled[T any](t *testing.T, table *store.Table, schema pagedlist.Schema[T], list records.List[T], entries ...T) *Reader {
	t.Helper()
	var ops []pagedlist.Op[T]
	for i := range entries {
		ops = append(ops, pagedlist.Op[T]{Put: &entries[i]})
	}
	changes, err := schema.Changes(string(list), ops)
	if err == nil {
		err = pagedlist.Apply(t.Context(), table, schema, []pagedlist.Changes{changes}, pagedlist.Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return &Reader{Items: &store.Cached{Source: table, Now: time.Now}}
}

// What lies below organizations neither of which is below the other is below each of them.
func TestWhatIsBelowSeveralOrganizations(t *testing.T) {
	table := &store.Table{DB: simulation.NewDatabase(), Name: "sports"}
	filled(t, table, records.IDSchema(), records.RangeSizeList("a"), records.IDEntry{ID: "c"}, records.IDEntry{ID: "d"})
	r := filled(t, table, records.IDSchema(), records.RangeSizeList("b"), records.IDEntry{ID: "c"}, records.IDEntry{ID: "e"})
	x := &search{snapshot: r.open(), query: OrganizationQuery{Descendants: true}, organization: organization("a")}
	itself := func(id sport.ID) sport.ID { return id }
	selects := ownedBelow(t.Context(), x, itself, organization("b"), nil)
	for id, want := range map[sport.ID]bool{"c": true, "d": false, "e": false, "b": false} {
		if x.err != nil || selects(id) != want {
			t.Errorf("%s is below both: %v, %v", id, !want, x.err)
		}
	}
	if ownedBelow(t.Context(), x, itself, organization("f")) != nil {
		t.Error("what is below one alone is filtered")
	}
}

// D26: a club's own entries, and twenty of its competition copies.
func TestAClubsMatchesCoverItsRecentEntries(t *testing.T) {
	for copies, truncated := range map[int]bool{19: false, 20: false, 21: true} {
		table := &store.Table{DB: simulation.NewDatabase(), Name: "sports"}
		entries := []records.TeamEntry{
			{Team: records.Team{TeamRef: records.TeamRef{ID: "own"}}},
			{Team: records.Team{TeamRef: records.TeamRef{ID: "old"}, CompetitionID: "k", Season: 2020}, Archived: true},
		}
		for n := range copies {
			entries = append(entries, records.TeamEntry{Team: records.Team{
				TeamRef: records.TeamRef{ID: sport.ID(fmt.Sprintf("t%02d", n))}, CompetitionID: "k", Season: 2000 + n,
			}})
		}
		r := filled(t, table, records.ClubEntrySchema(), records.ClubEntries(id), entries...)
		snapshot := r.open()
		entries, covered := snapshot.clubEntries(t.Context(), id, 0)
		if snapshot.err != nil || len(entries) != 1+min(copies, 20) || entries[0].ID != "own" || entries[1].Season != 2000+copies-1 {
			t.Errorf("%d copies: %+v, %v", copies, entries, snapshot.err)
		}
		if want := (ClubMatches{Truncated: truncated, Included: min(copies, 20)}); covered != want {
			t.Errorf("%d copies: %+v", copies, covered)
		}
		entries, _ = snapshot.clubEntries(t.Context(), id, 2020)
		if n := 2 + copies/21; snapshot.err != nil || len(entries) != n {
			t.Errorf("%d copies, season 2020: %+v, %v", copies, entries, snapshot.err)
		}
	}
}
