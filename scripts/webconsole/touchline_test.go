package webconsole

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"touchline/shared/dataset"
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

// The last report of a match is undone, and nothing else.
func TestTheLastReportIsUndone(t *testing.T) {
	b := loaded(t, league(), Options{})
	path, other := "/touchline/"+idAt(sport.KindMatch, "M2"), "/touchline/"+idAt(sport.KindMatch, "M3")
	form, report := b.atTheTouchline(t, path)
	otherForm, otherReport := b.atTheTouchline(t, other)
	undo := func(path string) string {
		t.Helper()
		w := b.post(path+"/undo", nil)
		return b.follow(t, w.Code, w.Header().Get("Location"))
	}
	if page := undo(path); !strings.Contains(page, "something else was saved") && !strings.Contains(page, "no report is kept") { // the first load
		t.Error(page)
	}
	report(form("what", "start"))
	report(form("what", "goal", "side", "home", "minute", "3"))
	if page := undo(other); !strings.Contains(page, "something else was saved after the last report of this match") {
		t.Error(page)
	}
	if page := undo(path); !strings.Contains(page, "The last report is undone") || !strings.Contains(page, `<b class="score">0:0</b>`) {
		t.Error(page)
	}
	if page := undo(path); !strings.Contains(page, "is undone already") || !strings.Contains(page, `<b class="score">0:0</b>`) {
		t.Error(page)
	}
	report(form("what", "goal", "side", "away", "minute", "5"))
	otherReport(otherForm("what", "start"))
	if page := undo(path); !strings.Contains(page, "something else was saved") || !strings.Contains(page, `<b class="score">0:1</b>`) {
		t.Error(page)
	}
	west := b.as(t, Role{Only: dataset.ID(sport.KindOrganization, "east")})
	if w := west.post(other+"/undo", nil); w.Code != http.StatusForbidden {
		t.Errorf("a foreign match: %d", w.Code)
	}
	if w := b.as(t, Role{ReadOnly: true}).post(other+"/undo", nil); w.Code != http.StatusForbidden {
		t.Errorf("for reading only: %d", w.Code)
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
