package endpoints_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unique"

	"golang.org/x/sync/errgroup"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/endpoints/wire"
	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/pipeline"
	"touchline/shared/pipeline/pipelinetest"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store/records/recordstest"
)

// asked is all that is asked, and by whom.
type asked struct {
	viewers []keys.Key
	targets []string
}

// addViewers makes the keys of an organization; the first of all has one more.
func (w *asked) addViewers(organization string) {
	add := func(kind string, edit func(*keys.Key)) {
		k := keys.Key{
			ID: organization + "-" + kind, Organization: sport.IDFor(sport.KindOrganization, organization),
			ResourceType: keys.ResourceOrganization, Scopes: keys.AllScopes(),
			Current: keys.SealedSecret{ID: "1", Sealed: []byte(pipelinetest.Secret)},
		}
		edit(&k)
		w.viewers = append(w.viewers, k)
	}
	first := len(w.viewers) == 0
	add("below", func(k *keys.Key) { k.Descendants = true })
	if len(w.viewers)%3 == 1 { // enough of those that see less
		add("alone", func(*keys.Key) {})
	}
	if first {
		add("teams", func(k *keys.Key) { k.Descendants, k.Scopes = true, []keys.Scope{keys.TeamsRead} })
	}
}

// targetsOf are requests of an operation about every record; about some that are secret, and
// some of the others, with every parameter by itself, and the same with everything below.
func targetsOf(o *route.Operation, ids, secret map[sport.Kind][]string) (targets []string) {
	kinds := map[string]sport.Kind{
		"{alias}": sport.KindOrganization, "tournaments": sport.KindCompetition, "teams": sport.KindTeam,
		"players": sport.KindPlayer, "matches": sport.KindMatch,
		"associationId": sport.KindOrganization, "clubId": sport.KindOrganization, "competitionId": sport.KindCompetition, "teamId": sport.KindTeam,
	}
	queries, deep := []string{""}, false
	for _, p := range o.Params {
		switch p.Form {
		case route.FormIdentifier:
			kind := kinds[p.Name]
			for _, id := range append(secret[kind], ids[kind][1], "nobody") {
				queries = append(queries, p.Name+"="+id)
			}
		case route.FormEnum:
			for _, value := range append(p.Enum, "none") {
				queries = append(queries, p.Name+"="+value)
			}
		case route.FormBoolean:
			deep = deep || p.Name == "includeDescendants"
		case route.FormInstant:
			queries = append(queries, p.Name+"=2025-09-01", p.Name+"=2026-05-03T12:00:00Z")
		case route.FormInteger:
			queries = append(queries, map[string][]string{
				"page":   {"limit=1&page=2", "limit=2&page=2", "limit=2&page=3", "page=2", "page=99"},
				"limit":  {"limit=1", "limit=100", "limit=0"},
				"season": {"season=2023", "season=2024", "season=2025"},
				"depth":  {"depth=1", "depth=3"},
			}[p.Name]...)
		}
	}
	if deep {
		for _, q := range slices.Clone(queries) {
			queries = append(queries, strings.TrimPrefix(q+"&includeDescendants=true", "&"))
		}
	}
	head := strings.Split(o.Path, "/")[2]
	subjects := append(slices.Clone(ids[kinds[head]]), "0123456789abcdef01234567", "nobody")
	if head == "teams" {
		subjects = append(subjects, ids[sport.KindOrganization]...) // a club's id is one of a team's matches
	}
	if !strings.Contains(o.Path, "{id}") {
		subjects = []string{""}
	}
	for i, id := range subjects {
		few := i >= 4 && !slices.Contains(secret[kinds[head]], id)
		for _, alias := range []string{"organizations", "federations", "associations", "clubs"} {
			if head != "{alias}" && alias != "organizations" {
				break
			}
			path := strings.NewReplacer("{alias}", alias, "{id}", id).Replace(o.Path)
			for _, q := range queries {
				if alias == "organizations" && !few || q == "" || q == "limit=100" || q == "includeDescendants=true" {
					targets = append(targets, strings.TrimSuffix(path+"?"+q, "?"))
				}
			}
		}
	}
	return targets
}

// unlimited accepts every nonce, and counts nothing.
type unlimited struct{}

func (unlimited) Consume(context.Context, limits.Nonce) error { return nil }

func (unlimited) Take(_ context.Context, q limits.Quota) (limits.Decision, error) {
	return q.Allow(1), nil
}

// ask sends all requests with the keys, on a new worker, and returns what responses
// have in common before and after a change, by key and target.
func (w *asked) ask(t *testing.T, table *recordstest.Table) [][]unique.Handle[string] {
	t.Helper()
	clock := func() time.Time { return time.Date(2026, 3, 14, 15, 9, 26, 535e6, time.UTC) }
	reader := table.Reader(clock)
	s := pipelinetest.New(t, groups.Operations(endpoints.Deps{Sports: reader, Players: wire.Players{DefaultPhoto: "https://img.example/nobody.png"}})...)
	s.Time = clock()
	s.Organizations, s.Data, s.Nonces, s.Quotas = reader, reader, unlimited{}, unlimited{}
	s.Rates = &limits.Windows[string]{Limit: 1 << 30, Length: time.Minute}
	answers := make([][]unique.Handle[string], len(w.viewers))
	var requests atomic.Int64
	var work errgroup.Group
	work.SetLimit(2)
	for i, v := range w.viewers {
		if err := s.Keys.Put(t.Context(), v); err != nil {
			t.Fatal(err)
		}
		work.Go(func() error {
			for _, target := range w.targets {
				path, query, _ := strings.Cut(target, "?")
				headers := pipelinetest.Sign(s.Time, "GET", path, query, fmt.Sprint("n", requests.Add(1)))
				headers.Set("X-Service-Key", v.ID)
				answer := s.Serve(t.Context(), pipeline.Request{Method: "GET", Path: path, Query: query, Headers: headers, SourceIP: pipelinetest.Caller})
				if answer.Status >= 500 {
					return fmt.Errorf("%s: %s: %d %s", v.ID, target, answer.Status, answer.Body)
				}
				answers[i] = append(answers[i], unique.Make(lasting(answer)))
			}
			return nil
		})
	}
	if err := work.Wait(); err != nil {
		t.Fatal(err)
	}
	return answers
}

// lasting is a response as text, without what every load and every request changes.
func lasting(answer pipeline.Response) string {
	text := []string{fmt.Sprint(answer.Status)}
	for _, h := range answer.Headers {
		switch h.Name {
		case "X-Request-Id", "X-Service-Data-Version", "Last-Modified", "X-RateLimit-Remaining":
		default:
			text = append(text, h.Name+": "+h.Value)
		}
	}
	return strings.Join(append(text, "", string(answer.Body)), "\n")
}
