package webconsole

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"touchline/shared/sport"
)

var shownField = regexp.MustCompile(`name="was\.([^"]*)" value="([^"]*)"`)

// fill fills in the form of a page as a browser does, but for what changes.
func fill(page string, changes ...string) url.Values {
	form := url.Values{}
	for _, m := range shownField.FindAllStringSubmatch(page, -1) {
		form.Set("was."+m[1], m[2])
		form.Set(m[1], m[2])
	}
	for _, hidden := range regexp.MustCompile(`type="hidden" name="(competitionId|season)" value="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		form.Set(hidden[1], hidden[2])
	}
	for pair := range slices.Chunk(changes, 2) {
		form.Set(pair[0], pair[1])
	}
	return form
}

// edit fills in the form at a path, and gives the differences that are shown.
func (b *browser) edit(t *testing.T, path string, changes ...string) string {
	t.Helper()
	w := b.post(path, fill(b.follow(t, http.StatusSeeOther, path), changes...))
	if w.Code != http.StatusSeeOther {
		t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	return b.follow(t, w.Code, w.Header().Get("Location"))
}

// apply confirms what was proposed.
func (b *browser) apply(t *testing.T) {
	t.Helper()
	if page := b.follow(t, b.post("/loads/apply", url.Values{"note": {" by <letter> "}}).Code, "/loads"); !strings.Contains(page, `note done`) || !strings.Contains(page, ">by &lt;letter&gt;</td>") {
		t.Fatal(page)
	}
}

func TestRecordsAreEdited(t *testing.T) {
	b := loaded(t, league(), Options{})
	at := func(kind sport.Kind, key string) string { return "/edit/" + string(kind) + "/" + idAt(kind, key) }
	for _, tt := range []struct {
		path    string
		changes []string
		want    string
	}{
		{at(sport.KindMatch, "M2"), []string{"status", "postponed"}, "status &#34;upcoming&#34; to &#34;postponed&#34;"},
		{at(sport.KindMatch, "M2"), []string{"ruling", "away"}, "status &#34;postponed&#34; to &#34;finished&#34;"},
		{at(sport.KindMatch, "M3"), []string{"ruling", "postponed"}, "status &#34;upcoming&#34; to &#34;postponed&#34;"},
		{at(sport.KindMatch, "M1"), []string{"winner", "away"}, "winner &#34;home&#34; to &#34;away&#34;"},
		{at(sport.KindMatch, "M3"), []string{"kickoffLocal", "2026-04-02T20:30"}, "2026-04-02T18:30"},
		{at(sport.KindMatch, "M1"), []string{"setPoints.home", "34", "setPoints.away", "31"}, "setPoints none to 34:31"},
		{at(sport.KindTeam, "a"), []string{"startingPoints", "-3"}, "startingPoints none to -3"},
		{at(sport.KindPlayer, "p7"), []string{"teamId", "b"}, "teamId Ants to B&lt;b&gt;ees"},
		{at(sport.KindCompetition, "cup"), []string{"rules.win", "2"}, "rules.win none to 2"},
		{at(sport.KindCompetition, "cup"), []string{"withdrawals.0.teamId", "d", "withdrawals.0.matches", "awarded", "withdrawals.0.from", "2026-03-01", "withdrawals.0.goals", "3"}, "withdrawals none to &#34;Dogs&#34; (awarded)"},
		{at(sport.KindCompetition, "cup"), []string{"rules.sport", "floorball", "rules.periods.count", "3", "rules.periods.minutes", "20", "rules.margins.0.by", "7", "rules.margins.0.loss", "1", "rules.tieBreakers.0.criterion", "points", "rules.tieBreakers.1.criterion", "goalDiff"}, "rules"},
		{at(sport.KindPlayer, "p8"), []string{"formerNumbers.0.number", "18", "formerNumbers.0.until", "2026-01-01"}, "formerNumbers"},
		{at(sport.KindOrganization, "west"), []string{"name", "Far West"}, "Far West"},
	} {
		if page := b.edit(t, tt.path, tt.changes...); !strings.Contains(page, tt.want) || strings.Count(page, `<li class="`) != 1 {
			t.Errorf("%s lacks %s:\n%s", tt.path, tt.want, page)
		}
		b.apply(t)
	}
	if page := b.follow(t, http.StatusSeeOther, at(sport.KindMatch, "M1")); !strings.Contains(page, `name="was.winner" value="away"`) {
		t.Error(page)
	}
	for path, want := range map[string]string{"/data/matches/" + idAt(sport.KindMatch, "M3"): "2 Apr 2026, 20:30 CEST</time> (Europe/Vienna)", "/data/teams/" + idAt(sport.KindTeam, "a") + "?tab=matches": "2 Apr 2026, 20:30 CEST", "/fixtures/" + idAt(sport.KindCompetition, "cup") + "?round=2": `<small class="narrow muted">postponed</small>`} {
		if page := b.follow(t, http.StatusSeeOther, path); !strings.Contains(page, want) {
			t.Errorf("%s: %s", path, page)
		}
	}
	for path, want := range map[string][]string{
		at(sport.KindCompetition, "cup"): {"withdrawals.0.teamId", "d", "withdrawals.0.from", "2026-03-01", "withdrawals.0.goals", "3", "rules.sport", "floorball", "rules.periods.minutes", "20", "rules.win", "2", "rules.margins.0.by", "7", "rules.margins.0.win", "", "rules.margins.0.loss", "1", "rules.tieBreakers.0.criterion", "points", "rules.tieBreakers.1.criterion", "goalDiff"},
		at(sport.KindPlayer, "p8"):       {"formerNumbers.0.number", "18", "formerNumbers.0.until", "2026-01-01"},
	} {
		form := fill(b.follow(t, http.StatusSeeOther, path))
		for pair := range slices.Chunk(want, 2) {
			if form.Get(pair[0]) != pair[1] {
				t.Errorf("%s is %q, want %q", pair[0], form.Get(pair[0]), pair[1])
			}
		}
	}
	if page := b.edit(t, at(sport.KindCompetition, "cup"), "withdrawals.0.teamId", "", "withdrawals.0.matches", "", "withdrawals.0.from", "", "withdrawals.0.goals", ""); !strings.Contains(page, "(awarded) to none") {
		t.Error(page)
	}
	path := at(sport.KindCompetition, "cup")
	stale := fill(b.follow(t, http.StatusSeeOther, path), "withdrawals.0.matches", "annulled")
	stale.Set("was.withdrawals.1.teamId", "c")
	if w := b.post(path, stale); w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), "Somebody else has changed it meanwhile") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	w := b.post(path, fill(b.follow(t, http.StatusSeeOther, path), "withdrawals.1.teamId", "e", "withdrawals.1.matches", "annulled", "withdrawals.1.goals", "x"))
	if body := w.Body.String(); w.Code != http.StatusUnprocessableEntity || !strings.Contains(body, `id="e-withdrawals.1.goals"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	w = b.post(path, fill(b.follow(t, http.StatusSeeOther, path), "rules.margins.1.win", "2"))
	if body := w.Body.String(); w.Code != http.StatusUnprocessableEntity || !strings.Contains(body, `id="e-rules.margins.1.by"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	path = at(sport.KindTeam, "a")
	w = b.post(path, fill(b.follow(t, http.StatusSeeOther, path), "name", "", "startingPoints", "many"))
	if body := w.Body.String(); w.Code != http.StatusUnprocessableEntity || !strings.Contains(body, `id="e-name"`) || !strings.Contains(body, `id="e-startingPoints"`) || !strings.Contains(body, `value="many"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	w = b.post(at(sport.KindPlayer, "q1")+"/delete", nil)
	if page := b.follow(t, w.Code, w.Header().Get("Location")); !strings.Contains(page, "Quin One") || !strings.Contains(page, "delete") {
		t.Error(page)
	}
	if w := b.post(at(sport.KindTeam, "b")+"/delete", nil); w.Code != http.StatusUnprocessableEntity { // a match names it
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for _, path := range []string{"/edit/match/x", "/edit/keys/x", "/edit/match/new", at(sport.KindTeam, "zz")} {
		if w := b.send(http.MethodGet, path, "", nil); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// order is the order of a table as a form has it: criteria, with the matches after a colon.
func order(page string, criteria ...string) url.Values {
	form := fill(page)
	for i, text := range criteria {
		name := "rules.tieBreakers." + strconv.Itoa(i)
		criterion, among, _ := strings.Cut(text, ":")
		form.Set("was."+name+".criterion", form.Get(name+".criterion"))
		form.Set("was."+name+".among", form.Get(name+".among"))
		form.Set(name+".criterion", criterion)
		form.Set(name+".among", among)
	}
	return form
}

func TestTheOrderOfATableIsAForm(t *testing.T) {
	b := loaded(t, league(), Options{})
	path := "/edit/competition/" + idAt(sport.KindCompetition, "cup")
	get := func() string { return b.follow(t, http.StatusSeeOther, path) }
	shown := func(page string) string {
		var rows []string
		for i := 0; ; i++ {
			name := "rules.tieBreakers." + strconv.Itoa(i)
			row := regexp.MustCompile(`(?s)<select id="f-` + name + `\.criterion".*?</select>.*?</select>`).FindString(page)
			chosen := regexp.MustCompile(`value="([^"]*)" selected`).FindAllStringSubmatch(row, -1)
			if len(chosen) < 2 || chosen[0][1] == "" {
				return strings.Join(rows, " ")
			}
			rows = append(rows, chosen[0][1]+":"+chosen[1][1])
		}
	}
	want := []string{"points:", "points:again", "goalDiff:again", "points:new again", "goalsFor:once", "goalDiff:", "points:once"}
	w := b.post(path, order(get(), append(want, "", ":again")...)) // empty rows are none
	if page := b.follow(t, w.Code, w.Header().Get("Location")); !strings.Contains(page, "rules") {
		t.Fatal(page)
	}
	b.apply(t)
	if got := shown(get()); got != strings.Join(want, " ") {
		t.Errorf("stored: %s", got)
	}
	inWords := "points, head to head (points, goal difference), head to head (points), head to head, once (goals scored), goal difference, head to head, once (points)"
	if page := b.follow(t, http.StatusSeeOther, strings.Replace(path, "/edit/competition", "/data/competitions", 1)+"?tab=order"); !strings.Contains(page, inWords) {
		t.Error(page)
	}
	for how, want := range map[string]string{
		"up 1":     "points:again points: goalDiff:again points:new again goalsFor:once goalDiff: points:once",
		"down 5":   "points: points:again goalDiff:again points:new again goalsFor:once points:once goalDiff:",
		"up 0":     "points: points:again goalDiff:again points:new again goalsFor:once goalDiff: points:once",
		"remove 0": "points:again goalDiff:again points:new again goalsFor:once goalDiff: points:once",
		"more 0":   "points: points:again goalDiff:again points:new again goalsFor:once goalDiff: points:once",
	} {
		page := b.post(path, fill(get(), "arrange", "rules.tieBreakers "+how)).Body.String()
		if got := shown(page); got != want {
			t.Errorf("%s: %s", how, got)
		}
		if strings.Count(page, " autofocus") != 1 {
			t.Errorf("%s: the page does not begin at a row", how)
		}
		if again := b.post(path, order(page)).Body.String(); how != "remove 0" && strings.Contains(again, "Somebody else") {
			t.Errorf("%s: %s", how, again)
		}
		if more := strings.Contains(page, "rules.tieBreakers.10.criterion"); more != (how == "more 0") {
			t.Errorf("%s: more rows: %v", how, more)
		}
	}
	for at, criteria := range map[string][]string{"1": {"points:", "points:"}, "2": {"won:", "points:again", "points:again"}} {
		w := b.post(path, order(get(), criteria...))
		if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), `id="e-rules.tieBreakers.`+at+`.criterion"`) {
			t.Errorf("%v: %d %s", criteria, w.Code, w.Body)
		}
	}
}

// A season with its results is made with nothing but the console.
func TestASeasonIsMadeFromNothing(t *testing.T) {
	b := loaded(t, fstest.MapFS{"players.ndjson": {}}, Options{})
	if page := b.follow(t, http.StatusSeeOther, "/data"); !strings.Contains(page, "/edit/organization/new?type=federation") {
		t.Fatal(page)
	}
	cup := idAt(sport.KindCompetition, "korf")
	season := "?competitionId=" + cup + "&season=2026"
	b.edit(t, "/edit/organization/new?type=federation", "id", "fed", "name", "Korfball", "type", "federation")
	b.apply(t)
	if page := b.follow(t, http.StatusSeeOther, "/data"); !strings.Contains(page, "Add a club or association") {
		t.Error(page)
	}
	b.edit(t, "/edit/competition/new?organizationId=fed", "id", "korf", "name", "Korf League", "season", "2026", "organizationId", "fed", "timezone", "Europe/Brussels")
	b.apply(t)
	for _, key := range []string{"a", "b"} {
		b.edit(t, "/edit/team/new"+season, "id", key, "name", "Team "+key, "shortName", key)
		b.apply(t)
	}
	path := "/edit/match/new" + season
	page := b.follow(t, http.StatusSeeOther, path)
	if !strings.Contains(page, "Europe/Brussels") || strings.Count(page, `<option value="" selected>choose a team</option>`) != 2 {
		t.Error(page)
	}
	if w := b.post(path, fill(page, "round", "1")); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), `id="e-homeTeamId"`) || strings.Contains(w.Body.String(), "and so is") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	page = b.edit(t, path, "id", "1", "homeTeamId", "a", "awayTeamId", "b", "status", "upcoming", "round", "1", "kickoffLocal", "2026-03-14T15:00")
	if !strings.Contains(page, "create") {
		t.Error(page)
	}
	b.apply(t)
	form := url.Values{}
	entry(form, "1", "::upcoming", "12", "9", "upcoming")
	if w := b.post("/fixtures/"+cup, form); w.Code != http.StatusSeeOther {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	b.apply(t)
	if page := b.follow(t, http.StatusSeeOther, "/data/competitions/"+cup); !strings.Contains(page, "12:9") {
		t.Error(page)
	}
	path = "/edit/team/new" + season
	if w := b.post(path, fill(b.follow(t, http.StatusSeeOther, path), "id", "a", "name", "Again", "shortName", "A")); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "Another team has the key a") {
		t.Errorf("%d", w.Code)
	}
}

// Every form leads back to where it is found, and so does the page of the whole to new
// records.
func TestAFormHasAWayBack(t *testing.T) {
	b := loaded(t, league(), Options{})
	fed, cup, ants := idAt(sport.KindOrganization, "fed"), idAt(sport.KindCompetition, "cup"), idAt(sport.KindTeam, "a")
	season := "?competitionId=" + cup + "&season=2025"
	for path, want := range map[string]string{
		"/edit/organization/new?type=federation":       "/data",
		"/edit/organization/new?parentId=" + fed:       "/data/organizations/" + fed,
		"/edit/competition/new?organizationId=" + fed:  "/data/organizations/" + fed,
		"/edit/team/new" + season:                      "/data/competitions/" + cup + "?season=2025",
		"/edit/match/new" + season + "&round=2":        "/fixtures/" + cup + "?round=2&amp;season=2025",
		"/edit/player/new?teamId=" + ants:              "/data/teams/" + ants,
		"/edit/competition/" + cup + "?season=2025":    "/data/competitions/" + cup + "?season=2025",
		"/edit/match/" + idAt(sport.KindMatch, "M1"):   "/data/matches/" + idAt(sport.KindMatch, "M1"),
		"/edit/player/" + idAt(sport.KindPlayer, "p7"): "/data/players/" + idAt(sport.KindPlayer, "p7"),
	} {
		if page := b.follow(t, http.StatusSeeOther, path); !strings.Contains(page, `href="`+want+`">Cancel<`) {
			t.Errorf("%s does not lead back to %s", path, want)
		}
	}
	if page := b.follow(t, http.StatusSeeOther, "/data"); !strings.Contains(page, "/edit/organization/new?parentId="+fed) || !strings.Contains(page, "/edit/competition/new?organizationId="+fed) {
		t.Error(page)
	}
}
