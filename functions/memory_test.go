package functions

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/engine/enginetest"
	"touchline/shared/keys"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store/records/recordstest"
	"touchline/shared/testdata/seed"
)

// maxMemory is what a function may have resident under load (design.md, Measures):
// 25 MB at S, by 1,000 keys, 98 to 103 MB at 200 S, by 10,000.
const maxMemory = 128 << 20

// TestScaleOfMemory is at S, or at as many times S as TOUCHLINE_SCALE says, on what
// TestScale of package endpoints has left in TOUCHLINE_SCALE_DIR.
func TestScaleOfMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("loads 10,000 players: make test-all runs it")
	}
	size, err := strconv.Atoi(os.Getenv("TOUCHLINE_SCALE"))
	if err != nil {
		size = 1
	}
	left := filepath.Join(os.Getenv("TOUCHLINE_SCALE_DIR"), strconv.Itoa(size))
	if _, err := os.Stat(left + ".loaded"); err == nil {
		holdMemory(t, recordstest.At(t, enginetest.StartOn(t, left+".db"), false), size)
		return
	}
	var table *recordstest.Table
	if size == 1 {
		table = recordstest.InEngine(t)
	} else { // not in memory
		table = recordstest.At(t, enginetest.StartOn(t, filepath.Join(t.TempDir(), "db")), true)
	}
	table.Load(t, os.DirFS(seed.Write(t, seed.Options{Size: size, Details: 10})))
	holdMemory(t, table, size)
}

// holdMemory runs the compiled function of each group with the memory that it is
// deployed with, asks it for thousands of different things by the keys of many
// organizations, and bounds what it had resident at most.
func holdMemory(t *testing.T, table *recordstest.Table, size int) {
	t.Helper()
	// A table that is kept from run to run must not keep the quotas too.
	run := "-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	w := &callers{world: worldOn(t, table.Client, table.Endpoint, table.Name, run), size: size, routes: groups.Table(endpoints.Deps{})}
	w.issueMany(t, min(1000*size, 10_000))
	for i, g := range route.Groups() {
		if g == route.GroupPing { // it reads no data
			continue
		}
		t.Run(string(g), func(t *testing.T) {
			t.Parallel()
			f := start(t, w.of(g), append(slices.Clone(w.environment), deployed()...)...)
			answers, largest := w.askAround(t, f, g, i*1_000_000)
			peak := f.Peak(t)
			t.Logf("%d keys; %v; largest response %d bytes; at most %.1f MB", len(w.keys), answers, largest, float64(peak)/(1<<20))
			if peak > maxMemory {
				t.Errorf("the function of %s had %d bytes resident, at most %d are allowed", g, peak, maxMemory)
			}
		})
	}
}

// callers are the keys of many organizations.
type callers struct {
	*world
	size   int
	routes *route.Table
	keys   []keys.Issued
}

// issueMany issues keys, the first twentieth of which see all there is.
func (w *callers) issueMany(t *testing.T, issued int) {
	t.Helper()
	for n := range issued {
		owner := fmt.Sprint("est.club.", 1+n%(220*w.size))
		switch {
		case n < issued/20:
			owner = "est"
		case n%20 == 0:
			owner = fmt.Sprint("est.association.", 1+n/20%(9*w.size))
		}
		w.keys = append(w.keys, w.issue(t, func(r *keys.Request) {
			r.Organization, r.MonthlyQuota = sport.IDFor(sport.KindOrganization, owner), &unlimited
		}))
	}
}

// askAround sends the function of a group requests at random and counts the
// answers by status. Every second one is by a key that sees all there is, the others
// are by the rest in turn, until each was used once.
func (w *callers) askAround(t *testing.T, f *function, g route.Group, nonces int) (answers map[int]int, largest int) {
	t.Helper()
	r := rand.New(rand.NewPCG(4, 2))
	atLarge := len(w.keys) / 20
	requests := 2 * (len(w.keys) - atLarge)
	answers = map[int]int{}
	for n := range requests {
		caller := n / 2 % atLarge
		if n%2 == 1 {
			caller = atLarge + n/2
		}
		target := w.random(t, r, g)
		answer := w.ask(t, f, caller, target, nonces+n)
		answers[answer.StatusCode]++
		largest = max(largest, len(answer.Body))
		switch answer.StatusCode {
		case 200, 404, 422, 403: // 403: of a club that is not active, or without a plan
		default:
			t.Errorf("%s: %d %s", target, answer.StatusCode, answer.Body)
		}
	}
	if answers[200] < requests/6 { // of random matches, two in five exist
		t.Errorf("%v: most find nothing", answers)
	}
	return answers, largest
}

// ask signs a request by a caller and invokes the function with it.
func (w *callers) ask(t *testing.T, f *function, caller int, target string, nonce int) events.APIGatewayV2HTTPResponse {
	t.Helper()
	by := *w.world
	by.key, by.nonces = w.keys[caller], nonce
	e := by.sign(t, event("GET", target))
	// An address of the caller's own: failures are limited by address (D2).
	e.RequestContext.HTTP.SourceIP = fmt.Sprintf("10.0.%d.%d", caller>>8, caller&0xff)
	return call(t, f, e)
}

// random is a request for a group, of things all over the federation.
func (w *callers) random(t *testing.T, r *rand.Rand, g route.Group) string {
	t.Helper()
	for {
		target := w.anyTarget(r)
		path, _, _ := strings.Cut(target, "?")
		operation, _, ok := w.routes.Match(path)
		if !ok {
			t.Fatalf("no route for %s", target)
		}
		if operation.Group == g {
			return target
		}
	}
}

// anyTarget is a request of any route.
func (w *callers) anyTarget(r *rand.Rand) string {
	id := func(kind sport.Kind, format string, numbers ...any) string {
		return string(sport.IDFor(kind, fmt.Sprintf(format, numbers...)))
	}
	club := id(sport.KindOrganization, "est.club.%d", 1+r.IntN(220*w.size))
	association := id(sport.KindOrganization, "est.association.%d", 1+r.IntN(9*w.size))
	name, teams := fmt.Sprintf("est.league.%d", 1+r.IntN(10*w.size)), 20
	if r.IntN(2) == 0 {
		name, teams = fmt.Sprintf("est.tournament.%d", 1+r.IntN(10*w.size)), 30
	}
	competition := id(sport.KindCompetition, "%s", name)
	entry := fmt.Sprintf("%s/2025/%d", name, 1+r.IntN(teams))
	team, player := id(sport.KindTeam, "%s", entry), id(sport.KindPlayer, "%s/%d", entry, 1+r.IntN(20))
	match := id(sport.KindMatch, "%s/2025/%d-%d", name, 1+r.IntN(5), 1+r.IntN(5))
	page := fmt.Sprintf("limit=%d&page=%d", 1+r.IntN(100), 1+r.IntN(5))
	sorted := page + "&sort=" + anyOf(r, "id", "name", "-id", "-name")
	organization := anyOf(r, string(sport.IDFor(sport.KindOrganization, "est")), association, club)
	return anyOf(r,
		"/v1/organizations/"+organization+"?includeDescendants=true",
		"/v1/organizations/"+organization+"/tree?includeDescendants=true&depth=3",
		"/v1/organizations/"+organization+"/associations?includeDescendants=true&"+sorted,
		"/v1/organizations/"+organization+"/clubs?includeDescendants=true&"+sorted,
		"/v1/organizations/"+organization+"/competitions?includeDescendants=true&"+sorted,
		"/v1/organizations/"+association+"/teams?includeDescendants=true&"+sorted,
		"/v1/organizations/"+club+"/players?includeDescendants=true&"+sorted,
		"/v1/organizations/"+association+"/players?includeDescendants=true&teamId="+team+"&"+sorted,
		"/v1/tournaments/"+competition+anyOf(r, "", "/standings", "/groups", "/statistics", "/cards", "/top-scorers"),
		"/v1/tournaments/"+competition+anyOf(r, "/matches?", "/teams?", "/players?")+page,
		"/v1/tournaments/"+competition+"/matches?status=finished&from=2025-09-01&"+page,
		"/v1/matches/"+match+anyOf(r, "", "/lineups", "/events", "/statistics"),
		"/v1/teams/"+team+anyOf(r, "", "/players", "/matches", "/statistics"),
		"/v1/teams/"+club+"/matches?"+page,
		"/v1/players/"+player+anyOf(r, "", "/statistics", "/matches?"+page),
	)
}

func anyOf[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }
