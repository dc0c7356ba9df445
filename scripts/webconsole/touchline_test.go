package webconsole

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"touchline/shared/sport"
)

var hiddenOfReport = regexp.MustCompile(`type="hidden" name="(mark|home|away)" value="([^"]*)"`)

// atTheTouchline fills in the form of a match, and sends it.
func (b *browser) atTheTouchline(t *testing.T, path string) (form func(...string) url.Values, report func(url.Values) string) {
	form = func(fields ...string) url.Values {
		t.Helper()
		v := url.Values{}
		for _, m := range hiddenOfReport.FindAllStringSubmatch(b.follow(t, http.StatusSeeOther, path), -1) {
			v.Set(m[1], m[2])
		}
		for i := 0; i < len(fields); i += 2 {
			v.Set(fields[i], fields[i+1])
		}
		return v
	}
	report = func(v url.Values) string {
		t.Helper()
		w := b.post(path, v)
		return b.follow(t, w.Code, w.Header().Get("Location"))
	}
	return form, report
}

func TestAMatchIsReportedFromTheTouchline(t *testing.T) {
	b := loaded(t, league(), Options{})
	path := "/touchline/" + idAt(sport.KindMatch, "M2")
	form, report := b.atTheTouchline(t, path)
	if page := report(form("what", "start")); !strings.Contains(page, `>live<`) || !strings.Contains(page, "period, start") {
		t.Error(page)
	}
	goal := form("what", "goal", "side", "away", "minute", "12")
	if page := report(goal); !strings.Contains(page, `<b class="score">0:1</b>`) || !strings.Contains(page, "12") {
		t.Error(page)
	}
	if page := report(goal); !strings.Contains(page, "the score is 0:1 by now") || strings.Count(page, "<b>goal") != 1 {
		t.Error(page)
	}
	card := form("what", "yellow", "side", "home", "minute", "20")
	report(card)
	if page := report(card); strings.Count(page, "<b>card, yellow") != 1 {
		t.Error(page)
	}
	if page := report(form("what", "end", "minute", "90")); !strings.Contains(page, `>finished<`) {
		t.Error(page)
	}
	for _, fields := range [][]string{{"what", "nonsense"}, {"what", "goal"}, {"what", "red", "side", "middle"}, {"what", "yellow", "side", "home", "minute", "1", "player", "nobody"}} {
		if page := report(form(fields...)); !strings.Contains(page, "note failed") {
			t.Errorf("%v: %s", fields, page)
		}
	}
	if w := b.send(http.MethodGet, "/touchline/x", "", nil); w.Code != http.StatusNotFound {
		t.Error(w.Code)
	}
}

// A session undoes its own reports of a match, the last one first, and nothing else: what
// was loaded in between stays.
func TestReportsAreUndone(t *testing.T) {
	b := loaded(t, league(), Options{})
	path, other := "/touchline/"+idAt(sport.KindMatch, "M2"), "/touchline/"+idAt(sport.KindMatch, "M3")
	form, report := b.atTheTouchline(t, path)
	otherForm, otherReport := b.atTheTouchline(t, other)
	last := regexp.MustCompile(`name="load" value="(\d+)"`)
	undo := func(b *browser, path, page string) string {
		t.Helper()
		v := url.Values{}
		if m := last.FindStringSubmatch(page); m != nil {
			v.Set("load", m[1])
		}
		w := b.post(path+"/undo", v)
		return b.follow(t, w.Code, w.Header().Get("Location"))
	}
	if page := b.follow(t, http.StatusSeeOther, path); last.MatchString(page) {
		t.Error("something can be undone before the first report")
	}
	if page := undo(b, path, `name="load" value="1"`); !strings.Contains(page, "Nothing was undone") { // the first load
		t.Error(page)
	}
	report(form("what", "start"))
	page := report(form("what", "goal", "side", "home", "minute", "3"))
	otherReport(otherForm("what", "start"))
	if page := undo(b, other, page); !strings.Contains(page, "Nothing was undone") { // that of another match
		t.Error(page)
	}
	stranger := b.as(t, Role{})
	if page := undo(stranger, path, page); !strings.Contains(page, "Nothing was undone") || last.MatchString(page) {
		t.Error(page)
	}
	if page = undo(b, path, page); !strings.Contains(page, "The report is undone") || !strings.Contains(page, `<b class="score">0:0</b>`) || !strings.Contains(page, ">live<") {
		t.Error(page)
	}
	if page = undo(b, path, page); !strings.Contains(page, "The report is undone") || strings.Contains(page, ">live<") || last.MatchString(page) {
		t.Error(page)
	}
	if page := b.follow(t, http.StatusSeeOther, other); !strings.Contains(page, ">live<") {
		t.Error("the report of another match is undone")
	}
	page = report(form("what", "goal", "side", "away", "minute", "5"))
	theirs, report2 := stranger.atTheTouchline(t, path)
	report2(theirs("what", "yellow", "side", "away", "minute", "6"))
	if page = undo(b, path, page); !strings.Contains(page, "the match was changed since") || !strings.Contains(page, `<b class="score">0:1</b>`) {
		t.Error(page)
	}
	if w := b.as(t, Role{ReadOnly: true}).post(other+"/undo", nil); w.Code != http.StatusForbidden {
		t.Errorf("for reading only: %d", w.Code)
	}
}

// A basket counts what the sport says; of one that is not known the reporter says it.
func TestScoresCountWhatTheSportSays(t *testing.T) {
	for rules, want := range map[string]struct{ button, fields, score string }{
		`{"sport":"basketball"}`:  {`value="points 3">Three points (+3)`, "points 3", "3:0"},
		`{"sport":"rugby union"}`: {`value="points 5">Try (+5)`, "points 5", "5:0"},
		`{"sport":"handball"}`:    {`value="goal">Goal<`, "goal", "1:0"},
		`{"sport":"quidditch"}`:   {`value="points">Add them`, "points", "30:0"},
		`{}`:                      {`value="goal">Goal<`, "goal", "1:0"},
	} {
		files := league()
		files["competitions.ndjson"].Data = []byte(`{"id":"cup","season":2025,"name":"Cup","organizationId":"west"}
{"id":"bowl","season":2025,"name":"Bowl","organizationId":"east","rules":` + rules + `}
`)
		b := loaded(t, files, Options{})
		form, report := b.atTheTouchline(t, "/touchline/"+idAt(sport.KindMatch, "M9"))
		if page := report(form("what", "start")); !strings.Contains(page, want.button) || strings.Contains(page, "Points that count") == (rules != `{"sport":"quidditch"}`) || strings.Contains(page, "Of points the score alone is noted") == (want.fields == "goal") {
			t.Errorf("%s: %s", rules, page)
		}
		scored := form("what", want.fields, "side", "home", "minute", "5", "points", "30")
		page := report(scored)
		if !strings.Contains(page, `<b class="score">`+want.score+`</b>`) {
			t.Errorf("%s: %s", rules, page)
		}
		if page := report(scored); !strings.Contains(page, "somebody else has reported, or this was sent twice") {
			t.Errorf("%s: counts twice: %s", rules, page)
		}
		for _, wrong := range [][]string{{"points 0", "home"}, {"points 100", "home"}, {"points -1", "home"}, {"points 2", ""}} {
			if page := report(form("what", wrong[0], "side", wrong[1])); !strings.Contains(page, "Nothing was changed: say") {
				t.Errorf("%v: %s", wrong, page)
			}
		}
	}
}

// What may be reported next of the periods follows the sport.
func TestPeriodsOfOtherSports(t *testing.T) {
	files := league()
	files["competitions.ndjson"].Data = []byte(`{"id":"cup","season":2025,"name":"Cup","organizationId":"west","timezone":"Europe/Vienna"}
{"id":"bowl","season":2025,"name":"Bowl","organizationId":"east","rules":{"sport":"basketball","periods":{"count":3,"minutes":20,"extra":5}}}
`)
	b := loaded(t, files, Options{})
	form, report := b.atTheTouchline(t, "/touchline/"+idAt(sport.KindMatch, "M9"))
	button := regexp.MustCompile(`value="(period[A-Z]\w+ \w+)"`)
	page := report(form("what", "start"))
	if !strings.Contains(page, `value="timeout"`) {
		t.Error("no timeout")
	}
	for _, want := range []string{"periodEnd period1", "periodStart period2", "periodEnd period2", "periodStart period3", "periodEnd period3", "periodStart overtime1", "periodEnd overtime1"} {
		found := button.FindAllStringSubmatch(page, -1)
		if len(found) == 0 || found[0][1] != want {
			t.Fatalf("%v, want %s: %s", found, want, page)
		}
		page = report(form("what", want, "minute", "70"))
	}
	if page = report(form("what", "end", "minute", "65")); !strings.Contains(page, ">finished<") || strings.Count(page, "period, end") != 4 {
		t.Error(page)
	}
	if page = report(form("what", "periodStart secondHalf", "minute", "1")); !strings.Contains(page, "such a match has no period") {
		t.Error(page)
	}
}
