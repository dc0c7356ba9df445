package loader_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"touchline/shared/loader"
	"touchline/shared/loader/diff"
	"touchline/shared/sport"
	"touchline/shared/store/space"
)

// small is a federation o with the club k, whose team a plays against b of the
// federation: in the league c, and in a friendly f. There is one player of each team.
func small() map[string][]string {
	return map[string][]string{
		"organizations": {`{"id":"o","type":"federation","name":"O"}`, `{"id":"k","type":"club","name":"K","parentId":"o"}`},
		"competitions":  {`{"id":"c","season":2025,"name":"C","organizationId":"o"}`},
		"teams": {
			`{"id":"a","name":"A","shortName":"A","organizationId":"k","competitionId":"c","season":2025}`,
			`{"id":"b","name":"B","shortName":"B","organizationId":"o","competitionId":"c","season":2025}`,
		},
		"players": {`{"id":"pa","name":"Pa","teamId":"a"}`, `{"id":"pb","name":"Pb","teamId":"b"}`},
		"matches": {
			playing("live", `"pa"`, ""),
			`{"id":"f","status":"upcoming","kickoffAt":"2026-05-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b"}`,
		},
	}
}

// playing is the match m of the league, with goals of these players.
func playing(status, scorers, more string) string {
	var goals []string
	for i, scorer := range strings.Fields(scorers) {
		goals = append(goals, fmt.Sprintf(`{"id":"e%d","type":"goal","minute":%d,"side":"home","playerId":%s}`, i, 10+i, scorer))
	}
	return fmt.Sprintf(`{"id":"m","competitionId":"c","season":2025,"status":%q,"kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":%d,"away":0},"events":[%s]%s}`,
		status, len(goals), strings.Join(goals, ","), more)
}

// lineups are those of the match m, with the player pa.
const lineups = `,"lineups":{"confirmed":true,"home":{"starting":[{"playerId":"pa"}],"bench":[]},"away":{"starting":[],"bench":[]}}`

// givenTable is a table of the team a that the dataset gives for a competition.
func givenTable(competition string) string {
	return fmt.Sprintf(`{"competitionId":%q,"season":2025,"table":"regular","rows":[{"rank":1,"teamId":"a","played":1,"won":1,"drawn":0,"lost":0,"goalsFor":1,"goalsAgainst":0,"points":3}]}`, competition)
}

// names are what the ids of small stand for.
var names = map[string]sport.Kind{
	"o": sport.KindOrganization, "k": sport.KindOrganization, "c": sport.KindCompetition, "d": sport.KindCompetition, "l": sport.KindOrganization,
	"n": sport.KindOrganization, "e": sport.KindCompetition, "p": sport.KindCompetition, "x": sport.KindTeam, "px": sport.KindPlayer,
	"w": sport.KindMatch, "v": sport.KindMatch,
	"a": sport.KindTeam, "b": sport.KindTeam, "pa": sport.KindPlayer, "pb": sport.KindPlayer, "m": sport.KindMatch, "f": sport.KindMatch,
}

// without is small without the records of some kinds.
func without(kinds ...string) map[string][]string {
	files := small()
	for _, kind := range kinds {
		delete(files, kind)
	}
	return files
}

// named gives the ids in a text by their names.
func named(text string) string {
	for name, kind := range names {
		text = strings.ReplaceAll(text, string(sport.IDFor(kind, name)), name)
	}
	return text
}

// found is what changes of a federation affect; before nil: of an empty table.
func found(t *testing.T, before, changes map[string][]string) *loader.Found {
	t.Helper()
	s := inMemoryBy("a test")
	if before != nil {
		load(t, s, folder(before), loader.Options{})
	}
	f, err := s.loader().Find(t.Context(), folder(changes))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// same compares what a test got with what it wants, a list in one text.
func same(t *testing.T, got []string, want string) {
	t.Helper()
	wanted := strings.Split(want, ", ")
	without := func(all, others []string) string {
		return strings.Join(slices.DeleteFunc(slices.Clone(all), func(x string) bool { return slices.Contains(others, x) }), ", ")
	}
	if all := strings.Join(got, ", "); all != want {
		t.Errorf("missing: %s\nnot wanted: %s\nall: %s", without(wanted, got), without(got, wanted), all)
	}
}

// TestWhatARecordIsProjectedTo: the items and the lists (records/lists.go) that a
// record changes. A minus says that the item is removed, or that something leaves the
// list.
func TestWhatARecordIsProjectedTo(t *testing.T) {
	for _, tt := range []struct {
		name    string
		before  map[string][]string // nil: nothing
		changes map[string][]string
		items   string
		lists   string
	}{
		{"an organization", nil, map[string][]string{"organizations": {`{"id":"o","type":"federation","name":"O"}`}},
			"O#o -",
			"x.organization"},
		{"a club below another organization", map[string][]string{"organizations": {`{"id":"o","type":"federation","name":"O"}`}},
			map[string][]string{"organizations": {`{"id":"k","type":"club","name":"K","parentId":"o"}`}},
			"O#k -, O#o -",
			"ob.club.o.id, ob.club.o.name, od.club.o.id, od.club.o.name, on.o, tree.o, x.organization, xo.o"},
		{"a competition", map[string][]string{"organizations": {`{"id":"o","type":"federation","name":"O"}`}},
			map[string][]string{"competitions": {`{"id":"c","season":2025,"name":"C","organizationId":"o"}`}},
			"C#c S, C#c S#000002025#C, C#c cur, C#c cur#T, C#c cur#V",
			"co.o.id, co.o.name, x.competition, xk.o"},
		{"a team", without("teams", "players", "matches"), map[string][]string{"teams": small()["teams"][:1]},
			"C#c cur#T, C#c cur#V, T#a -", "ce.k.o.id, ce.k.o.name, ct.k, kd.c.cur.team, kt.c.cur, tb.o.id, tb.o.name, te.c.k.id, te.c.k.name, te.c.o.id, te.c.o.name, to.k.id, to.k.name, x.team, xt.k"},
		{"a given table", without("matches"), map[string][]string{"standings": {givenTable("c")}},
			"C#c X#000002025#regular, C#c cur#T", "x.table, xr.a"},
		{"a finished match", without("matches"), map[string][]string{"matches": {playing("finished", `"pa"`, lineups)}},
			"C#c cur#T, C#c cur#V, M#m -, M#m D, M#m E, M#m L, P#pa -, P#pa S, T#a S, T#b S", "kd.c.cur.team, km.c.cur, ks.c.cur.appearances, ks.c.cur.goals, pm.pa, tm.a, tm.b, x.match, xb.c.S#000002025, xl.c.S#000002025"},
		{"a finished friendly", without("matches"), map[string][]string{"matches": {`{"id":"f","status":"finished","kickoffAt":"2026-05-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":1,"away":0}}`}},
			"M#f -, T#a S, T#b S", "tm.a, tm.b, x.match"},
		{"a playoff", without("teams", "players", "matches"), map[string][]string{"competitions": {`{"id":"d","season":2025,"name":"D","organizationId":"o","parentId":"c","stage":"playoff"}`}},
			"C#c cur, C#c cur#T, C#d S, C#d S#000002025#C, C#d cur, C#d cur#T, C#d cur#V", "cb.o.id, cb.o.name, co.o.id, co.o.name, x.competition, xc.c, xk.o"},
		{"a player", without("players", "matches"), map[string][]string{"players": small()["players"][:1]},
			"P#pa -",
			"kp.c.cur, pb.o.id, pb.o.name, pe.c.k.id, pe.c.k.name, pe.c.o.id, pe.c.o.name, po.k.id, po.k.name, pt.a.id, pt.a.name, sq.a, x.player"},
		{"a friendly", without("matches"), map[string][]string{"matches": small()["matches"][1:]},
			"M#f -",
			"tm.a, tm.b, x.match"},
		{"a federation below another organization", map[string][]string{"organizations": {`{"id":"o","type":"association","name":"O"}`}},
			map[string][]string{"organizations": {`{"id":"k","type":"federation","name":"K","parentId":"o"}`}},
			"O#k -, O#o -",
			"on.o, tree.o, x.organization, xo.o"},
		{"a hidden match with line-ups", without("matches"), map[string][]string{"matches": {playing("live", "",
			`,"visibility":"private"`+lineups)}},
			"M#m -, M#m D, M#m L",
			"km.c.cur, pm.pa, tm.a, tm.b, x.match"},
		{"a goal", small(), map[string][]string{"matches": {playing("live", `"pa" "pa"`, "")}},
			"M#m -, M#m D, M#m E",
			"km.c.cur, pm.pa, tm.a, tm.b"},
		{"a player who goes to another team", small(), map[string][]string{"players": {`{"id":"pa","name":"Pa","teamId":"b"}`}},
			"P#pa -",
			"-pe.c.k.id, -pe.c.k.name, -po.k.id, -po.k.name, -pt.a.id, -pt.a.name, -sq.a, kp.c.cur, pb.o.id, pb.o.name, pe.c.o.id, pe.c.o.name, po.o.id, po.o.name, pt.b.id, pt.b.name, sq.b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var items, lists []string
			for _, w := range found(t, tt.before, tt.changes).Writes {
				place, to := named(strings.TrimPrefix(w.Name, space.Prefix)), &lists
				if !diff.Phase(w.Phase).OfLists() {
					place, to = place+" "+string(w.Key), &items
				}
				if len(w.Value) == 0 {
					place = "-" + place
				}
				*to = append(*to, place)
			}
			for _, of := range []struct {
				got  []string
				want string
			}{{items, tt.items}, {lists, tt.lists}} {
				slices.Sort(of.got)
				same(t, slices.Compact(of.got), of.want)
			}
		})
	}
}
