package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/client"
	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/endpoints/wire"
	"touchline/shared/gateway"
	"touchline/shared/keys"
	"touchline/shared/local"
	"touchline/shared/pipeline/pipelinetest"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store/records/recordstest"
)

// listen serves a service behind the local front door and returns its address.
func listen(t *testing.T, s *pipelinetest.Service) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &local.Server{Handle: gateway.New(s.Pipeline).Handle}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // do not wait for anybody
		_ = server.Shutdown(ctx)
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String()
}

func newClient(t *testing.T, address string, edit func(*client.Config)) *client.Client {
	t.Helper()
	config := client.Config{BaseURL: address, KeyID: pipelinetest.KeyID, Secret: pipelinetest.Secret}
	edit(&config)
	c, err := client.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// federation is a client of the real service over a dataset, with a key of an
// organization.
func federation(t *testing.T, dataset fstest.MapFS, organization string) *client.Client {
	t.Helper()
	table := recordstest.New(t)
	table.Load(t, dataset)
	s := pipelinetest.New(t)
	clock := func() time.Time { return s.Time }
	s.Routes = groups.Table(endpoints.Deps{Sports: table.Reader(clock), Players: wire.Players{DefaultPhoto: "https://img.example/nobody.png"}})
	s.SetKey(t, func(k *keys.Key) { k.Organization = sport.IDFor(sport.KindOrganization, organization) })
	return newClient(t, listen(t, s), func(c *client.Config) {
		c.Now = clock
		// The service's clock only moves when the client waits; that ends a rate
		// window.
		c.Wait = func(_ context.Context, d time.Duration) error { s.Time = s.Time.Add(d); return nil }
	})
}

func TestTheRealPipelineAcceptsWhatIsSigned(t *testing.T) {
	s := pipelinetest.New(t, route.Define(route.Row{Group: route.GroupTeams, Path: "/v1/teams/{id}"},
		func(_ context.Context, c route.Call, p route.TimeRange) (route.Data[string], error) {
			return route.Data[string]{Data: fmt.Sprint(c.ID, " ", p.From.At.Unix())}, nil
		}))
	address := listen(t, s)
	c := newClient(t, address, func(c *client.Config) { c.Now = func() time.Time { return s.Time } })
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		r, err := c.Raw(t.Context(), method, "/v1/teams/a~b'()*!?from=2025-01-01T00%3a00&to=2026-01-01T00:00%2B01:00")
		if err != nil || r.Status != 200 {
			t.Errorf("%s: %+v, %v", method, r, err)
		}
	}
	s.SetKey(t, func(k *keys.Key) { k.RevokedAt = new(s.Time.Add(-time.Hour)) })
	s.Time = s.Time.Add(time.Hour)
	if r, err := c.Raw(t.Context(), http.MethodGet, "/v1/teams/a"); err != nil || !errors.Is(r.Err(), client.Unauthorized) {
		t.Errorf("a revoked key: %+v, %v", r, err)
	}
}

// The front door sends the Date of the machine's clock, so here the service uses
// that clock, too.
func TestTheRealFrontDoorTellsTheTime(t *testing.T) {
	for _, skew := range []time.Duration{-24 * time.Hour, 24 * time.Hour} {
		s := pipelinetest.New(t, route.Define(route.Row{Group: route.GroupTeams, Path: "/v1/teams/{id}"},
			func(_ context.Context, c route.Call, _ route.None) (route.Data[string], error) {
				return route.Data[string]{Data: c.ID}, nil
			}))
		s.Time = time.Now()
		c := newClient(t, listen(t, s), func(c *client.Config) {
			c.Attempts, c.Now = 1, func() time.Time { return time.Now().Add(skew) }
		})
		if r, err := c.Raw(t.Context(), http.MethodGet, "/v1/teams/a"); err != nil || r.Err() != nil {
			t.Errorf("%v: %+v, %v", skew, r, err)
		}
	}
}

// demo is the dataset of the API scripts.
func demo(t *testing.T) fstest.MapFS {
	t.Helper()
	files, err := filepath.Glob("../endpoints/scripts/testdata/union/*.ndjson")
	if err != nil || len(files) == 0 {
		t.Fatal("no dataset", err)
	}
	dataset := fstest.MapFS{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		dataset[filepath.Base(name)] = &fstest.MapFile{Data: data}
	}
	return dataset
}

// same requests a target and checks that v, which was made from its response,
// has everything that the response has.
func same(t *testing.T, c *client.Client, target string, v any) {
	t.Helper()
	r, err := c.Raw(t.Context(), http.MethodGet, target)
	if err != nil || r.Err() != nil {
		t.Fatalf("%s: %+v, %v", target, r, err)
	}
	encoded, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(plain(t, r.Body), plain(t, encoded)); d != "" {
		t.Errorf("%s: %s", target, d)
	}
}

// plain is a document as maps, with times in the contract's form.
func plain(t *testing.T, document []byte) any {
	t.Helper()
	var v any
	d := json.NewDecoder(bytes.NewReader(document))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", document, err)
	}
	return timesOf(v)
}

func timesOf(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			v[name] = timesOf(v[name])
		}
	case []any:
		for i := range v {
			v[i] = timesOf(v[i])
		}
	case string:
		if at, err := time.Parse(time.RFC3339, v); err == nil {
			return at.UTC().Format("2006-01-02T15:04:05.000Z")
		}
	}
	return v
}

func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// data is a single resource's document.
func data(v any) map[string]any { return map[string]any{"data": v} }

func TestTypedResultsHaveEverythingThatTheServiceReturns(t *testing.T) {
	c := federation(t, demo(t), "fed")
	ctx, in := t.Context(), func(kind sport.Kind, key string) sport.ID { return sport.IDFor(kind, key) }
	fed := c.Federation(in(sport.KindOrganization, "fed"))
	base := "/v1/federations/" + string(in(sport.KindOrganization, "fed"))

	same(t, c, "/v1/ping", data(must(c.Ping(ctx))(t)))
	same(t, c, base, data(must(fed.Get(ctx, client.OrganizationParams{}))(t)))
	tree := must(fed.Tree(ctx, client.TreeParams{Depth: 3}))(t)
	same(t, c, base+"/tree?depth=3", data(tree.Root))
	if tree.Truncated || len(tree.Root.Children) == 0 {
		t.Errorf("tree: %+v", tree)
	}
	same(t, c, base+"/associations?sort=-name", must(fed.Associations(client.AssociationsParams{Sort: client.SortNameDesc}).Page(ctx, 0, 0))(t))
	same(t, c, base+"/clubs?includeDescendants=true&limit=3&page=2", must(fed.Clubs(client.ClubsParams{IncludeDescendants: true}).Page(ctx, 2, 3))(t))
	same(t, c, base+"/competitions", must(fed.Competitions(client.CompetitionsParams{}).Page(ctx, 0, 0))(t))
	same(t, c, base+"/teams?includeDescendants=true", must(fed.Teams(client.TeamsParams{IncludeDescendants: true}).Page(ctx, 0, 0))(t))
	same(t, c, base+"/players?includeDescendants=true", must(fed.Players(client.PlayersParams{IncludeDescendants: true}).Page(ctx, 0, 0))(t))

	competitions := must(fed.Competitions(client.CompetitionsParams{}).Page(ctx, 0, 0))(t).Data
	if len(competitions) == 0 {
		t.Fatal("no competitions")
	}
	for _, x := range competitions {
		sameTournament(t, c, x.ID)
	}
	for _, p := range must(fed.Players(client.PlayersParams{IncludeDescendants: true}).Page(ctx, 0, 3))(t).Data {
		same(t, c, "/v1/players/"+string(p.ID), data(map[string]any{"player": must(c.Player(p.ID).Get(ctx))(t)}))
		same(t, c, "/v1/teams/"+string(p.Team.ID)+"/players", must(c.Team(p.Team.ID).Players().Page(ctx, 0, 0))(t))
	}
}

// sameTournament checks the routes of one competition and its matches.
func sameTournament(t *testing.T, c *client.Client, id sport.ID) {
	t.Helper()
	ctx, x, base := t.Context(), c.Tournament(id), "/v1/tournaments/"+string(id)
	same(t, c, base, data(map[string]any{"competition": must(x.Get(ctx, client.SeasonParams{}))(t)}))
	same(t, c, base+"/standings", data(must(x.Standings(ctx, client.SeasonParams{}))(t)))
	same(t, c, base+"/teams", must(x.Teams(client.SeasonParams{}).Page(ctx, 0, 0))(t))
	same(t, c, base+"/players", must(x.Players(client.SeasonParams{}).Page(ctx, 0, 0))(t))
	matches := must(x.Matches(client.MatchesParams{From: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)}).Page(ctx, 0, 0))(t)
	same(t, c, base+"/matches?from=2000-01-01", matches)
	for _, m := range matches.Data {
		same(t, c, "/v1/matches/"+string(m.ID), data(must(c.Match(m.ID).Get(ctx, client.SeasonParams{}))(t)))
	}
}

// crowd is a federation of 66 organizations: two associations of 30 clubs each,
// three clubs directly below it, one club of both associations. Each club has a
// team of two players, the federation one of its own.
func crowd() fstest.MapFS {
	var o, teams, players strings.Builder
	o.WriteString(`{"id":"fed","type":"federation","name":"Federation"}
{"id":"a0","type":"association","name":"A","parentId":"fed"}
{"id":"a1","type":"association","name":"B","parentId":"fed"}
`)
	own := func(owner string) {
		fmt.Fprintf(&teams, `{"id":"t-%s","name":"Team","shortName":"T","organizationId":%q,"season":2025}`+"\n", owner, owner)
		for i := range 2 {
			fmt.Fprintf(&players, `{"id":"p-%s-%d","name":"Player","teamId":"t-%s"}`+"\n", owner, i, owner)
		}
	}
	own("fed")
	for i := range 63 {
		parent := `"parentId":"fed"`
		switch {
		case i == 60:
			parent = `"parentId":"a0","additionalParentIds":["a1"]`
		case i < 60:
			parent = fmt.Sprintf(`"parentId":"a%d"`, i%2)
		}
		fmt.Fprintf(&o, `{"id":"c%d","type":"club","name":"Club",%s}`+"\n", i, parent)
		own(fmt.Sprint("c", i))
	}
	return fstest.MapFS{
		"organizations.ndjson": {Data: []byte(o.String())},
		"teams.ndjson":         {Data: []byte(teams.String())},
		"players.ndjson":       {Data: []byte(players.String())},
	}
}

func TestTheRealServiceIsReadInPartsToo(t *testing.T) {
	c := federation(t, crowd(), "fed")
	players := c.Federation(sport.IDFor(sport.KindOrganization, "fed")).Players(client.PlayersParams{IncludeDescendants: true})
	_, err := players.Page(t.Context(), 1, 100)
	refusal, ok := errors.AsType[*client.Error](err)
	if !ok || refusal.Code != client.ScopeTooLarge || *refusal.Details.Max != 50 || !slices.Contains(refusal.Details.RequiresOneOf, "associationId") {
		t.Fatalf("a page of all: %v", err)
	}
	var got, want []sport.ID
	for p, err := range players.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p.ID)
	}
	for i := range 2 {
		want = append(want, sport.IDFor(sport.KindPlayer, fmt.Sprint("p-fed-", i)))
		for club := range 63 {
			want = append(want, sport.IDFor(sport.KindPlayer, fmt.Sprintf("p-c%d-%d", club, i)))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
