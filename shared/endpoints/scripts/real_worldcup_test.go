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
	}
	t.Run("events and line-ups", func(t *testing.T) {
		for _, m := range r.matches {
			r.holdEvents(t, m)
			r.holdLineups(t, m)
		}
	})
	t.Run("players", r.holdPlayers)
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
	r.get(t, fmt.Sprintf("/v1/tournaments/%s/groups?season=%d", competitionID("worldcup"), season), &reply)
	standings := r.tables(t, "worldcup", season).Data
	want := map[int]int{2014: 8, 2018: 8, 2022: 8, 2026: 12}[season]
	if len(reply.Data.Groups) != want || len(standings.Standings) != 4*want || standings.PlayoffStandings != nil {
		t.Fatalf("%d groups, %d rows", len(reply.Data.Groups), len(standings.Standings))
	}
	for i, g := range reply.Data.Groups {
		key := fmt.Sprintf("worldcup/%d/%s", season, g.Name)
		teams := r.entered("worldcup", season, key)
		if g.Order != i+1 || !g.Completed || len(g.Teams) != 4 {
			t.Errorf("%+v", g)
		}
		for _, team := range teams {
			if !slices.ContainsFunc(g.Teams, func(x reference) bool { return x.ID == teamID(team.ID) }) {
				t.Errorf("%s is not in %s", team.Name, g.Name)
			}
		}
		var matches []rawMatch
		for _, m := range r.of(season) {
			if m.Group == key {
				matches = append(matches, m)
			}
		}
		if len(matches) != 6 {
			t.Errorf("%s has %d matches", g.Name, len(matches))
		}
		r.holdTable(t, standings.Standings[4*i:4*i+4], teams, matches)
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
	for _, m := range all[shown](t, r, fmt.Sprintf("/v1/tournaments/%s/matches?season=%d", competitionID("worldcup"), season)) {
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
	rows := all[ranked](t, r, fmt.Sprintf("/v1/tournaments/%s/top-scorers?season=%d", competitionID("worldcup"), season))
	players := count(r.of(season))
	holdRanks(t, rows)
	scorers := map[string]int{}
	for key, f := range players {
		if f.Goals > 0 {
			scorers[playerID(key)] = f.Goals
		}
	}
	if len(rows) != len(scorers) {
		t.Errorf("%d rows of %d", len(rows), len(scorers))
	}
	for _, row := range rows {
		if row.Value != scorers[row.Player.ID] {
			t.Errorf("%+v, not %d", row, scorers[row.Player.ID])
		}
	}
	known := map[int]struct {
		name  string
		goals int
	}{2014: {"Rodr", 6}, 2018: {"Kane", 6}, 2022: {"Mbapp", 8}}
	if k, is := known[season]; is && (!strings.Contains(rows[0].Player.Name, k.name) || rows[0].Value != k.goals) {
		t.Errorf("the first is %+v", rows[0])
	}
}

// holdEvents follows the running score to the result, and the shoot-out to its.
func (r *real) holdEvents(t *testing.T, m rawMatch) {
	var reply struct {
		Data struct {
			Events []struct {
				Type, Detail, Period, Side string
				Order, Minute              int
				Team, Player               *reference
				Score                      *rawScore
			}
		}
	}
	r.get(t, "/v1/matches/"+matchID(m.ID)+"/events", &reply)
	if len(reply.Data.Events) != len(m.Events) {
		t.Fatalf("%s: %d events of %d", m.ID, len(reply.Data.Events), len(m.Events))
	}
	var running, shootout rawScore
	for i, e := range reply.Data.Events {
		raw := m.Events[i]
		if e.Order != i+1 || e.Type != raw.Type || e.Detail != raw.Detail || e.Minute != raw.Minute || e.Side != raw.Side ||
			(e.Player == nil) != (raw.PlayerID == "") || e.Player != nil && e.Player.ID != playerID(raw.PlayerID) {
			t.Errorf("%s: %+v, not %+v", m.ID, e, raw)
		}
		counter := map[string]*int{"goalhome": &running.Home, "goalaway": &running.Away}[e.Type+e.Side]
		if e.Type == "shootoutPenalty" && e.Detail == "scored" {
			counter = map[string]*int{"home": &shootout.Home, "away": &shootout.Away}[e.Side]
		}
		if counter != nil {
			*counter++
		}
		if (e.Score == nil) != (e.Type != "goal") || e.Score != nil && *e.Score != running {
			t.Errorf("%s: event %d: the score is %v, not %v", m.ID, e.Order, e.Score, running)
		}
		if (e.Type == "shootoutPenalty") != (e.Period == "penaltyShootout") {
			t.Errorf("%s: event %d is in period %s", m.ID, e.Order, e.Period)
		}
	}
	if running != *m.Score {
		t.Errorf("%s ends %v, not %v", m.ID, running, *m.Score)
	}
	if m.Penalties != nil && shootout != (rawScore{}) && shootout != *m.Penalties {
		t.Errorf("%s: the shoot-out ends %v, not %v", m.ID, shootout, *m.Penalties)
	}
}

func (r *real) holdLineups(t *testing.T, m rawMatch) {
	type entry struct {
		Player              reference
		Captain             bool
		MinuteIn, MinuteOut *int
	}
	type squad struct{ Starting, Bench []entry }
	var reply struct {
		Data struct {
			Confirmed  bool
			Home, Away squad
		}
	}
	r.get(t, "/v1/matches/"+matchID(m.ID)+"/lineups", &reply)
	got := reply.Data
	if got.Confirmed != (m.Lineups != nil) || m.Lineups == nil {
		if got.Confirmed || len(got.Home.Starting) > 0 {
			t.Errorf("%s: line-ups from nowhere", m.ID)
		}
		return
	}
	end := 90
	if m.ExtraTime {
		end = 120
	}
	minutes, want := map[string]int{}, count([]rawMatch{m})
	for _, s := range []squad{got.Home, got.Away} {
		captains := 0
		for _, e := range slices.Concat(s.Starting, s.Bench) {
			if e.MinuteIn != nil {
				out := end
				if e.MinuteOut != nil {
					out = *e.MinuteOut
				}
				minutes[e.Player.ID] = out - *e.MinuteIn
			}
			if e.Captain {
				captains++
			}
		}
		if len(s.Starting) != 11 || captains > 1 {
			t.Errorf("%s: %d start, with %d captains", m.ID, len(s.Starting), captains)
		}
	}
	for key, f := range want {
		if minutes[playerID(key)] != f.Minutes {
			t.Errorf("%s: %s played %d minutes, not %d", m.ID, key, minutes[playerID(key)], f.Minutes)
		}
	}
}

// holdPlayers holds the numbers of the finalists' squads to the matches.
func (r *real) holdPlayers(t *testing.T) {
	for _, team := range []string{"2014/GER", "2018/FRA", "2022/ARG", "2022/FRA", "2026/ESP"} {
		year, code, _ := strings.Cut(team, "/")
		var season int
		if _, err := fmt.Sscan(year, &season); err != nil {
			t.Fatal(err)
		}
		want := map[string]figures{}
		for key, f := range count(r.of(season)) {
			want[playerID(key)] = *f
		}
		squad := all[reference](t, r, "/v1/teams/"+teamID("worldcup/"+team)+"/players")
		if len(squad) < 23 || code == "" {
			t.Errorf("%s has %d players", team, len(squad))
		}
		for _, player := range squad {
			var reply struct {
				Data struct{ Totals figures }
			}
			r.get(t, "/v1/players/"+player.ID+"/statistics", &reply)
			if reply.Data.Totals != want[player.ID] {
				t.Errorf("%s of %s: %+v, not %+v", player.Name, team, reply.Data.Totals, want[player.ID])
			}
		}
	}
}
