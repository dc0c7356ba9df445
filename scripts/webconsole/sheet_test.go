package webconsole

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"touchline/shared/dataset"
	"touchline/shared/sport"
)

var (
	inputOf  = regexp.MustCompile(`<input [^>]*name="([^"]+)"[^>]*>`)
	valueOf  = regexp.MustCompile(`value="([^"]*)"`)
	selectOf = regexp.MustCompile(`(?s)<select [^>]*name="([^"]+)"[^>]*>(.*?)</select>`)
	chosenOf = regexp.MustCompile(`<option(?: value="([^"]*)")? selected(?: value="([^"]*)")?>`)
)

// filled is the form of a page as a browser sends it.
func filled(page string, changes ...string) url.Values {
	_, page, _ = strings.Cut(page, `<form class="teamsheet"`)
	form := url.Values{}
	for _, m := range inputOf.FindAllStringSubmatch(page, -1) {
		if strings.Contains(m[0], "checkbox") && !strings.Contains(m[0], " checked") {
			continue
		}
		if v := valueOf.FindStringSubmatch(m[0]); v != nil {
			form.Set(m[1], v[1])
		}
	}
	for _, m := range selectOf.FindAllStringSubmatch(page, -1) {
		if v := chosenOf.FindStringSubmatch(m[2]); v != nil {
			form.Set(m[1], v[1]+v[2])
		}
	}
	for pair := range slices.Chunk(changes, 2) {
		form.Set(pair[0], pair[1])
	}
	return form
}

func TestLineupsAndEventsAreEdited(t *testing.T) {
	b := loaded(t, league(), Options{})
	path := "/edit/match/" + idAt(sport.KindMatch, "M1") + "/sheet"
	match := "/data/matches/" + idAt(sport.KindMatch, "M1")
	get := func() string { return b.follow(t, http.StatusSeeOther, path) }
	save := func(form url.Values) string {
		t.Helper()
		w := b.post(path, form)
		if w.Code != http.StatusSeeOther {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		shown := b.follow(t, w.Code, w.Header().Get("Location"))
		b.apply(t)
		return shown
	}
	if w := b.post(path, filled(get())); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "Nothing was entered") {
		t.Errorf("as it is: %d %s", w.Code, w.Body)
	}
	p7, p8, q1 := idAt(sport.KindPlayer, "p7"), idAt(sport.KindPlayer, "p8"), idAt(sport.KindPlayer, "q1")
	stale := filled(get(), "home.0.place", "bench")
	shown := save(filled(get(), "home.0.place", "starting", "home.0.number", "17", "home.0.captain", "yes", "home.1.place", "bench", "away.0.place", "starting", "home.formation", "4-4-2", "home.coach", "Cora",
		"event.1.what", "card yellow", "event.1.minute", "5", "event.1.side", "away", "event.1.player", q1,
		"event.2.what", "substitution", "event.2.minute", "60", "event.2.side", "home", "event.2.player", p8, "event.2.other", p7))
	if !strings.Contains(shown, "lineups") || !strings.Contains(shown, "events") {
		t.Error(shown)
	}
	page := b.follow(t, http.StatusSeeOther, match)
	for _, want := range []string{`<td class="right">17</td><td><a href="/data/players/` + p7, "(C)", "4-4-2", "Coach: Cora", "yellow card", "substitution"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %s", want, page)
		}
	}
	if card, goal := strings.Index(page, "yellow card"), strings.Index(page, "<b>goal</b>"); card > goal { // it was earlier
		t.Errorf("the card is at %d, the goal at %d", card, goal)
	}
	if w := b.post(path, stale); w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), "meanwhile") {
		t.Errorf("somebody else was quicker: %d", w.Code)
	}
	// A correction, and a removal: the rest stays.
	save(filled(get(), "home.0.number", "", "event.0.minute", "6", "event.2.what", ""))
	page = b.follow(t, http.StatusSeeOther, match)
	if strings.Contains(page, "substitution") || !strings.Contains(page, ">6′</b> <span><b>yellow card") || !strings.Contains(page, `<td class="right">7</td>`) || !strings.Contains(page, "4-4-2") {
		t.Error(page)
	}
	wrong := b.post(path, filled(get(), "home.0.number", "many", "event.2.what", "goal regular", "event.2.minute", "x"))
	if body := wrong.Body.String(); wrong.Code != http.StatusUnprocessableEntity || !strings.Contains(body, `id="home.0-fault"`) || !strings.Contains(body, `id="event.2-fault"`) || !strings.Contains(body, `value="many"`) {
		t.Errorf("%d %s", wrong.Code, body)
	}
	if w := b.as(t, Role{Only: dataset.ID(sport.KindOrganization, "east")}).post(path, filled(get(), "event.0.minute", "7")); w.Code != http.StatusForbidden {
		t.Errorf("a foreign match: %d", w.Code)
	}
}
