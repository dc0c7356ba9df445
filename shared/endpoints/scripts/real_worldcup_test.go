package scripts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestWorldCup(t *testing.T) {
	r := loadReal(t, "worldcup", "fifa")
	for _, season := range []int{2014, 2018, 2022, 2026} {
		t.Run(fmt.Sprint("groups of ", season), func(t *testing.T) { r.holdGroups(t, season) })
		t.Run(fmt.Sprint("matches of ", season), func(t *testing.T) { r.holdMatches(t, season) })
		t.Run(fmt.Sprint("scorers of ", season), func(t *testing.T) { r.holdWorldCupScorers(t, season) })
		if season == 2022 || !testing.Short() {
			t.Run(fmt.Sprint("players of ", season), func(t *testing.T) { r.holdPlayers(t, season) })
		}
	}
}

func (r *real) holdGroups(t *testing.T, season int) {
	var reply struct {
		Data struct {
			Groups []struct {
				ID, Name  string
				Order     int
				Completed bool
				Teams     []reference
			}
		}
	}
	r.get(t, fmt.Sprintf("/v1/tournaments/%s/groups?season=%d", worldCup(), season), &reply)
	var tables struct {
		Data struct{ Standings, PlayoffStandings []reference }
	}
	r.get(t, fmt.Sprintf("/v1/tournaments/%s/standings?season=%d", worldCup(), season), &tables)
	standings := tables.Data
	want := map[int]int{2014: 8, 2018: 8, 2022: 8, 2026: 12}[season]
	if len(reply.Data.Groups) != want || len(standings.Standings) != 4*want || standings.PlayoffStandings != nil {
		t.Fatalf("%d groups, %d rows", len(reply.Data.Groups), len(standings.Standings))
	}
	for i, g := range reply.Data.Groups {
		key := fmt.Sprintf("worldcup/%d/%s", season, g.Name)
		if g.Order != i+1 || !g.Completed || len(g.Teams) != 4 {
			t.Errorf("%+v", g)
		}
		for _, team := range r.teams {
			if team.CompetitionID == "worldcup" && team.Season == season && team.Group == key && !slices.ContainsFunc(g.Teams, func(x reference) bool { return x.ID == teamID(team.ID) }) {
				t.Errorf("%s is not in %s", team.Name, g.Name)
			}
		}
	}
}

// shown is a match as it is answered.
type shown struct {
	ID, Winner string
	Home, Away reference
	Score      rawScore
	Penalties  *rawScore
	Round      int
	Group      *string
}

func (r *real) holdMatches(t *testing.T, season int) {
	got := map[string]shown{}
	for _, m := range all[shown](t, r, fmt.Sprintf("/v1/tournaments/%s/matches?season=%d", worldCup(), season)) {
		got[m.ID] = m
	}
	matches := r.of(season)
	if len(got) != len(matches) {
		t.Fatalf("%d of %d", len(got), len(matches))
	}
	for _, m := range matches {
		x := got[matchID(m.ID)]
		if x.Home.ID != teamID(m.HomeTeamID) || x.Away.ID != teamID(m.AwayTeamID) || x.Score != *m.Score || x.Round != m.Round || (x.Group == nil) != (m.Group == "") {
			t.Errorf("%s: %+v", m.ID, x)
		}
		order := cmp.Compare(m.Score.Home, m.Score.Away)
		if m.Penalties != nil {
			order = cmp.Compare(m.Penalties.Home, m.Penalties.Away)
		}
		if want := []string{"away", "draw", "home"}[order+1]; x.Winner != want || m.Group == "" && want == "draw" {
			t.Errorf("%s: %s won, not %s", m.ID, x.Winner, want)
		}
		if (x.Penalties == nil) != (m.Penalties == nil) || m.Penalties != nil && *x.Penalties != *m.Penalties {
			t.Errorf("%s: penalties %v, not %v", m.ID, x.Penalties, m.Penalties)
		}
	}
	final := slices.MaxFunc(matches, func(a, b rawMatch) int { return cmp.Compare(a.Round, b.Round) })
	champion := map[int]string{2014: "Germany", 2018: "France", 2022: "Argentina", 2026: "Spain"}[season]
	x := got[matchID(final.ID)]
	if winner := map[string]reference{"home": x.Home, "away": x.Away}[x.Winner]; winner.Name != champion {
		t.Errorf("the champion is %+v", winner)
	}
}

// ranked is a row of a ranking by goals.
type ranked struct {
	Rank   int
	Player reference
	Value  int
}

// holdRanks holds ranks to the values: equal ones share a rank, and the next one
// counts all above (D27).
func holdRanks(t *testing.T, rows []ranked) {
	t.Helper()
	for i, row := range rows {
		above := 0
		for _, other := range rows {
			if other.Value > row.Value {
				above++
			}
		}
		if row.Rank != above+1 || i > 0 && rows[i-1].Value < row.Value {
			t.Errorf("row %d: %+v", i+1, row)
		}
	}
}

// holdWorldCupScorers knows who scored most, from outside the data.
func (r *real) holdWorldCupScorers(t *testing.T, season int) {
	rows := all[ranked](t, r, fmt.Sprintf("/v1/tournaments/%s/top-scorers?season=%d", worldCup(), season))
	holdRanks(t, rows)
	known := map[int]struct {
		name  string
		goals int
	}{2014: {"Rodr", 6}, 2018: {"Kane", 6}, 2022: {"Mbapp", 8}}
	if k, is := known[season]; is && (!strings.Contains(rows[0].Player.Name, k.name) || rows[0].Value != k.goals) {
		t.Errorf("the first is %+v", rows[0])
	}
}

// totals are a player's season, as far as it is counted here.
type totals struct{ Appearances, Minutes, Goals int }

// holdPlayers counts for itself what each player of a World Cup did, and how long he was on the
// pitch: from 0 or the minute of coming on, to the minute of going off or the end (D29, D42).
func (r *real) holdPlayers(t *testing.T, season int) {
	want := map[string]totals{}
	count := func(player string, of totals) {
		x := want[player]
		want[player] = totals{x.Appearances + of.Appearances, x.Minutes + of.Minutes, x.Goals + of.Goals}
	}
	for _, m := range r.of(season) {
		on := map[string]int{}
		comes := func(player string, minute int) { on[player] = minute; count(player, totals{Appearances: 1}) }
		goes := func(player string, minute int) {
			if since, is := on[player]; is {
				count(player, totals{Minutes: minute - since})
				delete(on, player)
			}
		}
		for _, x := range slices.Concat(m.Lineups.Home.Starting, m.Lineups.Away.Starting) {
			comes(x.PlayerID, 0)
		}
		for _, e := range m.Events {
			switch e.Type + " " + e.Detail {
			case "goal regular", "goal penalty":
				count(e.PlayerID, totals{Goals: 1})
			case "card secondYellow", "card red":
				goes(e.PlayerID, e.Minute)
			case "substitution ":
				goes(e.PlayerOutID, e.Minute)
				comes(e.PlayerInID, e.Minute)
			}
		}
		end := 90
		if m.ExtraTime {
			end = 120
		}
		for player := range on {
			goes(player, end)
		}
	}
	delete(want, "") // whom an event does not name
	for player, w := range want {
		var reply struct{ Data struct{ Totals totals } }
		r.get(t, "/v1/players/"+playerID(player)+"/statistics", &reply)
		if reply.Data.Totals != w {
			t.Errorf("%s: %+v, not %+v", player, reply.Data.Totals, w)
		}
	}
}
