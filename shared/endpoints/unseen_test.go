package endpoints_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"
	"unique"

	"github.com/google/go-cmp/cmp"
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

// TestNoByteTellsOfWhatAKeyMayNotSee asks everything with every kind of key, before
// and after hidden and private records change. What a key may not see changes
// neither status, headers nor body of any response. Once the same records are
// public, the same requests show each of them.
func TestNoByteTellsOfWhatAKeyMayNotSee(t *testing.T) {
	if testing.Short() {
		t.Skip("sends 400,000 requests: make test-all runs it")
	}
	norland := os.DirFS("scripts/testdata/norland")
	table := recordstest.New(t)
	table.Load(t, norland)
	table.Load(t, unseenBefore)
	w := newUnseen(t, norland, unseenBefore, unseenAfter)
	before := w.ask(t, table, w.viewers)
	table.Load(t, unseenAfter)
	after := w.ask(t, table, w.viewers)

	compared := 0
	for i, v := range w.viewers {
		changed := 0
		for j, target := range w.targets {
			compared++
			if before[i][j] == after[i][j] {
				continue
			}
			if changed++; !v.insider && changed < 4 {
				t.Errorf("%s: %s (-before +after)\n%s", v.ID, target, cmp.Diff(before[i][j].Value(), after[i][j].Value()))
			}
		}
		if v.insider == (changed == 0) {
			t.Errorf("%s: %d of %d responses have changed", v.ID, changed, len(w.targets))
		}
	}
	t.Logf("%d responses to %d keys compared", compared, len(w.viewers))
	if compared < 100_000 {
		t.Error("these are too few")
	}
	for _, answers := range [][][]unique.Handle[string]{before, after} {
		for id := range w.named(answers, false) {
			t.Errorf("a key that may not see %s is told of it", w.secret[id])
		}
	}

	table.Load(t, unseenShown)
	named := w.named(w.ask(t, table, w.viewers[:1]), true)
	for id, name := range w.secret {
		if !named[id] {
			t.Errorf("%s is in no response, although it is public now", name)
		}
	}
}

// viewer is a key, and whether its organization is one of those that change.
type viewer struct {
	keys.Key
	insider bool
}

// unseen is all that is asked, and by whom.
type unseen struct {
	viewers []viewer
	targets []string
	secret  map[string]string // ids of what only insiders see, with their names
}

// Ids of the datasets as their lines have them.
var recordID = regexp.MustCompile(`(?m)^{"id":"([^"]+)"(.*)`)

// Hidden and private records of norland, and what only these lead to; records among
// those that change that others see, too; and whose keys are asked with. Insiders are
// of organizations that change.
var (
	unseenOfNorland = []string{
		"organizations dark", "organizations vault", "competitions hush", "teams shadow-25", "players eve",
		"players moe", "matches veiled", "matches shade", "matches hushed",
	}
	seenInPart = []string{"competitions liga", "competitions summer", "teams vault-w", "players bor"}
	insiders   = []string{"vault", "cellar", "loft", "loft-club", "dark", "attic"}
	outsiders  = []string{"world", "fed", "north", "south", "albion", "city", "lowland", "guests", "cave", "freefed"}
)

func newUnseen(t *testing.T, norland fs.FS, unseenSets ...fstest.MapFS) *unseen {
	t.Helper()
	w := &unseen{secret: map[string]string{}}
	ids, secret := map[sport.Kind][]string{}, map[sport.Kind][]string{}
	learn := func(from fs.FS, isSecret func(name string) bool) {
		for _, kind := range []sport.Kind{sport.KindOrganization, sport.KindCompetition, sport.KindTeam, sport.KindPlayer, sport.KindMatch} {
			file := strings.Replace(string(kind)+"s", "matchs", "matches", 1)
			text, err := fs.ReadFile(from, file+".ndjson")
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range recordID.FindAllStringSubmatch(string(text), -1) {
				id, name := string(sport.IDFor(kind, line[1])), file+" "+line[1]
				if !slices.Contains(ids[kind], id) {
					ids[kind] = append(ids[kind], id)
				}
				switch {
				case strings.Contains(line[2], `"deleted":true`):
					delete(w.secret, id)
				case isSecret(name):
					w.secret[id] = name
					secret[kind] = append(secret[kind], id)
				}
			}
		}
	}
	for _, organization := range slices.Concat(outsiders, insiders) {
		w.addViewers(organization)
	}
	learn(norland, func(name string) bool { return slices.Contains(unseenOfNorland, name) })
	for _, set := range unseenSets {
		learn(set, func(name string) bool { return !slices.Contains(seenInPart, name) })
	}
	for operation := range groups.Table(endpoints.Deps{}).All() {
		w.targets = append(w.targets, targetsOf(operation, ids, secret)...)
	}
	return w
}

// addViewers makes the keys of an organization; the first of all has one more.
func (w *unseen) addViewers(organization string) {
	add := func(kind string, edit func(*keys.Key)) {
		k := keys.Key{
			ID: organization + "-" + kind, Organization: sport.IDFor(sport.KindOrganization, organization),
			ResourceType: keys.ResourceOrganization, Scopes: keys.AllScopes(),
			Current: keys.SealedSecret{ID: "1", Sealed: []byte(pipelinetest.Secret)},
		}
		edit(&k)
		w.viewers = append(w.viewers, viewer{k, slices.Contains(insiders, organization)})
	}
	first := len(w.viewers) == 0
	add("below", func(k *keys.Key) { k.Descendants = true })
	if slices.Index(slices.Concat(outsiders, insiders), organization)%3 == 0 { // enough of those that see less
		add("alone", func(*keys.Key) {})
	}
	if first {
		add("teams", func(k *keys.Key) { k.Descendants, k.Scopes = true, []keys.Scope{keys.TeamsRead} })
	}
}

// targetsOf are requests of an operation about every record; about those that few may
// see, and some of the others, with every parameter by itself, and the same with
// everything below.
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
func (w *unseen) ask(t *testing.T, table *recordstest.Table, by []viewer) [][]unique.Handle[string] {
	t.Helper()
	clock := func() time.Time { return time.Date(2026, 3, 14, 15, 9, 26, 535e6, time.UTC) }
	reader := table.Reader(clock)
	s := pipelinetest.New(t, groups.Operations(endpoints.Deps{Sports: reader, Players: wire.Players{DefaultPhoto: "https://img.example/nobody.png"}})...)
	s.Time = clock()
	s.Organizations, s.Data, s.Nonces, s.Quotas = reader, reader, unlimited{}, unlimited{}
	s.Rates = &limits.Windows[string]{Limit: 1 << 30, Length: time.Minute}
	answers := make([][]unique.Handle[string], len(by))
	var requests atomic.Int64
	var work errgroup.Group
	work.SetLimit(2)
	for i, v := range by {
		if err := s.Keys.Put(t.Context(), v.Key); err != nil {
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

// named finds which secrets the responses name: those to all, or to all but insiders.
func (w *unseen) named(answers [][]unique.Handle[string], all bool) map[string]bool {
	found, read := map[string]bool{}, map[unique.Handle[string]]bool{}
	for i, of := range answers {
		if w.viewers[i].insider && !all {
			continue
		}
		for _, answer := range of {
			if read[answer] {
				continue
			}
			read[answer] = true
			for _, id := range anyID.FindAllString(answer.Value(), -1) {
				if w.secret[id] != "" {
					found[id] = true
				}
			}
		}
	}
	return found
}

var anyID = regexp.MustCompile(`\b[0-9a-f]{24}\b`)
