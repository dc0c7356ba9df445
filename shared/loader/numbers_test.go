package loader_test

import (
	"fmt"
	"testing"

	"touchline/shared/loader"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// shirt is the number that the line-up of a match shows of its only player.
func (s *sports) shirt(t *testing.T, match string) int {
	t.Helper()
	key := records.LineupsKey(sport.IDFor(sport.KindMatch, match))
	items, err := s.table.BatchGet(t.Context(), []store.Key{key}, true)
	if err != nil {
		t.Fatal(err)
	}
	r, err := store.Decode[records.LineupsRecord](items[key])
	if err != nil {
		t.Fatal(err)
	}
	p := r.Home.Starting[0]
	if p.Shirt != 0 {
		return p.Shirt
	}
	return p.Number
}

// A change of number leaves the line-ups of finished matches as they are, also where all
// is loaded again, until the dataset says otherwise.
func TestLineUpsKeepTheNumberOfTheirDay(t *testing.T) {
	match := func(id, status, kickoff string) string {
		score := `,"score":{"home":1,"away":0}`
		if status == "upcoming" {
			score = ""
		}
		return fmt.Sprintf(`{"id":%q,"status":%q,"kickoffAt":%q,"homeTeamId":"a","awayTeamId":"b"%s,"lineups":{"confirmed":true,"home":{"starting":[{"playerId":"p"}],"bench":[]},"away":{"starting":[],"bench":[]}}}`, id, status, kickoff, score)
	}
	all := func(player string) map[string][]string {
		return map[string][]string{
			"organizations": {`{"id":"o","type":"federation","name":"O"}`},
			"teams":         {`{"id":"a","name":"A","shortName":"A","organizationId":"o"}`, `{"id":"b","name":"B","shortName":"B","organizationId":"o"}`},
			"players":       {player},
			"matches":       {match("played", "finished", "2025-09-06T15:00:00Z"), match("next", "upcoming", "2025-09-13T15:00:00Z")},
		}
	}
	s := newSports(t)
	for _, step := range []struct {
		name         string
		records      map[string][]string
		played, next int
	}{
		{"first", all(`{"id":"p","name":"P","teamId":"a","number":7}`), 7, 7},
		{"another number", map[string][]string{"players": {`{"id":"p","patch":true,"number":9}`}}, 7, 9},
		{"all again", all(`{"id":"p","name":"P","teamId":"a","number":9}`), 7, 9},
		{"a third number", map[string][]string{"players": {`{"id":"p","patch":true,"number":11}`}}, 7, 11},
		{"a day of the second", map[string][]string{"players": {`{"id":"p","patch":true,"formerNumbers":[{"number":7,"until":"2025-08-01"},{"number":9,"until":"2025-09-10"}]}`}}, 9, 11},
		{"a match that was not played with the former number", map[string][]string{"matches": {match("next", "finished", "2025-09-13T15:00:00Z")}}, 9, 11},
	} {
		load(t, s, folder(step.records), loader.Options{})
		if played, next := s.shirt(t, "played"), s.shirt(t, "next"); played != step.played || next != step.next {
			t.Errorf("%s: %d and %d, want %d and %d", step.name, played, next, step.played, step.next)
		}
	}
	s.checked(t)
	s = newSports(t)
	load(t, s, folder(all(`{"id":"p","name":"P","teamId":"a","number":7}`)), loader.Options{})
	was := s.dump(t)
	load(t, s, folder(map[string][]string{"players": {`{"id":"p","patch":true,"number":9}`}}), loader.Options{})
	if _, _, err := s.undo(t); err != nil || difference(was, s.dump(t)) != "" {
		t.Errorf("an undo of a number: %v, %s", err, difference(was, s.dump(t)))
	}
}
