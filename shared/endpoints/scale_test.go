package endpoints_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"touchline/shared/engine/enginetest"
	"touchline/shared/sport"
	"touchline/shared/store/records/recordstest"
	"touchline/shared/testdata/seed"
)

// scaleVariable is the environment variable that says up to which size, in
// multiples of S, the budgets are held: 1, 10, 100 or 200. Two million players take
// twenty minutes to load: scaleFolder names a folder in which what was loaded is
// kept from one run to the next. It is for a developer who wants to ask again, and
// must be emptied where the loader or the seed has changed.
const (
	scaleVariable = "TOUCHLINE_SCALE"
	scaleFolder   = "TOUCHLINE_SCALE_DIR"
)

// TestScale holds reads at S, 10 S, 100 S and 200 S:
// 10,000 players to two million, and of all else as many times as much. That the
// bounds are the same for all is the point.
func TestScale(t *testing.T) {
	if testing.Short() {
		t.Skip("loads 10,000 players: make test-all runs it")
	}
	for _, size := range sizes() {
		t.Run(fmt.Sprint(size, " S"), func(t *testing.T) {
			dataset := seedOf(t, size)
			holdBudgets(t, federation(t, size, dataset), dataset, size)
		})
	}
}

// sizes are those at which budgets are held.
func sizes() []int {
	largest, err := strconv.Atoi(os.Getenv(scaleVariable))
	if err != nil {
		largest = 1
	}
	return slices.DeleteFunc([]int{1, 10, 100, 200}, func(size int) bool { return size > largest })
}

// holdBudgets holds every route of the contract to the table of reads (design.md,
// DynamoDB). At worst a page took 3.0 units besides the size of its response, one
// resource 1.0, a list with several filters 4.5; a tree of 500 nodes 32.
func holdBudgets(t *testing.T, table *recordstest.Table, dataset fs.FS, size int) {
	t.Helper()
	s, names := serving(t, table, dataset)
	asked := map[string]bool{}
	worst := map[budget]spent{}
	targets := scaleCosts()
	for _, target := range slices.Sorted(maps.Keys(targets)) {
		b := targets[target]
		target = names.Replace(target)
		operation, _, ok := s.routes.Match(strings.SplitN(target, "?", 2)[0])
		if !ok {
			t.Fatalf("no route for %s", target)
		}
		asked[operation.Path] = true
		got := s.spend(t, keyOf("est"), target)
		if got.status != 200 && !tooLarge(target, size) {
			t.Errorf("%s: %d", target, got.status)
		}
		b.hold(t, target, got)
		if w, ok := worst[b]; !ok || got.over() > w.over() {
			worst[b] = got
		}
	}
	for o := range s.routes.All() {
		if !asked[o.Path] && o.Path != "/v1/ping" { // which reads nothing
			t.Errorf("%s was not asked", o.Path)
		}
	}
	for b, w := range worst {
		t.Logf("%d trips, answer / 8 KB + %v: at worst %d trips, answer / 8 KB + %.1f (%.1f units, %d bytes)", b.trips, b.units, w.trips, w.over(), w.units, w.bytes)
	}
}

// tooLarge reports whether a target ranges over more organizations than an
// answer may (D1 step 20): refusing has the budget of answering. The
// first association has a fifth of the clubs.
func tooLarge(target string, size int) bool {
	if !strings.Contains(target, "includeDescendants=true") {
		return false
	}
	fed := strings.Contains(target, "/"+string(sport.IDFor(sport.KindOrganization, "est"))+"/")
	narrowed := strings.Contains(target, "associationId=") || strings.Contains(target, "clubId=")
	atLarge := strings.Contains(target, "/players?") && !regexp.MustCompile(`(association|club|competition|team)Id=`).MatchString(target)
	organizations := 1 + 44*size
	if fed && !narrowed {
		organizations = 1 + 229*size
	}
	return organizations > 5000 || atLarge && organizations > 50
}

// serving serves a synthetic federation, and returns the names of its ids.
func serving(t *testing.T, table *recordstest.Table, dataset fs.FS) (*service, *strings.Replacer) {
	t.Helper()
	s := over(table)
	id := func(name string) string { return string(s.id(name)) }
	match := detailed(t, dataset)
	home, _, _ := strings.Cut(match[len("est.league.1/2025/"):], "-")
	return s, strings.NewReplacer(
		"FED", id("o:est"), "ASSOCIATION", id("o:est.association.1"), "CLUB", id("o:est.club.1"),
		"LEAGUE", id("c:est.league.1"), "CUP", id("c:est.tournament.1"), "TEAM", id("t:est.league.1/2025/1"),
		"MATCH", string(sport.IDFor(sport.KindMatch, match)),
		"PLAYER", string(sport.IDFor(sport.KindPlayer, "est.league.1/2025/"+home+"/1")),
	)
}

// seedOf is the dataset of the synthetic federation of a size.
func seedOf(t *testing.T, size int) fs.FS {
	t.Helper()
	return os.DirFS(seed.Write(t, seed.Options{Size: size, Details: 10}))
}

// federation is a table that holds the synthetic federation of a size.
func federation(t *testing.T, size int, dataset fs.FS) *recordstest.Table {
	t.Helper()
	if size == 1 {
		x := recordstest.New(t) // where no call is made twice, as one is to an engine that is late
		x.Load(t, dataset)
		return x
	}
	folder := cmp.Or(os.Getenv(scaleFolder), t.TempDir())
	done := filepath.Join(folder, fmt.Sprint(size, ".loaded"))
	file := filepath.Join(folder, fmt.Sprint(size, ".db"))
	_, missing := os.Stat(file)
	x := recordstest.At(t, enginetest.StartOn(t, file), missing != nil)
	if _, err := os.Stat(done); err == nil && missing == nil {
		return x
	}
	began := time.Now()
	x.Load(t, dataset)
	t.Logf("loaded in %v", time.Since(began).Round(time.Second))
	if err := os.WriteFile(done, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return x
}

// detailed finds a match of the first league that has line-ups.
func detailed(t *testing.T, dataset fs.FS) string {
	t.Helper()
	for line := range bytes.Lines(plainOf(t, dataset, "matches.ndjson")) {
		if bytes.Contains(line, []byte(`"lineups"`)) {
			return string(regexp.MustCompile(`"id":"([^"]+)"`).FindSubmatch(line)[1])
		}
	}
	t.Fatal("no match has line-ups")
	return ""
}

// scaleCosts are the routes and filters of costs, and those of matches, teams
// and players.
func scaleCosts() map[string]budget {
	all := costs()
	for target, b := range map[string]budget{
		"/v1/organizations/FED":                                         single,
		"/v1/tournaments/LEAGUE/groups":                                 {1, 1.5}, // with the seasons (D57)
		"/v1/tournaments/CUP/groups":                                    {1, 1.5}, // with the seasons (D57)
		"/v1/tournaments/LEAGUE/statistics":                             single,
		"/v1/matches/MATCH/lineups":                                     single,
		"/v1/matches/MATCH/events":                                      single,
		"/v1/matches/MATCH/statistics":                                  single,
		"/v1/teams/TEAM":                                                single,
		"/v1/teams/TEAM/statistics":                                     single,
		"/v1/players/PLAYER/statistics":                                 single,
		"/v1/tournaments/LEAGUE/top-scorers?":                           onePage,
		"/v1/tournaments/LEAGUE/cards?":                                 onePage,
		"/v1/tournaments/LEAGUE/top-scorers?type=appearances&limit=100": onePage,
		"/v1/tournaments/LEAGUE/cards?scope=team":                       onePage,
		"/v1/organizations/FED/tree?depth=1":                            tree,
		"/v1/matches/MATCH/lineups?season=2025":                         {2, 1.5},
		"/v1/matches/MATCH/events?season=2025":                          {2, 1.5},
		"/v1/matches/MATCH/statistics?season=2025":                      {2, 1.5},
	} {
		all[target] = b
	}
	for _, resource := range []string{"tournaments/LEAGUE/groups", "tournaments/LEAGUE/standings", "tournaments/LEAGUE/statistics", "teams/TEAM/statistics", "players/PLAYER/statistics"} {
		all["/v1/"+resource+"?season=2025"] = seasonal
	}
	all["/v1/tournaments/LEAGUE/groups?season=2025"] = budget{2, 1.5}
	for _, query := range []string{"", "limit=1", "limit=100", "page=2", "status=finished", "from=2026-01-01", "season=2025"} {
		all["/v1/teams/TEAM/matches?"+query] = onePage
		all["/v1/players/PLAYER/matches?"+query] = played
		all["/v1/teams/CLUB/matches?"+query] = several // the lists of all its teams
	}
	// The last pages of the window.
	for _, list := range []string{"clubs", "teams", "competitions"} {
		for _, query := range []string{"page=100&limit=100", "page=10000&limit=1", "page=400&limit=25&sort=-name"} {
			all["/v1/organizations/FED/"+list+"?includeDescendants=true&"+query] = onePage
			all["/v1/organizations/ASSOCIATION/"+list+"?includeDescendants=true&"+query] = onePage
		}
	}
	return all
}
