package projection_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"touchline/shared/loader"
	"touchline/shared/simulation"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// stored is a federation o with the associations n and s. Below n are the club k and the
// hidden club h, below which u is public.
//
//   - c is a league with the playoff d, and had a season before. Of its teams a and b, t is
//     hidden.
//   - e hides its players, and has private matches, of which one goes on.
//   - g is a league of s, which is not above the club of its team j. It is completed, and the
//     table of its playoff is given.
var stored = map[string][]string{
	"organizations": {
		`{"id":"o","type":"federation","name":"O"}`, `{"id":"n","type":"association","name":"N","parentId":"o"}`, `{"id":"s","type":"association","name":"S","parentId":"o"}`,
		`{"id":"k","type":"club","name":"K","parentId":"n"}`, `{"id":"h","type":"club","name":"H","parentId":"n","visibility":"hidden"}`, `{"id":"u","type":"club","name":"U","parentId":"h"}`,
	},
	"competitions": {
		`{"id":"c","season":2024,"name":"C","organizationId":"n"}`, `{"id":"c","season":2025,"name":"C","organizationId":"n","groups":[{"id":"2","name":"Two","order":2},{"id":"1","name":"One","order":1}]}`,
		`{"id":"d","season":2025,"name":"D","organizationId":"n","parentId":"c","stage":"playoff","format":"knockout"}`,
		`{"id":"f","season":2025,"name":"F","organizationId":"n","parentId":"c","stage":"playoff","format":"knockout","completed":true}`,
		`{"id":"z","season":2025,"name":"Z","organizationId":"n","parentId":"c","stage":"playout","visibility":"hidden"}`,
		`{"id":"e","season":2025,"name":"E","organizationId":"n","rules":{"hidePlayers":true}}`,
		`{"id":"g","season":2025,"name":"G","organizationId":"s","completed":true}`,
	},
	"teams": {
		`{"id":"y","name":"Y","shortName":"Y","organizationId":"k","competitionId":"c","season":2024}`,
		`{"id":"a","name":"A","shortName":"A","organizationId":"k","competitionId":"c","season":2025,"group":"1"}`,
		`{"id":"b","name":"B","shortName":"B","organizationId":"k","competitionId":"c","season":2025,"group":"1","startingPoints":1}`,
		`{"id":"t","name":"T","shortName":"T","organizationId":"k","competitionId":"c","season":2025,"group":"1","visibility":"hidden"}`,
		`{"id":"v","name":"V","shortName":"V","organizationId":"k","competitionId":"e","season":2025}`, `{"id":"w","name":"W","shortName":"W","organizationId":"k","competitionId":"e","season":2025}`,
		`{"id":"j","name":"J","shortName":"J","organizationId":"k","competitionId":"g","season":2025}`, `{"id":"x","name":"X","shortName":"X","organizationId":"k"}`,
	},
	"players": {
		`{"id":"p","name":"P","teamId":"a","number":9}`, `{"id":"s","name":"S","teamId":"a","number":12}`, `{"id":"q","name":"Q","teamId":"b","visibility":"hidden"}`, `{"id":"r","name":"R","teamId":"v","number":7}`,
	},
	"matches": {
		`{"id":"m1","competitionId":"c","season":2025,"group":"1","status":"finished","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":2,"away":1},
			"lineups":{"confirmed":true,"home":{"starting":[{"playerId":"p"},{"playerId":null}],"bench":[{"playerId":"s"}]},"away":{"starting":[{"playerId":"q"}],"bench":[{"playerId":null}]}},
			"events":[{"type":"goal","minute":9,"side":"home","playerId":"p"},{"type":"goal","minute":10,"side":"away","playerId":"q"},{"type":"goal","minute":11,"side":"home","playerId":"p"},{"type":"substitution","minute":60,"side":"home","playerInId":"s","playerOutId":"p"}]}`,
		`{"id":"m2","competitionId":"c","season":2025,"group":"1","status":"finished","kickoffAt":"2026-03-08T15:00:00Z","homeTeamId":"t","awayTeamId":"a","score":{"home":5,"away":0}}`,
		`{"id":"m3","competitionId":"d","season":2025,"status":"finished","kickoffAt":"2026-03-15T15:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":1,"away":0},"round":1,"events":[{"type":"goal","minute":9,"side":"home","playerId":"p"}]}`,
		`{"id":"m4","competitionId":"e","season":2025,"status":"live","kickoffAt":"2026-03-15T15:00:00Z","homeTeamId":"v","awayTeamId":"w","score":{"home":1,"away":0},"visibility":"private"}`,
		`{"id":"m5","competitionId":"e","season":2025,"status":"finished","kickoffAt":"2026-03-08T15:00:00Z","homeTeamId":"v","awayTeamId":"w","score":{"home":1,"away":0},
			"lineups":{"confirmed":true,"home":{"starting":[{"playerId":"r"}],"bench":[]},"away":{"starting":[],"bench":[]}}}`,
		`{"id":"m8","competitionId":"e","season":2025,"status":"finished","kickoffAt":"2026-03-09T15:00:00Z","homeTeamId":"w","awayTeamId":"v","score":{"home":9,"away":0},"visibility":"private"}`,
		`{"id":"m6","competitionId":"g","season":2025,"status":"finished","kickoffAt":"2026-03-08T15:00:00Z","homeTeamId":"j","awayTeamId":"b","score":{"home":1,"away":1}}`,
		`{"id":"m7","status":"finished","kickoffAt":"2026-03-09T15:00:00Z","homeTeamId":"x","awayTeamId":"j","score":{"home":4,"away":0}}`,
	},
	"standings": {`{"competitionId":"g","season":2025,"table":"playoff","rows":[{"rank":1,"teamId":"j","played":1,"won":1,"drawn":0,"lost":0,"goalsFor":1,"goalsAgainst":0,"points":3}]}`},
}

// federation reads what is stored, as the tests write it.
type federation struct {
	*testing.T
	table *store.Table
}

func load(t *testing.T) federation {
	t.Helper()
	folder := fstest.MapFS{}
	for name, lines := range stored {
		for i, line := range lines {
			lines[i] = strings.ReplaceAll(line, "\n", " ")
		}
		folder[name+".ndjson"] = &fstest.MapFile{Data: []byte(strings.Join(lines, "\n"))}
	}
	db := simulation.NewDatabase()
	f := federation{t, &store.Table{DB: db, Name: "sports"}}
	l := &loader.Loader{Table: f.table, Lease: &store.Lease{DB: db, Table: "sports", Key: records.LockKey(), Holder: "a test", Now: time.Now}}
	if _, err := l.Load(t.Context(), folder, loader.Options{}); err != nil {
		t.Fatal(err)
	}
	return f
}

// get is a pagedlist.Getter.
func (f federation) get(ctx context.Context, keys []store.Key, consistent bool) (map[store.Key]store.Item, error) {
	return f.table.BatchGet(ctx, keys, consistent)
}

// item is the record at a key; the zero one where there isn't any.
func item[R any](f federation, key store.Key) *R {
	f.Helper()
	items, err := f.get(f.Context(), []store.Key{key}, true)
	if err != nil {
		f.Fatal(err)
	}
	if items[key] == nil {
		return new(R)
	}
	r, err := store.Decode[R](items[key])
	if err != nil {
		f.Fatal(err)
	}
	return r
}

// list writes the entries of a list, hidden ones too, one after the other.
func list[T any](f federation, schema pagedlist.Schema[T], name records.List[T], entry func(T) string) string {
	f.Helper()
	entries, err := pagedlist.All(f.Context(), f.get, schema, pagedlist.Request[T]{List: string(name), WithHidden: true})
	if err != nil {
		f.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, entry(e))
	}
	return strings.Join(all, ", ")
}

func organization(key string) sport.ID { return sport.IDFor(sport.KindOrganization, key) }
func competition(key string) sport.ID  { return sport.IDFor(sport.KindCompetition, key) }
func team(key string) sport.ID         { return sport.IDFor(sport.KindTeam, key) }
func match(key string) sport.ID        { return sport.IDFor(sport.KindMatch, key) }

func (f federation) tableOf(key string) string {
	t := item[records.TableRecord](f, records.TableKey(competition(key), records.CurrentTag))
	var said []string
	for _, r := range t.Rows {
		said = append(said, fmt.Sprintf("%d %s %d in %s", r.Rank, r.Team.Name, r.Points, r.Group))
	}
	for name, p := range map[string]*records.Phase{"playoff": t.Playoff, "playout": t.Playout} {
		if p != nil {
			said = append(said, fmt.Sprintf("%s %s, completed %v", name, p.Format, p.Completed))
			for _, tie := range p.Ties {
				said = append(said, fmt.Sprintf("%s - %s %v", tie.Home.Name, tie.Away.Name, *tie.Aggregate))
			}
		}
	}
	return strings.Join(append(said, fmt.Sprintf("live %v", t.Live)), "; ")
}

// sumsOf are what a team's matches of a season add up to, for its owner and for others.
func (f federation) sumsOf(key string, year int) string {
	s, err := item[records.SeasonsRecord[records.TeamSeason]](f, records.TeamSeasonsKey(team(key))).Season(year)
	if err != nil || s == nil {
		return fmt.Sprint(err)
	}
	said := fmt.Sprintf("%d played, %d points", s.All.Overall.Played, s.All.Overall.Points)
	for _, guest := range s.Guests {
		said += fmt.Sprintf("; for %d guests %d played, %d points", len(guest.Owners)+len(guest.Reach), guest.Season.Overall.Played, guest.Season.Overall.Points)
	}
	return said
}

func (f federation) squad(key string) string {
	l := item[records.LineupsRecord](f, records.LineupsKey(match(key)))
	var said []string
	for _, x := range append(append(append(l.Home.Starting, l.Home.Bench...), l.Away.Starting...), l.Away.Bench...) {
		in := "never"
		if x.In != nil {
			in = fmt.Sprint(*x.In)
		}
		said = append(said, fmt.Sprintf("%q %d from %s", x.Name, x.Number, in))
	}
	return strings.Join(said, ", ")
}

func (f federation) groupsOf(key string) string {
	var said []string
	for _, g := range item[records.GroupsRecord](f, records.GroupsKey(competition(key), records.CurrentTag)).Groups {
		said = append(said, fmt.Sprintf("%s (completed %v)", g.Name, g.Completed))
		for _, t := range g.Teams {
			said = append(said, t.Name)
		}
	}
	return strings.Join(said, ", ")
}

// Each row is something that is stored, and what it says.
func TestWhatIsStoredOfAFederation(t *testing.T) {
	f := load(t)
	node := func(n records.TreeNode) string { return fmt.Sprintf("%d %s", n.Level, n.Name) }
	named := func(e records.TeamEntry) string { return e.Name }
	played := func(e records.MatchEntry) string {
		return fmt.Sprintf("%s - %s (hidden %v, competition %v)", e.Home.Name, e.Away.Name, e.Hidden, e.Competition != nil)
	}
	scorer := func(e records.ScorerEntry) string { return fmt.Sprintf("%d %s %d", e.Rank, e.Player.Name, e.Value) }
	person := func(e records.PlayerEntry) string { return e.Name }
	for _, tt := range []struct{ name, got, want string }{
		{"the tree of the federation", list(f, records.TreeSchema(), records.TreeList(organization("o")), node), "1 N, 1 S, 2 K"},
		{"the tree of an association with a hidden club", list(f, records.TreeSchema(), records.TreeList(organization("n")), node), "1 K"},
		{"the teams of a club", list(f, records.TeamSchema(nil), records.Teams.Of(organization("k"), records.ByName), named), "A, B, J, V, W, X"},
		{"the teams of a season, a hidden one among them", list(f, records.TeamSchema(nil), records.TournamentTeams(competition("c"), records.CurrentTag), named), "A, B, T"},
		{"the players of a league", list(f, records.PlayerSchema(nil), records.TournamentPlayers(competition("c"), records.CurrentTag), person), "P, S"},
		{"the players of a playoff, in a match without line-ups", list(f, records.PlayerSchema(nil), records.TournamentPlayers(competition("d"), records.CurrentTag), person), "P"},
		{"the players of a league that hides them", list(f, records.PlayerSchema(nil), records.TournamentPlayers(competition("e"), records.CurrentTag), person), ""},
		{"the matches of a season", list(f, records.MatchSchema(), records.TournamentMatches(competition("c"), records.CurrentTag), played), "A - B (hidden false, competition false), T - A (hidden true, competition false)"},
		{"the matches of a team", list(f, records.MatchSchema(), records.TeamMatches(team("a")), played), "A - B (hidden false, competition true), T - A (hidden true, competition true), A - B (hidden false, competition true)"},
		{"the scorers of a league", list(f, records.ScorerSchema(nil), records.TopScorers(competition("c"), records.CurrentTag, records.RankGoals), scorer), "1 P 2"},
		{"the scorers of a league that hides its players", list(f, records.ScorerSchema(nil), records.TopScorers(competition("e"), records.CurrentTag, records.RankAppearances), scorer), ""},
		{"the table of a league with a playoff", f.tableOf("c"), "2 A 3 in One; 3 B 1 in One; playoff knockout, completed false; A - B {1 0}; live false"},
		{"the table of a league with private matches", f.tableOf("e"), "1 V 3 in ; 2 W 0 in ; live false"},
		{"the sums of a team", f.sumsOf("a", 2025), "2 played, 6 points"},
		{"the sums of a team with guests, of its season", f.sumsOf("j", 2025), "1 played, 1 points"},
		{"the sums of a team with guests", f.sumsOf("j", 0), "2 played, 1 points; for 2 guests 1 played, 1 points"},
		{"the sums of a team without a season", f.sumsOf("x", 0), "1 played, 3 points"},
		{"a line-up with a hidden player, and some who are not named", f.squad("m1"), `"P" 9 from 0, "" 0 from 0, "S" 12 from 60, "" 0 from never`},
		{"a line-up where players are hidden", f.squad("m5"), `"" 7 from 0`},
		{"a table with a playoff that is given", f.tableOf("g"), "1 J 0 in ; playoff league, completed true; live false"},
		{"the groups of a league", f.groupsOf("c"), "One (completed true), A, B, Two (completed false)"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, tt.got, tt.want)
		}
	}
}
