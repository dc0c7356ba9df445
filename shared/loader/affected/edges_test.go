package affected_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"touchline/shared/loader"
	"touchline/shared/loader/affected"
	"touchline/shared/loader/world"
	"touchline/shared/simulation"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// stored is a federation o with the clubs k and l, and s below k. The teams a of k and b of
// l play in the league c, whose playoff d starts with its points, and whose playout h does
// not; in d two teams play that are not entered. The league e has a given table that names a;
// its teams v and w have played with a line-up, and play with one that names r of x.
var stored = map[string][]string{
	"organizations": {`{"id":"o","type":"federation","name":"O"}`, `{"id":"k","type":"club","name":"K","parentId":"o"}`, `{"id":"l","type":"club","name":"L","parentId":"o"}`, `{"id":"s","type":"club","name":"S","parentId":"k"}`},
	"competitions": {
		`{"id":"c","season":2025,"name":"C","organizationId":"o","groups":[{"id":"g","name":"G","order":1}]}`,
		`{"id":"d","season":2025,"name":"D","organizationId":"o","parentId":"c","stage":"playoff","rules":{"carry":{}}}`,
		`{"id":"h","season":2025,"name":"H","organizationId":"o","parentId":"c","stage":"playout"}`,
		`{"id":"e","season":2025,"name":"E","organizationId":"o"}`,
	},
	"teams": {
		`{"id":"s","name":"S","shortName":"S"}`, `{"id":"t","name":"T","shortName":"T"}`,
		`{"id":"a","name":"A","shortName":"A","organizationId":"k","competitionId":"c","season":2025}`,
		`{"id":"b","name":"B","shortName":"B","organizationId":"l","competitionId":"c","season":2025}`,
		`{"id":"x","name":"X","shortName":"X"}`,
		`{"id":"v","name":"V","shortName":"V","competitionId":"e","season":2025}`, `{"id":"w","name":"W","shortName":"W","competitionId":"e","season":2025}`,
	},
	"players": {`{"id":"p","name":"P","teamId":"a"}`, `{"id":"q","name":"Q","teamId":"b"}`, `{"id":"r","name":"R","teamId":"x"}`, `{"id":"y","name":"Y","teamId":"v"}`},
	"matches": {
		`{"id":"m","competitionId":"c","season":2025,"status":"finished","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":0,"away":1},"events":[{"type":"goal","minute":9,"side":"away","playerId":"q"}]}`,
		`{"id":"n","competitionId":"c","season":2025,"status":"live","kickoffAt":"2026-03-08T15:00:00Z","homeTeamId":"b","awayTeamId":"a","score":{"home":0,"away":0}}`,
		`{"id":"z","competitionId":"e","season":2025,"status":"finished","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"v","awayTeamId":"w","score":{"home":0,"away":1},"lineups":{"confirmed":true,"home":{"starting":[{"playerId":"y"}],"bench":[]},"away":{"starting":[],"bench":[]}}}`,
		`{"id":"u","competitionId":"e","season":2025,"status":"live","kickoffAt":"2026-03-08T15:00:00Z","homeTeamId":"w","awayTeamId":"v","lineups":{"confirmed":true,"home":{"starting":[{"playerId":"r"}],"bench":[]},"away":{"starting":[],"bench":[]}}}`,
		`{"id":"f","status":"upcoming","kickoffAt":"2026-05-01T15:00:00Z","homeTeamId":"x","awayTeamId":"a"}`,
		`{"id":"j","competitionId":"d","season":2025,"status":"upcoming","kickoffAt":"2026-06-01T15:00:00Z","homeTeamId":"s","awayTeamId":"t"}`,
	},
	"standings": {`{"competitionId":"e","season":2025,"table":"regular","rows":[{"rank":1,"teamId":"a","played":1,"won":1,"drawn":0,"lost":0,"goalsFor":1,"goalsAgainst":0,"points":3}]}`},
}

func load(t *testing.T) *store.Table {
	t.Helper()
	folder := fstest.MapFS{}
	for name, lines := range stored {
		folder[name+".ndjson"] = &fstest.MapFile{Data: []byte(strings.Join(lines, "\n"))}
	}
	db := simulation.NewDatabase()
	table := &store.Table{DB: db, Name: "sports"}
	l := &loader.Loader{Table: table, Lease: &store.Lease{DB: db, Table: "sports", Key: records.LockKey(), Holder: "a test", Now: time.Now}}
	if _, err := l.Load(t.Context(), folder, loader.Options{}); err != nil {
		t.Fatal(err)
	}
	return table
}

// keys are those of the records, by their ids.
var keys = func() map[sport.ID]string {
	all := map[sport.ID]string{}
	for _, kind := range []sport.Kind{sport.KindOrganization, sport.KindCompetition, sport.KindTeam, sport.KindPlayer, sport.KindMatch} {
		for key := 'a'; key <= 'z'; key++ {
			all[sport.IDFor(kind, string(key))] = string(key)
		}
	}
	return all
}()

// shown is what is affected: each set that is not empty, with the keys of its records.
func shown(r *affected.Records) string {
	var sets []string
	v := reflect.ValueOf(*r)
	for i := range v.NumField() {
		var in []string
		for _, id := range v.Field(i).MapKeys() {
			switch id := id.Interface().(type) {
			case sport.ID:
				in = append(in, keys[id])
			case world.SeasonID:
				in = append(in, keys[id.ID])
			case world.TableID:
				in = append(in, keys[id.ID])
			}
		}
		if slices.Sort(in); len(in) > 0 {
			sets = append(sets, fmt.Sprintf("%s %s", v.Type().Field(i).Name, strings.Join(in, "")))
		}
	}
	return strings.Join(sets, ", ")
}

// Each row changes a record, and names all that shows something of it.
func TestWhatShowsAChange(t *testing.T) {
	table := load(t)
	organization := func(key string, change func(*world.Organization)) func(*world.Fetcher) {
		id := sport.IDFor(sport.KindOrganization, key)
		return func(f *world.Fetcher) {
			f.Organizations(t.Context(), []sport.ID{id})
			f.World.Organizations.Renew(id, change)
		}
	}
	season := func(key string, change func(*world.Competition)) func(*world.Fetcher) {
		id := world.SeasonID{ID: sport.IDFor(sport.KindCompetition, key), Season: 2025}
		return func(f *world.Fetcher) {
			f.Competitions(t.Context(), []sport.ID{id.ID})
			f.World.Competitions.Renew(id, change)
		}
	}
	team := func(key string, change func(*world.Team)) func(*world.Fetcher) {
		id := sport.IDFor(sport.KindTeam, key)
		return func(f *world.Fetcher) { f.Teams(t.Context(), []sport.ID{id}); f.World.Teams.Renew(id, change) }
	}
	player := func(key string, change func(*world.Player)) func(*world.Fetcher) {
		id := sport.IDFor(sport.KindPlayer, key)
		return func(f *world.Fetcher) { f.Players(t.Context(), []sport.ID{id}); f.World.Players.Renew(id, change) }
	}
	match := func(key string, change func(*world.Match)) func(*world.Fetcher) {
		id := sport.IDFor(sport.KindMatch, key)
		return func(f *world.Fetcher) { f.Matches(t.Context(), []sport.ID{id}); f.World.Matches.Renew(id, change) }
	}
	for _, tt := range []struct {
		name   string
		change func(*world.Fetcher)
		want   string
	}{
		{"nothing", func(*world.Fetcher) {}, ""},
		{"the description of a club", organization("k", func(o *world.Organization) { o.Description = "New" }), "Organizations k"},
		{"the name of a club", organization("k", func(o *world.Organization) { o.Name = "New" }), "Organizations ks, Competitions cdeh, Seasons cdeh, Teams ab, Players pq, Matches fmn"},
		{"the name of a federation", organization("o", func(o *world.Organization) { o.Name = "New" }), "Organizations klos"},
		{"a club that is hidden", organization("l", func(o *world.Organization) { o.Visibility = sport.Hidden }), "Organizations l, Competitions cdh, Seasons cdh, Teams ab, Players q, Matches mn"},
		{"the type of a federation", organization("o", func(o *world.Organization) { o.Type = sport.Association }), "Organizations klos, Competitions cdeh, Seasons cdeh, Teams abvw, Players pqry, Matches fjmnuz"},
		{"a club above another that is hidden", organization("k", func(o *world.Organization) { o.Visibility = sport.Hidden }), "Organizations ks, Competitions cdeh, Seasons cdeh, Teams ab, Players pq, Matches fmn"},
		{"whether a league is completed", season("c", func(c *world.Competition) { c.Completed = true }), "Competitions cdeh, Seasons cdeh, Teams ab, Players pq, Matches fmn"},
		{"the rules of a playoff", season("d", func(c *world.Competition) { c.Rules.Win = 2 }), "Competitions cdh, Seasons cdh, Matches j"},
		{"the starting points of a team", team("a", func(t *world.Team) { t.StartingPoints = -3 }), "Competitions cdeh, Seasons cdeh, Teams ab, Players pq, Matches fmn"},
		{"a team that is hidden", team("b", func(t *world.Team) { t.Visibility = sport.Hidden }), "Competitions cdh, Seasons cdh, Teams ab, Players q, Matches mn"},
		{"the name of a team that plays friendlies", team("x", func(t *world.Team) { t.Name = "New" }), "Teams x, Players r, Matches f"},
		{"the status of a player", player("q", func(x *world.Player) { x.Status = sport.Inactive }), "Players q"},
		{"the name of a player who has scored", player("q", func(x *world.Player) { x.Name = "New" }), "Competitions cdh, Seasons cdh, Teams ab, Players q, Matches m"},
		{"the position of a player whom nothing names", player("p", func(x *world.Player) { x.Position = sport.Goalkeeper }), "Players p"},
		{"the score of a finished match", match("m", func(m *world.Match) { m.Score = &sport.Score{Home: 2, Away: 2} }), "Competitions cdh, Seasons cdh, Teams ab, Players q, Matches m"},
		{"the score of a match that goes on", match("n", func(m *world.Match) { m.Score = &sport.Score{Home: 1} }), "Matches n"},
		{"the score of a match with line-ups", match("z", func(m *world.Match) { m.Score = &sport.Score{Home: 2, Away: 2} }), "Competitions e, Seasons e, Teams vw, Players y, Matches z"},
		{"a league that hides its players, with line-ups", season("e", func(c *world.Competition) { c.Rules.HidePlayers = true }), "Competitions e, Seasons e, Teams vw, Players ry, Matches uz"},
		{"the end of a match", match("n", func(m *world.Match) { m.Status = sport.Finished }), "Competitions cdh, Seasons cdh, Teams ab, Matches n"},
		{"the kick-off of a match that goes on", match("n", func(m *world.Match) { m.Kickoff = m.Kickoff.Add(time.Hour) }), "Competitions cdh, Seasons cdh, Matches n"},
		{"the first line-up of a season", match("n", func(m *world.Match) {
			full := m.Match
			full.Lineups = &sport.Lineups{Confirmed: true, Home: sport.Squad{Starting: []sport.LineupEntry{{PlayerID: sport.IDFor(sport.KindPlayer, "q")}}}}
			*m = *world.NewMatch(full, nil)
		}), "Competitions cdh, Seasons cdh, Players q, Matches n"},
		{"another goal of a match that goes on", match("n", func(m *world.Match) {
			full := m.Match
			full.Events = []sport.Event{{Type: sport.EventGoal, Minute: 5, Side: sport.SideHome, PlayerID: sport.IDFor(sport.KindPlayer, "q")}}
			*m = *world.NewMatch(full, nil)
		}), "Competitions cdh, Seasons cdh, Players q, Matches n"},
		{"the kick-off of a friendly", match("f", func(m *world.Match) { m.Kickoff = m.Kickoff.Add(time.Hour) }), "Matches f"},
		{"a match that is hidden", match("m", func(m *world.Match) { m.Visibility = sport.Hidden }), "Competitions cdh, Seasons cdh, Teams ab, Players q, Matches m"},
		{"a player who is no longer there", func(f *world.Fetcher) {
			id := sport.IDFor(sport.KindPlayer, "q")
			f.Players(t.Context(), []sport.ID{id})
			f.World.Players.Change(id, nil)
		}, "Competitions cdh, Seasons cdh, Teams ab, Players q, Matches m"},
		{"a table that is no longer given", func(f *world.Fetcher) {
			id := world.TableID{SeasonID: world.SeasonID{ID: sport.IDFor(sport.KindCompetition, "e"), Season: 2025}, Table: sport.TableRegular}
			f.Competitions(t.Context(), []sport.ID{id.ID})
			f.World.Tables.Change(id, nil)
		}, "Competitions e, Seasons e, GivenTables e"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := world.NewWorld()
			f := &world.Fetcher{Table: table, World: w}
			tt.change(f)
			found, err := affected.Find(t.Context(), w, f)
			if err != nil {
				t.Fatal(err)
			}
			if got := shown(found); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
