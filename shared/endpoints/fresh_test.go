package endpoints_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/meter"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/store"
	"touchline/shared/store/reader"
	"touchline/shared/store/records"
)

// TestAnswersAreAsFreshAsPromised has a worker answer everything once, changes
// the data, and asks again when responses must show it (D10).
func TestAnswersAreAsFreshAsPromised(t *testing.T) {
	s := serve(t, os.DirFS("scripts/testdata/union"))
	tests := []struct {
		target string
		after  time.Duration
		says   string
	}{
		{"/v1/matches/m:m2", 15 * time.Second, `"score":{"home":0,"away":5}`},
		{"/v1/tournaments/c:liga/matches", 15 * time.Second, `"score":{"home":0,"away":5}`},
		{"/v1/tournaments/c:liga/matches?status=finished", 15 * time.Second, `"score":{"home":0,"away":5}`},
		{"/v1/tournaments/c:liga/standings", 15 * time.Second, `"goalsFor":5`},
		{"/v1/federations/o:fed", time.Minute, `"name":"Renamed"`},
		{"/v1/federations/o:fed/clubs?includeDescendants=true", time.Minute, `"name":"New Club"`},
		{"/v1/federations/o:fed/tree", time.Minute, `"name":"New Club"`},
		{"/v1/players/p:ann", time.Minute, `"name":"Anna"`},
		{"/v1/teams/t:albion1/players", time.Minute, `"name":"Anna"`},
		{"/v1/tournaments/c:liga/players", time.Minute, `"name":"Anna"`},
		{"/v1/clubs/o:newclub?includeDescendants=true", 3 * time.Second, `"name":"New Club"`},
	}
	for _, tt := range tests {
		if _, body := s.get(t, keyOf("fed"), tt.target); strings.Contains(body, tt.says) {
			t.Fatalf("%s says %s before the change", tt.target, tt.says)
		}
	}
	s.table.Load(t, fstest.MapFS{
		"organizations.ndjson": {Data: []byte(`{"id":"fed","type":"federation","name":"Renamed","parentId":"union"}` + "\n" +
			`{"id":"newclub","type":"club","name":"New Club","parentId":"north"}`)},
		"players.ndjson": {Data: []byte(`{"id":"ann","name":"Anna","teamId":"albion1","number":7}`)},
		"matches.ndjson": {Data: []byte(`{"id":"m2","competitionId":"liga","season":2025,"status":"finished","kickoffAt":"2025-09-08T00:00:00Z","homeTeamId":"city1","awayTeamId":"rovers1","score":{"home":0,"away":5},"group":"ga"}`)},
	})
	changed := s.now
	for _, tt := range tests {
		s.now = changed.Add(tt.after)
		if _, body := s.get(t, keyOf("fed"), tt.target); !strings.Contains(body, tt.says) {
			t.Errorf("%s does not say %s after %v: %.300s", tt.target, tt.says, tt.after, body)
		}
	}
}

// unionTargets are requests for records and lists of every kind.
var unionTargets = []string{
	"/v1/federations/o:fed", "/v1/organizations/o:fed/tree", "/v1/organizations/o:fed/clubs?includeDescendants=true&sort=name",
	"/v1/organizations/o:fed/competitions?includeDescendants=true", "/v1/organizations/o:fed/players?includeDescendants=true",
	"/v1/tournaments/c:liga", "/v1/tournaments/c:liga/matches?status=finished", "/v1/tournaments/c:liga/standings",
	"/v1/tournaments/c:liga/teams", "/v1/tournaments/c:liga/players", "/v1/tournaments/c:liga/statistics",
	"/v1/tournaments/c:liga/top-scorers", "/v1/matches/m:m2", "/v1/matches/m:m2/lineups", "/v1/matches/m:m2/events",
	"/v1/teams/t:albion1", "/v1/teams/t:albion1/players", "/v1/teams/t:albion1/matches", "/v1/teams/t:albion1/statistics",
	"/v1/players/p:ann", "/v1/players/p:ann/statistics",
	"/v1/players/p:ann/matches", "/v1/teams/o:albion/matches", "/v1/tournaments/c:liga/groups", "/v1/tournaments/c:liga/cards",
	"/v1/tournaments/c:liga/standings?season=2025", "/v1/matches/m:m2/statistics?season=2025",
	"/v1/organizations/o:fed/teams?includeDescendants=true&clubId=o:albion",
	"/v1/organizations/o:fed/competitions?includeDescendants=true&teamId=t:albion1",
	"/v1/organizations/o:fed/players?teamId=t:albion1", "/v1/organizations/o:fed/players?competitionId=c:liga",
}

// What a worker has read it asks for again only when responses must show a change.
func TestAWorkerKeepsWhatItHasRead(t *testing.T) {
	s := serve(t, career(t))
	for target, keeps := range map[string]time.Duration{"/v1/players/p:ann": 20 * time.Second, "/v1/tournaments/c:league/standings": 9 * time.Second} {
		s.restart()
		s.get(t, keyOf("fed"), target)
		s.now = s.now.Add(keeps)
		s.table.Meter = &meter.Meter{}
		if status, _ := s.get(t, keyOf("fed"), target); status != 200 || s.table.Meter.Total().ReadUnits > 0 {
			t.Errorf("%s after %v: %d, read %+v", target, keeps, status, s.table.Meter.Total())
		}
	}
}

// TestAListThatWasEditedIsReadAgain asks for a part of a list that is not there
// any more, as the head that a worker remembers has it.
func TestAListThatWasEditedIsReadAgain(t *testing.T) {
	before, gone := folder{}, folder{}
	before.add(t, "organizations", object{"id": "fed", "type": "federation", "name": "Federation"})
	for i := range 397 {
		before.add(t, "organizations", object{"id": fmt.Sprint("club", i), "type": "club", "name": fmt.Sprintf("Club %05d", i), "parentId": "fed"})
		if i >= 100 && i < 300 {
			gone.add(t, "organizations", object{"id": fmt.Sprint("club", i), "deleted": true})
		}
	}
	s := serve(t, before.dataset())
	clubs := func(page int) string {
		_, body := s.get(t, keyOf("fed"), fmt.Sprintf("/v1/federations/o:fed/clubs?sort=name&limit=10&page=%d", page))
		got, total := idsIn(t, body)
		return fmt.Sprint(total, got[:1])
	}
	if got := clubs(1); got != "397 [o:club0]" {
		t.Fatal(got)
	}
	s.table.Load(t, gone.dataset())
	if got := clubs(15); got != "197 [o:club340]" {
		t.Errorf("page 15, whose part is gone: %s", got)
	}
	if got := clubs(11); got != "197 [o:club300]" {
		t.Errorf("page 11, of the list as it was read again: %s", got)
	}
}

// career is a league of two clubs with three seasons up to 2025, in each of which ann
// plays a match, for her club's entry of that season.
func career(t *testing.T) fstest.MapFS {
	t.Helper()
	files := folder{}
	files.add(t, "organizations", object{"id": "fed", "type": "federation", "name": "Federation"})
	for _, club := range []string{"a", "b"} {
		files.add(t, "organizations", object{"id": club, "type": "club", "name": club, "parentId": "fed"})
	}
	for year := 2023; year <= 2025; year++ {
		files.add(t, "competitions", object{"id": "league", "season": year, "name": "League", "organizationId": "fed", "groups": []object{{"id": fmt.Sprint("A", year), "name": "A", "order": 1}}})
		for _, club := range []string{"a", "b"} {
			files.add(t, "teams", object{"id": fmt.Sprint(club, year), "name": club, "shortName": club, "organizationId": club, "competitionId": "league", "season": year, "group": fmt.Sprint("A", year)})
		}
		none := []object{}
		files.add(t, "matches", object{
			"id": fmt.Sprint("m", year), "competitionId": "league", "season": year, "status": "finished", "kickoffAt": fmt.Sprint(year, "-08-01T18:00:00Z"),
			"homeTeamId": fmt.Sprint("a", year), "awayTeamId": fmt.Sprint("b", year), "group": fmt.Sprint("A", year), "score": object{"home": 0, "away": 0},
			"lineups": object{"confirmed": true, "home": object{"starting": []object{{"playerId": "ann"}}, "bench": none}, "away": object{"starting": none, "bench": none}},
		})
	}
	files.add(t, "players", object{"id": "ann", "name": "Ann", "teamId": "a2025"})
	return files.dataset()
}

// While a load is under way, the list of a player's matches and the matches themselves
// may disagree for a moment: one that is hidden by now is left out.
func TestAPlayersMatchesWhileTheListsDisagree(t *testing.T) {
	s := serve(t, career(t))
	hidden, err := attributevalue.MarshalMap(&records.MatchRecord{Match: records.Match{ID: s.id("m:m2024")}, Scope: records.Scope{Hidden: true}})
	if err == nil {
		err = s.table.Write(t.Context(), []store.Write{{Key: records.MatchKey(s.id("m:m2024")), Item: hidden}})
	}
	if err != nil {
		t.Fatal(err)
	}
	s.restart()
	for query, want := range map[string]string{"": "[m:m2025]", "?season=2024": "[]", "?season=2023": "[m:m2023]"} {
		status, body := s.get(t, keyOf("fed"), "/v1/players/p:ann/matches"+query)
		if got, _ := idsIn(t, body); status != 200 || fmt.Sprint(got) != want {
			t.Errorf("%q: %d %s, want %s", query, status, body, want)
		}
	}
}

// failingAt is a table of which one read fails, counted from 0.
type failingAt struct {
	store.Source
	err error
	n   int // reads until then
}

// BatchGet implements store.Source.
func (f *failingAt) BatchGet(ctx context.Context, keys []store.Key, consistent bool) (map[store.Key]store.Item, error) {
	if f.n--; f.n == -1 {
		return nil, f.err
	}
	return f.Source.BatchGet(ctx, keys, consistent)
}

// Whichever of its reads fails: a request is refused for that, and not answered from what
// was read before.
func TestAFailureOfAnyReadIsNeverAnswered(t *testing.T) {
	s := serve(t, os.DirFS("scripts/testdata/union"))
	down, now := errors.New("down"), func() time.Time { return s.now }
	for _, target := range unionTargets {
		path, query, _ := strings.Cut(s.target(target), "?")
		failed := 0
		for n := 0; ; n++ {
			source := &failingAt{s.table, down, n}
			sports := &reader.Reader{Items: &store.Cached{Source: source, Now: now}}
			operation, params, ok := groups.Table(endpoints.Deps{Sports: sports}).Match(path)
			if !ok {
				t.Fatalf("no route for %s", path)
			}
			arguments, err := operation.Decode(query)
			if err != nil {
				t.Fatal(err)
			}
			_, err = operation.Serve(t.Context(), route.Call{
				Organization: s.id("o:fed"), Descendants: true, Alias: params.Alias, ID: params.ID, Now: s.now,
			}, arguments)
			if source.n >= 0 {
				break // it reads no more than that
			}
			if failed++; !errors.Is(err, down) || problem.From(err).Code != problem.InternalError {
				t.Errorf("%s, whose read %d fails: %v", target, n, err)
			}
		}
		if failed == 0 {
			t.Errorf("%s reads nothing", target)
		}
	}
}
