package loader_test

import (
	"testing"
	"testing/fstest"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/loader"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Asked for no season, the numbers of a team and of a player are those of the
// matches that their lists show: of the entry's season and of friendlies without
// one, and of every match where the entry has no season either (D16, D39).
func TestNumbersWithoutASeasonAreThoseOfTheListedMatches(t *testing.T) {
	s := newSports(t)
	file := func(lines string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(lines)} }
	load(t, s, fstest.MapFS{
		"organizations.ndjson": file(`{"id":"f","type":"federation","name":"F"}`),
		"competitions.ndjson":  file(`{"id":"l","season":2025,"name":"L","organizationId":"f"}`),
		"teams.ndjson": file(`{"id":"free","name":"Free","shortName":"Free","organizationId":"f"}
{"id":"entered","name":"Entered","shortName":"Entered","organizationId":"f","competitionId":"l","season":2025}`),
		"players.ndjson": file(`{"id":"ann","name":"Ann","teamId":"free"}
{"id":"eve","name":"Eve","teamId":"entered"}`),
		"matches.ndjson": file(friendly("none", "") + friendly("this", `"season":2025,`) + friendly("that", `"season":2024,`)),
	}, loader.Options{})

	for _, test := range []struct {
		name         string
		team, player string
		season       int
		want         int
	}{
		{"an entry without a season, none asked for", "free", "ann", 0, 3},
		{"an entry with a season, none asked for", "entered", "eve", 0, 2},
		{"an entry without a season, one asked for", "free", "ann", 2024, 1},
		{"an entry with a season, another asked for", "entered", "eve", 2024, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			var seasons records.SeasonsRecord[records.TeamSeason]
			s.record(t, records.TeamSeasonsKey(sport.IDFor(sport.KindTeam, test.team)), &seasons)
			team := season(t, &seasons, test.season)
			if team.All.Overall.Played != test.want {
				t.Errorf("the team played %d, want %d", team.All.Overall.Played, test.want)
			}
			var record records.SeasonsRecord[records.PlayerSeason]
			s.record(t, records.PlayerSeasonsKey(sport.IDFor(sport.KindPlayer, test.player)), &record)
			player := season(t, &record, test.season)
			if player.All.Totals.Appearances != test.want {
				t.Errorf("the player appeared %d times, want %d", player.All.Totals.Appearances, test.want)
			}
		})
	}
}

// season is what a season of a team or a player adds up to, 0 being the entry's
// own. There must be such a season.
func season[S any](t testing.TB, r *records.SeasonsRecord[S], year int) *records.Seen[S] {
	t.Helper()
	if r == nil {
		t.Fatalf("season %d: there are none", year)
	}
	numbers, err := r.Season(year)
	if err != nil || numbers == nil {
		t.Fatalf("season %d: %v, %v", year, numbers, err)
	}
	return numbers
}

// friendly is the record of a friendly in which both teams start one player.
func friendly(id, season string) string {
	return `{"id":"` + id + `",` + season + `"status":"finished","kickoffAt":"2025-08-01T18:00:00Z",` +
		`"homeTeamId":"free","awayTeamId":"entered","score":{"home":1,"away":0},"lineups":{"confirmed":true,` +
		`"home":{"starting":[{"playerId":"ann"}],"bench":[]},"away":{"starting":[{"playerId":"eve"}],"bench":[]}}}` + "\n"
}

// record reads one record, which must be there.
func (s *sports) record(t testing.TB, key store.Key, into any) {
	t.Helper()
	item, err := s.table.Get(t.Context(), key, true)
	if err != nil {
		t.Fatal(err)
	}
	if item == nil {
		t.Fatalf("no record at %+v", key)
	}
	if err := attributevalue.UnmarshalMap(item, into); err != nil {
		t.Fatal(err)
	}
}
