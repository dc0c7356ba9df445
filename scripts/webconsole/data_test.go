package webconsole

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"touchline/scripts/spreadsheet"
	"touchline/shared/demo"
	"touchline/shared/loader"
	"touchline/shared/meter"
	"touchline/shared/sport"
	"touchline/shared/store/records/recordstest"
)

// loaded is a console on a dataset of files.
func loaded(t testing.TB, files fs.FS, o Options) *browser {
	t.Helper()
	table := recordstest.New(t)
	o.Sports = table.Table
	o.Loader = func() *loader.Loader {
		l := table.Loader()
		l.Workbooks = spreadsheet.Workbooks
		return l
	}
	if _, err := o.Loader().Load(t.Context(), files, loader.Options{}); err != nil {
		t.Fatal(err)
	}
	return loggedInBrowser(t, o)
}

// demoBrowser is a console on the demo federation.
func demoBrowser(t *testing.T) *browser {
	t.Helper()
	dir := t.TempDir()
	if err := demo.Write(dir, testTime); err != nil {
		t.Fatal(err)
	}
	return loaded(t, os.DirFS(dir), Options{})
}

var link = regexp.MustCompile(`href="(/data[^"]*)"`)

// kindOf is a page's address without what distinguishes it from others of its kind.
func kindOf(target string) string {
	return regexp.MustCompile(`[0-9a-f]{24}|page=[0-9]+|season=[0-9]+`).ReplaceAllString(strings.ReplaceAll(target, "&amp;", "&"), "*")
}

// mostUnits is how many read units a page of data may take: the order of a table, which is
// computed from the records, takes most.
const mostUnits = 50

// reads counts the read units of the table that something takes.
func (b *browser) reads(what func()) float64 {
	b.options.Sports.Meter = &meter.Meter{}
	defer func() { b.options.Sports.Meter = nil }()
	what()
	return b.options.Sports.Meter.Total().ReadUnits
}

// TestEveryDataPageOfTheDemoIsThere follows links, so many of each kind.
func TestEveryDataPageOfTheDemoIsThere(t *testing.T) {
	if testing.Short() {
		t.Skip("loads the demo: make test-all runs it")
	}
	b := demoBrowser(t)
	const ofKind = 12
	visited, of, cards := map[string]bool{}, map[string]int{}, 0
	for next := []string{"/data"}; len(next) > 0; next = next[1:] {
		target := next[0]
		if visited[target] || of[kindOf(target)] == ofKind {
			continue
		}
		visited[target] = true
		of[kindOf(target)]++
		var w *httptest.ResponseRecorder
		if units := b.reads(func() { w = b.send(http.MethodGet, target, "", nil) }); units > mostUnits {
			t.Errorf("%s reads %.1f units, at most %d are allowed", target, units, mostUnits)
		}
		body := w.Body.String()
		if w.Code != http.StatusOK || strings.Contains(body, "0xc0") || strings.Contains(body, "goal, regular") || strings.Contains(body, "%3d") {
			t.Fatalf("%s: %d %.2000s", target, w.Code, body)
		}
		cards += strings.Count(body, "<b>yellow card</b>")
		for _, found := range link.FindAllStringSubmatch(w.Body.String(), -1) {
			next = append(next, strings.ReplaceAll(found[1], "&amp;", "&"))
		}
	}
	var kinds []string
	for kind := range of {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	if len(kinds) < 6 || cards == 0 {
		t.Errorf("only %d kinds of pages: %q; %d yellow cards", len(kinds), kinds, cards)
	}
}

// Where two federations share a table the data of both are there, also before either has a
// key.
func TestTheDataOfEveryFederationAreShown(t *testing.T) {
	files := league()
	files["organizations.ndjson"].Data = append(files["organizations.ndjson"].Data, `{"id":"other","type":"federation","name":"Other"}
`...)
	files["competitions.ndjson"].Data = append(files["competitions.ndjson"].Data, `{"id":"plate","season":2025,"name":"Plate","organizationId":"other"}
`...)
	b, _ := keeper(t, files)
	page := b.page(t, "/data")
	holds(t, page, ">Cup</a>", ">Plate</a>", ">East <", ">Other <")
	for _, path := range []string{"/data/competitions/" + idAt(sport.KindCompetition, "cup"), "/data/competitions/" + idAt(sport.KindCompetition, "plate")} {
		b.page(t, path)
	}
	b.sent(t, nil, map[string]string{"organizations.ndjson": `{"id":"third","type":"federation","name":"Third"}`})
	b.apply(t)
	holds(t, b.page(t, "/data"), ">Third <")
}

func TestWhatIsHiddenOrNotThereHasNoPage(t *testing.T) {
	files := league()
	files["matches.ndjson"].Data = append(files["matches.ndjson"].Data, `{"id":"hi","status":"upcoming","kickoffAt":"2026-03-14T16:00:00Z","homeTeamId":"c","awayTeamId":"d","visibility":"hidden"}
`...)
	b := loaded(t, files, Options{})
	for _, path := range []string{"/data/matches/p7", "/data/matches/" + idAt(sport.KindMatch, "hi"), "/data/teams/" + idAt(sport.KindTeam, "d"), "/fixtures/zz"} {
		if w := b.send(http.MethodGet, path, "", nil); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// The page of a competition leads to its earlier seasons, whose order is explained.
func TestAnEarlierSeasonHasItsPages(t *testing.T) {
	files := league()
	files["competitions.ndjson"].Data = append(files["competitions.ndjson"].Data, `{"id":"cup","season":2024,"name":"Cup","organizationId":"fed"}
`...)
	b := loaded(t, files, Options{})
	cup := "/data/competitions/" + idAt(sport.KindCompetition, "cup")
	holds(t, b.page(t, cup), `<a href="?season=2024">2024</a>`, `href="?tab=order"`)
	holds(t, b.page(t, cup+"?season=2024"), "Season 2024", "season=2024&amp;tab=order")
}
