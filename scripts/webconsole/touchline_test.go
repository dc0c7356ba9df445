package webconsole

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"touchline/shared/sport"
)

func TestAMatchIsReportedFromTheTouchline(t *testing.T) {
	b := loaded(t, league(), Options{})
	path := "/touchline/" + idAt(sport.KindMatch, "M2")
	hidden := regexp.MustCompile(`type="hidden" name="(mark|home|away)" value="([^"]*)"`)
	form := func(fields ...string) url.Values {
		t.Helper()
		v := url.Values{}
		for _, m := range hidden.FindAllStringSubmatch(b.follow(t, http.StatusSeeOther, path), -1) {
			v.Set(m[1], m[2])
		}
		for i := 0; i < len(fields); i += 2 {
			v.Set(fields[i], fields[i+1])
		}
		return v
	}
	report := func(v url.Values) string {
		t.Helper()
		w := b.post(path, v)
		return b.follow(t, w.Code, w.Header().Get("Location"))
	}
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
