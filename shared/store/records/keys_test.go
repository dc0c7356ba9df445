package records

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
)

// What lies next to a record in its partition is told from it by the sort key alone.
func TestAKeySaysWhichRecordItIs(t *testing.T) {
	piece := func(key store.Key) store.Key {
		return store.Key{PK: key.PK, SK: piecesPrefix(key) + "0011223344556677#000"}
	}
	tests := map[string]struct {
		key   store.Key
		kind  sport.Kind
		given bool
	}{
		"an organization":        {OrganizationKey(someID), sport.KindOrganization, true},
		"a current season":       {CompetitionKey(someID, CurrentTag), sport.KindCompetition, true},
		"another season":         {CompetitionKey(someID, SeasonTag(2025)), sport.KindCompetition, true},
		"its place":              {SeasonKey(someID, 2025), "", false},
		"its groups":             {GroupsKey(someID, SeasonTag(2025)), "", false},
		"tables of the current":  {TableKey(someID, CurrentTag), "", false},
		"which seasons":          {CompetitionSeasonsKey(someID), "", false},
		"a given table":          {GivenTableKey(someID, 2025, sport.TableRegular), sport.KindCompetition, true},
		"a piece of one":         {piece(GivenTableKey(someID, 2025, sport.TableRegular)), "", true},
		"a piece of a season":    {piece(CompetitionKey(someID, SeasonTag(2025))), "", true},
		"a team":                 {TeamKey(someID), sport.KindTeam, true},
		"a player":               {PlayerKey(someID), sport.KindPlayer, true},
		"a player's seasons":     {PlayerSeasonsKey(someID), "", false},
		"a match":                {MatchKey(someID), sport.KindMatch, true},
		"a match's details":      {MatchDetailKey(someID), "", true},
		"a match's line-ups":     {LineupsKey(someID), "", false},
		"of another key space":   {store.Key{PK: "9#T#" + string(someID), SK: single}, "", false},
		"the state of the loads": {LockKey(), "", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			kind, id := Source(tt.key)
			if kind != tt.kind || (id == someID) != (kind != "") || Given(tt.key) != tt.given {
				t.Errorf("%q %q, given %v", kind, id, Given(tt.key))
			}
		})
	}
}

func TestSeasonsAndTablesComeBackFromTheirKeys(t *testing.T) {
	if season, ok := SeasonOf(SeasonKey(someID, 2025).SK); season != 2025 || !ok {
		t.Errorf("season %d, %v", season, ok)
	}
	for _, other := range []store.Key{CompetitionKey(someID, SeasonTag(2025)), GroupsKey(someID, CurrentTag)} {
		if season, ok := SeasonOf(other.SK); ok {
			t.Errorf("%s is of season %d", other.SK, season)
		}
	}
	season, table, err := GivenTableIn(GivenTableKey(someID, 2025, sport.TablePlayoff).SK)
	if season != 2025 || table != sport.TablePlayoff || err != nil {
		t.Errorf("%d, %s, %v", season, table, err)
	}
	entry := TableEntry{Competition: someID, Season: 2025, Table: sport.TablePlayout}
	if got, ok := TableOf(TableSchema().Key(entry)); got != entry || !ok {
		t.Errorf("%+v, %v", got, ok)
	}
}

// Keys order as what they stand for.
func TestKeysAreInOrder(t *testing.T) {
	before := time.Date(1954, time.July, 4, 16, 0, 0, 0, time.UTC).UnixMilli()
	orders := map[string][][]byte{
		"kickoffs": {KickoffKey(before, "b"), KickoffKey(-1, ""), KickoffKey(0, ""), KickoffKey(0, "a"), KickoffKey(0, "b"), KickoffKey(1, "")},
		"numbers":  {NumberKey(0, "b"), NumberKey(2, "a"), NumberKey(2, "b"), NumberKey(10, "a"), NumberKey(300, "")},
		"seasons":  {[]byte(SeasonTag(999)), []byte(SeasonTag(2025))},
	}
	for name, keys := range orders {
		if !slices.IsSortedFunc(keys, bytes.Compare) || len(slices.CompactFunc(slices.Clone(keys), bytes.Equal)) != len(keys) {
			t.Errorf("%s are out of order: %q", name, keys)
		}
	}
}

func TestAScopeSaysWhichKeysSeeARecord(t *testing.T) {
	scope := Scope{Owners: IDs{"club"}, Reach: IDs{"club", "federation"}}
	hidden := scope
	hidden.Hidden = true
	season := Seen[string]{All: "all", Guests: []Guest[string]{{scope, "a part"}}}
	team := TeamRecord{Owner: "club", OwnerReach: IDs{"club", "federation"}}
	tests := []struct {
		organization sport.ID
		descendants  bool
		sees         bool
	}{
		{"club", false, true}, {"club", true, true}, {"federation", false, false}, {"federation", true, true}, {"other", true, false},
	}
	for _, tt := range tests {
		shown := "all"
		if tt.sees {
			shown = "a part"
		}
		got := []any{scope.Contains(tt.organization, tt.descendants), hidden.Contains(tt.organization, tt.descendants),
			*season.SeenBy(tt.organization, tt.descendants), team.SeenByOwner(tt.organization, tt.descendants)}
		if diff := cmp.Diff([]any{tt.sees, false, shown, tt.sees}, got); diff != "" {
			t.Errorf("%s, descendants %v: %s", tt.organization, tt.descendants, diff)
		}
	}
}

func TestFacetsSayWhatAListIsFilteredBy(t *testing.T) {
	teams, players := TeamSchema(nil), PlayerSchema(nil)
	team := TeamEntry{Team: Team{CompetitionID: someID, Season: 2025, Status: sport.Active}}
	own := TeamEntry{Team: Team{Season: 2025, Status: sport.Inactive}, Hidden: true}
	player := PlayerEntry{Season: 2025, Inactive: true, Hidden: true}
	match := MatchEntry{Match: Match{Season: 2025, Status: sport.Live}, Hidden: true}
	tests := map[string]struct {
		packed           pagedlist.Facet
		facet            Facet
		hidden, isHidden bool
	}{
		"an organization":                              {OrganizationSchema(nil).Facet(Organization{Status: sport.Inactive}), Facet{Status: "inactive"}, false, false},
		"a team of a season":                           {teams.Facet(team), Facet{Season: 2025, Status: "active"}, teams.Hidden(team), false},
		"a team in no competition has no season (D17)": {teams.Facet(own), Facet{Status: "inactive"}, teams.Hidden(own), true},
		"a player": {players.Facet(player), Facet{Season: 2025, Status: "inactive"}, players.Hidden(player), true},
		"a competition": {CompetitionSchema(nil).Facet(Competition{CompetitionRef: CompetitionRef{Season: 2025}, Gender: "women", EndsAt: 9}),
			Facet{Season: 2025, Gender: "women", Status: "open", Ends: 9}, false, false},
		"a match": {MatchSchema().Facet(match), Facet{Season: 2025, Status: "live"}, MatchSchema().Hidden(match), true},
	}
	for name, tt := range tests {
		if got := FacetOf(tt.packed); got != tt.facet || tt.hidden != tt.isHidden {
			t.Errorf("%s: %+v, hidden %v", name, got, tt.hidden)
		}
	}
}

func TestTheSeasonsThatAViewerSeesAreNewestFirst(t *testing.T) {
	seen := CompetitionSeasonsRecord{Seen: []SeenSeasons{
		{Scope{Owners: IDs{"a"}}, []int{2023, 2025}}, {Scope{Owners: IDs{"b"}}, []int{2022}}, {Scope{Owners: IDs{"a", "b"}}, []int{2024}},
	}}
	if got := seen.Of(sport.Viewer{Organization: "a"}); !slices.Equal(got, []int{2025, 2024, 2023}) {
		t.Errorf("%v", got)
	}
}

// A quote takes four bytes in a response: it is escaped in a string that is escaped itself.
func TestTheLengthOfATextInAResponse(t *testing.T) {
	for text, want := range map[string]int{"": 0, "plain": 5, `a"b`: 6, `a\b`: 6, "ä": 2} {
		if got := textBytes(text); got != want {
			t.Errorf("%s: %d bytes, want %d", text, got, want)
		}
		if got := textBytes(text, text); got != 2*want {
			t.Errorf("%s twice: %d bytes, want %d", text, got, 2*want)
		}
	}
}
