package endpoints_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/endpointstest"
	"touchline/shared/endpoints/groups"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/store"
	"touchline/shared/store/reader"
	"touchline/shared/store/records"
)

// TestAnswersAreAsFreshAsPromised has a worker answer everything once, changes
// the data, and asks again when responses must show it (D10).
func TestAnswersAreAsFreshAsPromised(t *testing.T) {
	s := endpointstest.Serve(t, os.DirFS("scripts/testdata/union"))
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
		if _, body := s.Get(t, endpointstest.Of("fed"), tt.target); strings.Contains(body, tt.says) {
			t.Fatalf("%s says %s before the change", tt.target, tt.says)
		}
	}
	s.Table.Load(t, fstest.MapFS{
		"organizations.ndjson": {Data: []byte(`{"id":"fed","type":"federation","name":"Renamed","parentId":"union"}` + "\n" +
			`{"id":"newclub","type":"club","name":"New Club","parentId":"north"}`)},
		"players.ndjson": {Data: []byte(`{"id":"ann","name":"Anna","teamId":"albion1","number":7}`)},
		"matches.ndjson": {Data: []byte(`{"id":"m2","competitionId":"liga","season":2025,"status":"finished","kickoffAt":"2025-09-08T00:00:00Z","homeTeamId":"city1","awayTeamId":"rovers1","score":{"home":0,"away":5},"group":"ga"}`)},
	})
	changed := s.Now
	for _, tt := range tests {
		s.Now = changed.Add(tt.after)
		if _, body := s.Get(t, endpointstest.Of("fed"), tt.target); !strings.Contains(body, tt.says) {
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

// A table that has lost all that follows from its records, or has it from another
// place, answers as before once it is mended.
func TestAMendedTableAnswersAsBefore(t *testing.T) {
	s := endpointstest.Serve(t, os.DirFS("scripts/testdata/union"))
	before := map[string]string{}
	for _, target := range unionTargets {
		status, body := s.Get(t, endpointstest.Of("fed"), target)
		if before[target] = body; status >= 500 {
			t.Fatalf("%s: %d", target, status)
		}
	}
	var writes []store.Write
	var last store.Item
	if err := s.Table.Scan(t.Context(), func(item store.Item) error {
		key := store.KeyOf(item)
		if kind, _ := records.Source(key); kind != "" || key.PK == records.JournalPK || key.PK == records.VersionKey().PK || key.SK == "D" {
			return nil
		}
		w := store.Write{Key: key}
		if len(writes)%3 == 0 && last != nil { // of the others nothing is left
			w.Item = maps.Clone(last)
		}
		writes, last = append(writes, w), item
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Table.Write(t.Context(), writes); err != nil {
		t.Fatal(err)
	}
	if report, err := s.Table.Loader().Check(t.Context(), true); err != nil || len(report.Differences) < len(writes)/2 || len(report.Lost) > 0 {
		t.Fatalf("mend %d items: %v", len(writes), err)
	}
	s.Restart()
	for _, target := range unionTargets {
		if _, body := s.Get(t, endpointstest.Of("fed"), target); body != before[target] {
			t.Errorf("%s, before and mended:\n%s\n%s", target, before[target], body)
		}
	}
}

// A change of the competition's organization changes who sees a team as a guest,
// and what the team's players are summed up from, although no match changes.
func TestNumbersFollowTheHostOfAGuest(t *testing.T) {
	s := endpointstest.Serve(t, os.DirFS("scripts/testdata/guests"))
	starts := func(k endpointstest.Key, want int) {
		t.Helper()
		if n := numbersOf(t, s, k, "/v1/players/p:guest8/statistics"); n.Totals.Starts != want {
			t.Errorf("%+v: %d starts, want %d", k, n.Totals.Starts, want)
		}
	}
	starts(endpointstest.Of("south"), 1)
	starts(endpointstest.Of("north"), 0)
	s.Table.Load(t, fstest.MapFS{"competitions.ndjson": {Data: []byte(`{"id":"league","season":2025,"name":"Western league","organizationId":"west"}`)}})
	s.Restart()
	starts(endpointstest.Of("south"), 1)
	starts(endpointstest.Of("west"), 0)
}

// TestAListThatWasEditedIsReadAgain asks for a part of a list that is not there
// any more, as the head that a worker remembers has it.
func TestAListThatWasEditedIsReadAgain(t *testing.T) {
	s := endpointstest.Serve(t, crowd(400))
	clubs := func(page int) string {
		_, body := s.Get(t, endpointstest.Of("fed"), fmt.Sprintf("/v1/federations/o:fed/clubs?sort=name&limit=10&page=%d", page))
		got, total := endpointstest.IDs(t, body)
		return fmt.Sprint(total, got[:1])
	}
	if got := clubs(1); got != "397 [o:club0]" {
		t.Fatal(got)
	}
	gone := []string{}
	for i := 100; i < 300; i++ {
		gone = append(gone, fmt.Sprintf(`{"id":"club%d","deleted":true}`, i))
	}
	s.Table.Load(t, fstest.MapFS{"organizations.ndjson": {Data: []byte(strings.Join(gone, "\n"))}})
	if got := clubs(15); got != "197 [o:club340]" {
		t.Errorf("page 15, whose part is gone: %s", got)
	}
	if got := clubs(11); got != "197 [o:club300]" {
		t.Errorf("page 11, of the list as it was read again: %s", got)
	}
}

// failing is a table that cannot be read.
type failing struct{ err error }

// BatchGet implements store.Source.
func (f failing) BatchGet(context.Context, []store.Key, bool) (map[store.Key]store.Item, error) {
	return nil, f.err
}

func TestAFailureOfTheStoreIsNeverAnswered404(t *testing.T) {
	down := errors.New("down")
	now := func() time.Time { return time.Unix(1e9, 0) }
	reader := &reader.Reader{Items: &store.Cached{Source: failing{down}, Now: now}}
	const id = "0123456789abcdef01234567"
	if _, _, err := reader.Standing(t.Context(), id); !errors.Is(err, down) {
		t.Errorf("standing: %v", err)
	}
	for operation := range groups.Table(endpoints.Deps{Sports: reader}).All() {
		if operation.Group == route.GroupPing {
			continue
		}
		arguments, err := operation.Decode("")
		if err != nil {
			t.Fatal(err)
		}
		_, err = operation.Serve(t.Context(), route.Call{Organization: id, Alias: route.Organizations, ID: id, Now: now()}, arguments)
		if !errors.Is(err, down) || problem.From(err).Code != problem.InternalError {
			t.Errorf("%s: %v", operation.Path, err)
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
	s := endpointstest.Serve(t, os.DirFS("scripts/testdata/union"))
	down, now := errors.New("down"), func() time.Time { return s.Now }
	for _, target := range unionTargets {
		path, query, _ := strings.Cut(s.Target(target), "?")
		failed := 0
		for n := 0; ; n++ {
			source := &failingAt{s.Table, down, n}
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
				Organization: s.ID("o:fed"), Descendants: true, Alias: params.Alias, ID: params.ID, Now: s.Now,
			}, arguments)
			if source.n >= 0 {
				break // it reads no more than that
			}
			if failed++; !errors.Is(err, down) {
				t.Errorf("%s, whose read %d fails: %v", target, n, err)
			}
		}
		if failed == 0 {
			t.Errorf("%s reads nothing", target)
		}
	}
}

// crowd is a federation with an association of one club, a competition, and
// as many more clubs as its number of organizations in all asks for. Beside
// them it has a hidden club, which nobody counts.
func crowd(organizations int) fstest.MapFS {
	var o strings.Builder
	o.WriteString(`{"id":"fed","type":"federation","name":"Federation"}
{"id":"north","type":"association","name":"North","parentId":"fed"}
{"id":"albion","type":"club","name":"Albion","parentId":"north"}
{"id":"ghost","type":"club","name":"Ghost","parentId":"fed","visibility":"hidden"}
`)
	for i := range organizations - 3 {
		o.WriteString(club(i))
	}
	return fstest.MapFS{
		"organizations.ndjson": {Data: []byte(o.String())},
		"competitions.ndjson":  {Data: []byte(`{"id":"liga","season":2025,"name":"Liga","organizationId":"fed"}`)},
		"teams.ndjson":         {Data: []byte(`{"id":"albion1","name":"Albion","shortName":"ALB","organizationId":"albion","competitionId":"liga","season":2025}`)},
		"players.ndjson":       {Data: []byte(`{"id":"ann","name":"Ann","teamId":"albion1"}`)},
	}
}

// club is one of a crowd; names are in the order of numbers.
func club(i int) string {
	return fmt.Sprintf(`{"id":"club%d","type":"club","name":"Club %05d","parentId":"fed"}`+"\n", i, i)
}
