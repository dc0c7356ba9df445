package change_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/loader/change"
	"touchline/shared/loader/history"
	"touchline/shared/loader/journal"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/records/recordstest"
)

// stored is a club with a league and a cup, a team in each, a player and a match.
var stored = map[string]string{
	"organizations": `{"id":"o","type":"federation","name":"O"}` + "\n" + `{"id":"k","type":"club","name":"K","parentId":"o"}`,
	"competitions": `{"id":"c","season":2025,"name":"C","organizationId":"o","groups":[{"id":"g","name":"G","order":1}]}` + "\n" +
		`{"id":"c","season":2024,"name":"C","organizationId":"o"}` + "\n" + `{"id":"d","season":2025,"name":"D","organizationId":"o"}`,
	"teams":     `{"id":"a","name":"A","shortName":"A","organizationId":"k","competitionId":"c"}` + "\n" + `{"id":"b","name":"B","shortName":"B","competitionId":"d"}`,
	"players":   `{"id":"p","name":"P","teamId":"a","number":7}`,
	"matches":   `{"id":"m","competitionId":"c","status":"upcoming","kickoffAt":"2026-05-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b"}`,
	"standings": `{"competitionId":"d","season":2025,"table":"regular","rows":[{"rank":1,"teamId":"b","played":0,"won":0,"drawn":0,"lost":0,"goalsFor":0,"goalsAgainst":0,"points":0}]}`,
}

func id(kind sport.Kind, key string) sport.ID { return dataset.ID(kind, key) }

// brought is what a line changes of what is stored.
func brought(t *testing.T, file, line string, exact bool) *change.Changes {
	t.Helper()
	table := recordstest.New(t)
	folder := fstest.MapFS{}
	for name, lines := range stored {
		folder[name+".ndjson"] = &fstest.MapFile{Data: []byte(lines)}
	}
	table.Load(t, folder)
	c := &change.Changes{World: world.NewWorld(), Journal: journal.NewArchive(), Report: &history.Report{}, Exact: exact, Now: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}
	f := &world.Fetcher{Table: table.Table, World: c.World}
	f.Records(t.Context(), map[sport.Kind][]sport.ID{
		sport.KindOrganization: {id(sport.KindOrganization, "k")}, sport.KindCompetition: {id(sport.KindCompetition, "c"), id(sport.KindCompetition, "d")},
		sport.KindTeam: {id(sport.KindTeam, "a"), id(sport.KindTeam, "b")}, sport.KindPlayer: {id(sport.KindPlayer, "p")}, sport.KindMatch: {id(sport.KindMatch, "m")},
	})
	teams, season := []sport.ID{id(sport.KindTeam, "a"), id(sport.KindTeam, "b")}, []world.SeasonID{{ID: id(sport.KindCompetition, "c"), Season: 2025}}
	f.ChildrenOf(t.Context(), []sport.ID{id(sport.KindOrganization, "o")})
	f.TeamsOwnedBy(t.Context(), []sport.ID{id(sport.KindOrganization, "k")})
	f.EnteredIn(t.Context(), season)
	f.PlayedIn(t.Context(), season)
	f.PlayersOf(t.Context(), teams)
	f.FixturesOf(t.Context(), teams)
	f.TablesNaming(t.Context(), teams)
	set, err := dataset.Read(t.Context(), fstest.MapFS{file + ".ndjson": {Data: []byte(line)}}, dataset.Options{})
	if err != nil || f.Err() != nil {
		t.Fatal(err, f.Err())
	}
	for _, r := range set.Organizations {
		c.Organization(r)
	}
	for _, r := range set.Competitions {
		c.Competition(r)
	}
	for _, r := range set.Teams {
		c.Team(r)
	}
	for _, r := range set.Players.All() {
		c.Player(r)
	}
	for _, r := range set.Matches.All() {
		c.Match(r)
	}
	for _, r := range set.Standings {
		c.Table(r)
	}
	return c
}

// Each line changes what it says, and no more is noted.
func TestWhatALineChanges(t *testing.T) {
	team, season := func(key string) sport.ID { return id(sport.KindTeam, key) }, world.SeasonID{ID: id(sport.KindCompetition, "c"), Season: 2025}
	none := func(*world.World) bool { return true }
	m := `"status":"upcoming","kickoffAt":"2026-05-01T15:00:00Z",`
	for _, tt := range []struct {
		name, file, line string
		exact            bool
		want             string // created, changed, deleted and unchanged
		after            func(w *world.World) bool
	}{
		{"a club as it is", "organizations", `{"id":"k","type":"club","name":"K","parentId":"o"}`, false, "0 0 0 1", none},
		{"a club by its id", "organizations", `{"id":"` + string(id(sport.KindOrganization, "k")) + `","type":"club","name":"K","parentId":"o"}`, false, "0 0 0 1", none},
		{"a club by its id, exactly", "organizations", `{"id":"` + string(id(sport.KindOrganization, "k")) + `","type":"club","name":"K","parentId":"o"}`, true, "0 1 0 0", none},
		{"a club below another", "organizations", `{"id":"k","type":"club","name":"K","parentId":"n"}`, false, "0 1 0 0", func(w *world.World) bool {
			return !w.Children.Any(world.After, id(sport.KindOrganization, "o"), func(sport.ID) bool { return true }) &&
				w.Children.Any(world.After, id(sport.KindOrganization, "n"), func(x sport.ID) bool { return x == id(sport.KindOrganization, "k") })
		}},
		{"a new club", "organizations", `{"id":"x","type":"club","name":"X"}`, false, "1 0 0 0", none},
		{"nothing that goes", "organizations", `{"id":"x","deleted":true}`, false, "0 0 0 1", none},
		{"a group by its id", "competitions", `{"id":"c","season":2025,"name":"C","organizationId":"o","groups":[{"id":"` + string(id(sport.KindGroup, "g")) + `","name":"G","order":1}]}`, false, "0 0 0 1", none},
		{"another group by its id", "competitions", `{"id":"c","season":2025,"name":"C","organizationId":"o","groups":[{"id":"` + string(id(sport.KindGroup, "h")) + `","name":"G","order":1}]}`, false, "0 1 0 0", func(w *world.World) bool {
			return w.Competitions.At(world.After, season).Groups[0].Key == ""
		}},
		{"all seasons go", "competitions", `{"id":"c","deleted":true}`, false, "0 0 2 0", func(w *world.World) bool {
			return len(slices.Collect(w.Seasons.In(world.After, season.ID))) == 0
		}},
		{"a season that comes", "competitions", `{"id":"c","season":2026,"name":"C","organizationId":"k"}`, false, "1 0 0 0", func(w *world.World) bool {
			return len(slices.Collect(w.Seasons.In(world.After, season.ID))) == 3 && w.Owned.Any(world.After, id(sport.KindOrganization, "k"), func(sport.ID) bool { return true })
		}},
		{"a team that leaves club and season", "teams", `{"id":"a","name":"A","shortName":"A"}`, false, "0 1 0 0", func(w *world.World) bool {
			return !w.Entered.Any(world.After, season, func(x sport.ID) bool { return x == team("a") }) &&
				!w.OwnedTeams.Any(world.After, id(sport.KindOrganization, "k"), func(x sport.ID) bool { return x == team("a") })
		}},
		{"a team that comes", "teams", `{"id":"x","name":"X","shortName":"X","organizationId":"k","competitionId":"c","season":2025}`, false, "1 0 0 0", func(w *world.World) bool {
			return w.Entered.Any(world.After, season, func(x sport.ID) bool { return x == team("x") }) &&
				w.OwnedTeams.Any(world.After, id(sport.KindOrganization, "k"), func(x sport.ID) bool { return x == team("x") })
		}},
		{"a player with another number", "players", `{"id":"p","name":"P","teamId":"a","number":8}`, false, "0 1 0 0", func(w *world.World) bool {
			former := w.Players.At(world.After, id(sport.KindPlayer, "p")).FormerNumbers
			return len(former) == 1 && former[0].Number == 7
		}},
		{"a player with another number, exactly", "players", `{"id":"p","name":"P","teamId":"a","number":8}`, true, "0 1 0 0", func(w *world.World) bool {
			return len(w.Players.At(world.After, id(sport.KindPlayer, "p")).FormerNumbers) == 0
		}},
		{"a player of another team", "players", `{"id":"p","name":"P","teamId":"b","number":7}`, false, "0 1 0 0", func(w *world.World) bool {
			return len(w.Players.At(world.After, id(sport.KindPlayer, "p")).FormerNumbers) == 0 && !w.Squads.Any(world.After, team("a"), func(sport.ID) bool { return true }) && w.Squads.Any(world.After, team("b"), func(sport.ID) bool { return true })
		}},
		{"a match as it is", "matches", `{"id":"m","competitionId":"c","season":2025,` + m + `"homeTeamId":"a","awayTeamId":"b"}`, false, "0 0 0 1", none},
		{"a match of others", "matches", `{"id":"m",` + m + `"homeTeamId":"x","awayTeamId":"b"}`, false, "0 1 0 0", func(w *world.World) bool {
			has := func(key string) bool {
				return w.Fixtures.Any(world.After, team(key), func(sport.ID) bool { return true })
			}
			return !has("a") && has("x") && has("b") && !w.Played.Any(world.After, season, func(sport.ID) bool { return true })
		}},
		{"a table without a team", "standings", `{"competitionId":"d","season":2025,"table":"regular","rows":[]}`, false, "0 1 0 0", func(w *world.World) bool {
			return !w.Named.Any(world.After, team("b"), func(world.TableID) bool { return true })
		}},
		{"a table that goes", "standings", `{"competitionId":"d","season":2025,"table":"regular","deleted":true}`, false, "0 0 1 0", none},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := brought(t, tt.file, tt.line, tt.exact)
			n := c.Report.Sum()
			if got := fmt.Sprint(n.Created, n.Changed, n.Deleted, n.Unchanged); got != tt.want || len(c.Noted) != n.Created+n.Changed+n.Deleted {
				t.Errorf("%s, %d noted, want %s", got, len(c.Noted), tt.want)
			}
			if !tt.after(c.World) {
				t.Errorf("the view after is not what it says")
			}
			archive, err := c.Journal.Files()
			if err != nil {
				t.Fatal(err)
			}
			var lines int
			for _, f := range archive.File {
				lines += int(f.UncompressedSize64) //nolint:gosec // a few
			}
			if kept := lines > len("\n"); kept != (len(c.Noted) > 0) {
				t.Errorf("the journal has %d bytes for %d records", lines, len(c.Noted))
			}
		})
	}
}
