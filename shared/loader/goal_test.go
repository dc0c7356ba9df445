package loader_test

import (
	"fmt"
	"strings"
	"testing"

	"touchline/shared/loader"
)

// What the load of one goal may read, its lease, journal and history included. It
// came to 43 items in 21 round trips, 24 of them the players whom the two line-ups name.
const (
	goalReads = 45
	goalTrips = 22
)

// inPlayWith is a match of two clubs that has begun, with the events that are given.
func inPlayWith(events ...string) string {
	return fmt.Sprintf(`{"id":"m","competitionId":"c","status":"live","kickoffAt":"2026-03-14T14:00:00Z","homeTeamId":"a","awayTeamId":"b",`+
		`"score":{"home":%d,"away":0},"lineups":{"confirmed":true,"home":%s,"away":%s},"events":[%s]}`,
		strings.Count(strings.Join(events, ""), `"goal"`), squad("a"), squad("b"), strings.Join(events, ","))
}

func squad(team string) string {
	var players [12]string
	for n := range players {
		players[n] = fmt.Sprintf(`{"playerId":"%s%d"}`, team, n+1)
	}
	return fmt.Sprintf(`{"starting":[%s],"bench":[%s]}`, strings.Join(players[:11], ","), players[11])
}

func goal(id, player string) string {
	return fmt.Sprintf(`{"id":"%s","type":"goal","detail":"regular","minute":12,"side":"home","playerId":"%s"}`, id, player)
}

const substitution = `{"id":"e9","type":"substitution","minute":30,"side":"home","playerInId":"a12","playerOutId":"a3"}`

// federationOf is a federation with the match, one that is over and one to come.
func federationOf(match string) map[string][]string {
	files := map[string][]string{
		"organizations": {`{"id":"o","type":"federation","name":"O"}`, `{"id":"k","type":"club","name":"K","parentId":"o"}`, `{"id":"l","type":"club","name":"L","parentId":"o"}`},
		"competitions":  {`{"id":"c","season":2025,"name":"C","organizationId":"o","timezone":"UTC"}`},
		"teams": {
			`{"id":"a","name":"A","shortName":"A","organizationId":"k","competitionId":"c"}`,
			`{"id":"b","name":"B","shortName":"B","organizationId":"l","competitionId":"c"}`,
		},
		"matches": {
			match,
			`{"id":"n","competitionId":"c","status":"finished","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"b","awayTeamId":"a","score":{"home":1,"away":0}}`,
			`{"id":"f","status":"upcoming","kickoffAt":"2026-05-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b"}`,
		},
	}
	for _, team := range []string{"a", "b"} {
		for n := range 13 {
			files["players"] = append(files["players"], fmt.Sprintf(`{"id":"%s%d","name":"%s %d","teamId":"%s"}`, team, n+1, strings.ToUpper(team), n+1, team))
		}
	}
	return files
}

// TestAMatchInPlayEndsAsIfLoadedAtOnce: most of what a match shows is left as it is
// where only its score and its events change, and is not where more does.
func TestAMatchInPlayEndsAsIfLoadedAtOnce(t *testing.T) {
	first, second := goal("e1", "a9"), goal("e2", "a10")
	for _, test := range []struct {
		name          string
		before, after string
		items, trips  int // at most; 0: not counted
	}{
		{"another goal", inPlayWith(first), inPlayWith(first, second), goalReads, goalTrips},
		{"the first event of the season", inPlayWith(), inPlayWith(first), 0, 0},
		{"the last event is taken back", inPlayWith(first), inPlayWith(), 0, 0},
		{"a goal is given to another", inPlayWith(first), inPlayWith(goal("e1", "a10")), goalReads, goalTrips},
		{"a goal of one who has not been in a match of the season", inPlayWith(first), inPlayWith(first, goal("e2", "a13")), goalReads + 1, goalTrips + 3},
		{"a substitution", inPlayWith(first), inPlayWith(first, substitution), 0, 0},
		{"the end", inPlayWith(first), strings.Replace(inPlayWith(first, second), `"live"`, `"finished"`, 1), 0, 0},
		{"line-ups are taken back", inPlayWith(first), strings.Replace(inPlayWith(first), `"confirmed":true`, `"confirmed":false`, 1), 0, 0},
		{"hidden", inPlayWith(first), strings.Replace(inPlayWith(first, second), `{"id":"m"`, `{"id":"m","visibility":"private"`, 1), 0, 0},
		{"another day", inPlayWith(first), strings.Replace(inPlayWith(first), "2026-03-14", "2026-04-02", 1), 0, 0},
		{"at home on the other side", inPlayWith(first), `{"id":"m","competitionId":"c","status":"live","kickoffAt":"2026-03-14T14:00:00Z","homeTeamId":"b","awayTeamId":"a"}`, 0, 0},
		{"removed", inPlayWith(first), `{"id":"m","deleted":true}`, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s, once := inMemory(), newSports(t)
			load(t, s, folder(federationOf(test.before)), loader.Options{})
			s.table.Meter.Reset()
			load(t, s, folder(map[string][]string{"matches": {test.after}}), anything())
			used := s.table.Meter.Total()
			t.Logf("%d items read in %d round trips", used.ItemsRead, used.Trips)
			if test.items > 0 && (used.ItemsRead > test.items || used.Trips > test.trips) {
				t.Errorf("%d items read in %d round trips, at most %d and %d are allowed", used.ItemsRead, used.Trips, test.items, test.trips)
			}
			after := federationOf(test.after)
			if strings.Contains(test.after, `"deleted"`) {
				after["matches"] = after["matches"][1:]
			}
			load(t, once, folder(after), loader.Options{})
			if diff := difference(once.dump(t), s.dump(t)); diff != "" {
				t.Errorf("at once (-) and in two loads (+):\n%.3000s", diff)
			}
		})
	}
}

// TestWhoIsNamedAtAFormerClubStays: otherwise the match would refer to nothing.
func TestWhoIsNamedAtAFormerClubStays(t *testing.T) {
	s := newSports(t)
	load(t, s, folder(federationOf(inPlayWith(goal("e1", "a9")))), loader.Options{})
	load(t, s, folder(map[string][]string{
		"organizations": {`{"id":"z","type":"club","name":"Z","parentId":"o"}`},
		"teams":         {`{"id":"z","name":"Z","shortName":"Z","organizationId":"z"}`},
		"players":       {`{"id":"a9","name":"A 9","teamId":"z"}`},
	}), loader.Options{})
	_, err := s.loader().Load(t.Context(), folder(map[string][]string{"players": {`{"id":"a9","deleted":true}`}}), loader.Options{})
	if want := `players.ndjson:1: id: is named in match "m", which stays`; text(err) != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
