package webconsole

import (
	"archive/zip"
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"touchline/shared/dataset"
	"touchline/shared/sport"
)

// sent is an upload of files by name, with fields in the order given.
func (b *browser) sent(t *testing.T, fields []string, files map[string]string) (code int, location string) {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, f := range fields {
		name, value, _ := strings.Cut(f, "=")
		must(t, form.WriteField(name, value))
	}
	for name, content := range files {
		part, err := form.CreateFormFile("files", name)
		must(t, err)
		if _, err := part.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	must(t, form.Close())
	w := b.send(http.MethodPost, uploadPath, body.String(), func(r *http.Request) { r.Header.Set("Content-Type", form.FormDataContentType()) })
	return w.Code, w.Header().Get("Location")
}

func TestAnUploadIsCheckedAppliedAndUndone(t *testing.T) {
	b := loaded(t, club(), Options{})
	t.Setenv("TMPDIR", t.TempDir())
	upload := func(fields []string, files map[string]string) string {
		t.Helper()
		code, location := b.sent(t, fields, files)
		return b.follow(t, code, location)
	}
	changed := map[string]string{"organizations.ndjson": `{"id":"club","type":"club","name":"FC New","parentId":"fed"}` + "\n", ".DS_Store": "x"}
	page := upload(nil, changed)
	holds(t, page, `name &#34;FC &lt;b&gt;Bold&lt;/b&gt;&#34; to &#34;FC New&#34;`, "Apply it")
	holds(t, b.page(t, "/loads"), "not applied yet")
	if page := b.follow(t, b.confirm(t, page, "/loads/apply", url.Values{"note": {strings.Repeat("é", 101)}}).Code, "/loads/check"); !strings.Contains(page, "more than 100 characters") || !strings.Contains(page, `aria-describedby="why" aria-invalid="true" autofocus`) || strings.Count(page, " autofocus") != 1 || !strings.Contains(page, "Apply it") {
		t.Error(page)
	}
	holds(t, b.follow(t, b.confirm(t, page, "/loads/apply", nil).Code, "/loads"), "organizations.ndjson: loaded.", "<td>1 organization changed: club<small")
	holds(t, b.follow(t, b.post("/loads/apply", nil).Code, "/loads"), "There is no upload to apply")
	holds(t, upload(nil, changed), "There is nothing to change")
	holds(t, b.page(t, "/loads/2"), "organization club: name changed", no("FC New"))
	holds(t, b.page(t, "/loads/2/undo"), "Undo load 2", "FC New&#34; to")
	holds(t, b.follow(t, b.undo(t, 2, nil).Code, "/loads"), "Load 2 is undone", "undid load 2")
	holds(t, b.page(t, "/loads/2/undo"), "undone already")

	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	f, err := z.Create("federation/organizations.ndjson")
	must(t, err)
	if _, err := f.Write([]byte(`{"id":"other","type":"club","name":"Other","parentId":"fed"}` + "\n")); err != nil {
		t.Fatal(err)
	}
	must(t, z.Close())
	holds(t, upload(nil, map[string]string{"new.zip": archive.String()}), "What new.zip would change", "Other")
	holds(t, upload([]string{"replace=yes", "deletes=1"}, map[string]string{"new.zip": archive.String()}), "does not exist", no("Apply it"))
	holds(t, upload(nil, map[string]string{"organizations.ndjson": `{"id":"club","type":"club","name":"FC <b>Bold</b>"}` + "\n"}), "<li>organizations: parent id of 1</li>")
	holds(t, upload(nil, map[string]string{"organizations.ndjson": "{\"id\":\"x\",\"type\":\"<i>\"}\n"}), "faults", no("<i>"), no("Apply it"))
	holds(t, upload(nil, map[string]string{"broken.zip": "none"}), "is not a complete zip archive")
	holds(t, upload(nil, nil), "no file was chosen")
	holds(t, upload(nil, map[string]string{"new.zip": archive.String(), "teams.ndjson": ""}), "choose one archive")
	upload(nil, map[string]string{"organizations.ndjson": `{"id":"club","type":"club","name":"FC Two","parentId":"fed"}`, "teams.ndjson": ""})
	holds(t, b.follow(t, b.confirm(t, b.page(t, "/loads/check"), "/loads/apply", nil).Code, "/loads"), "2 files: loaded.")
	b.follow(t, b.post("/loads/drop", nil).Code, "/loads")
	b.sent(t, nil, changed)
	b.Close()
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// Whom a load or an undo shows the page says, and asks whether that is meant (D74, D89).
func TestWhoIsShownIsAskedFor(t *testing.T) {
	b := loaded(t, club(), Options{})
	t.Setenv("TMPDIR", t.TempDir())
	apply := func(lines, want string, asks bool, form url.Values) string {
		t.Helper()
		code, location := b.sent(t, nil, map[string]string{"organizations.ndjson": lines})
		page := b.follow(t, code, location)
		if !strings.Contains(page, want) || strings.Contains(page, `name="meant"`) != asks {
			t.Errorf("%s: %s", lines, page)
		}
		return b.follow(t, b.confirm(t, page, "/loads/apply", form).Code, "/loads")
	}
	meant := url.Values{"meant": {"yes"}}
	const line = `{"id":"club","type":"club","name":"FC","parentId":"fed"%s}`
	apply(fmt.Sprintf(line, `,"visibility":"hidden"`), "Apply it", false, nil)
	apply(fmt.Sprintf(line, `,"description":"x"`), "organizations: 1, as visibility does not say otherwise", false, nil)
	holds(t, apply(fmt.Sprintf(line, `,"visibility":"public"`), "organizations: 1 (club), as they say", false, nil), "loaded.")
	b.undo(t, 4, nil)
	holds(t, b.page(t, "/loads/2/undo"), "were changed since")
	b.undo(t, 3, nil)
	holds(t, b.page(t, "/loads/2/undo"), "organizations: 1 (club)", `name="meant"`)
	holds(t, b.follow(t, b.undo(t, 2, nil).Code, "/loads"), "it would show who is hidden")
	holds(t, b.follow(t, b.undo(t, 2, meant).Code, "/loads"), "Load 2 is undone")
	two := `{"id":"k","type":"club","name":"Kites","parentId":"fed"}` + "\n" + `{"id":"l","type":"club","name":"Larks","parentId":"fed"}`
	apply(two, "Apply it", false, nil)
	moves := strings.NewReplacer("Kites", "Larks", "Larks", "Kites").Replace(two)
	holds(t, apply(moves, "organizations: 2 get the name that another one had: k Kites to Larks, l Larks to Kites", true, nil), "or move names")
	holds(t, apply(moves, "Move the names", true, meant), "loaded.")
}

func (b *browser) undo(t *testing.T, load int, fields url.Values) *httptest.ResponseRecorder {
	t.Helper()
	path := fmt.Sprintf("/loads/%d/undo", load)
	return b.confirm(t, b.page(t, path), path, fields)
}

// A button does what its page showed, and nothing else: what another tab has checked since it
// neither does nor drops, and after another load it shows what it would do now.
func TestAButtonDoesWhatItsPageShowed(t *testing.T) {
	b := loaded(t, league(), Options{})
	t.Setenv("TMPDIR", t.TempDir())
	tab := func(name string) string {
		code, location := b.sent(t, nil, map[string]string{"teams.ndjson": fmt.Sprintf(`{"id":"a","patch":true,"name":%q}`, name)})
		return b.follow(t, code, location)
	}
	name := func() string { return b.page(t, "/data/competitions/"+idAt(sport.KindCompetition, "cup")) }
	one, two := tab("First"), tab("Second")
	holds(t, b.follow(t, b.confirm(t, one, "/loads/apply", nil).Code, "/loads"), "loaded.")
	holds(t, name(), "First")
	holds(t, b.follow(t, b.confirm(t, two, "/loads/apply", nil).Code, "/loads/check"), "Nothing was changed", "name &#34;First&#34; to &#34;Second&#34;", "Apply it")
	holds(t, b.follow(t, b.confirm(t, two, "/loads/apply", nil).Code, "/loads/check"), "Nothing was changed") // its page is of before
	holds(t, name(), "First")
	b.apply(t)
	holds(t, name(), "Second")
	undo := b.page(t, "/loads/3/undo")
	tab("Third")
	b.apply(t)
	holds(t, b.follow(t, b.confirm(t, undo, "/loads/3/undo", nil).Code, "/loads/3/undo"), "Nothing was changed", "were changed since")
	holds(t, b.follow(t, b.post("/loads/4/undo", nil).Code, "/loads/4/undo"), "Nothing was changed")
	holds(t, name(), "Third")
}

// A load before the last is undone whole; where somebody has changed its records since,
// the page names them.
func TestAnEarlierLoadIsUndone(t *testing.T) {
	b := loaded(t, league(), Options{})
	for _, names := range [][]string{{"Aunts", "Beans"}, {"", "Bears"}} { // loads 2 and 3
		text := ""
		for i, name := range names {
			if name != "" {
				text += fmt.Sprintf(`{"id":%q,"patch":true,"name":%q}`+"\n", "ab"[i:i+1], name)
			}
		}
		b.sent(t, nil, map[string]string{"teams.ndjson": text})
		b.apply(t)
	}
	bees := idAt(sport.KindTeam, "b")
	page := b.page(t, "/loads/2/undo")
	holds(t, page, "Some of its records were changed since", "<b>Bears</b> <code>b</code>", `href="/loads?of=`+bees+`"`, no("Aunts"), no("Undo the load<"))
	holds(t, b.page(t, "/loads"), "6 teams created: a, b, c and 3 more<br>3 players created: p7, p8, q1<br>4 matches", "2 teams changed: a, b<")
	page = b.follow(t, b.undo(t, 3, nil).Code, "/loads")
	holds(t, page, "Load 3 is undone", "undone by 4", no(`href="/loads/3/undo"`))
	page = b.page(t, "/loads/2/undo")
	holds(t, page, "name &#34;Aunts&#34; to &#34;Ants&#34;", "Undo the load<")
	page = b.follow(t, b.undo(t, 2, nil).Code, "/loads")
	holds(t, page, "Load 2 is undone")
	page = b.page(t, "/loads?of="+bees)
	if strings.Count(page, `<tr><th scope="row"`) != 5 || !strings.Contains(page, "undid load 3: team b") || strings.Contains(page, "team a") {
		t.Error(page)
	}
	for _, path := range []string{"/loads/99", "/loads/99/undo", "/loads/x/undo"} {
		if w := b.send(http.MethodGet, path, "", nil); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

func TestAFaultOfAWorkbookShowsItsCell(t *testing.T) {
	var b strings.Builder
	if err := pageTemplates["checked"].ExecuteTemplate(&b, "faultlist", []dataset.Fault{{Field: "date", Cell: "matches!F2"}}); err != nil {
		t.Fatal(err)
	}
	holds(t, b.String(), "<code>date</code> matches!F2")
}

func TestWhatTakesTooMuchMemorySaysHowMuch(t *testing.T) {
	b := loaded(t, league(), Options{})
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 20))
	code, location := b.sent(t, nil, map[string]string{"teams.ndjson": `{"id":"a","patch":true,"name":"Aunts"}` + "\n"})
	holds(t, b.follow(t, code, location), "MB of memory, and the process may take 1 MB.")
}
