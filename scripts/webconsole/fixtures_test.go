package webconsole

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"touchline/shared/dataset"
	"touchline/shared/sport"
)

// league is a dataset of four teams and two rounds, the first of which has been played
// but for one match when the clock of the tests stands still.
func league() fstest.MapFS {
	return fstest.MapFS{
		"organizations.ndjson": {Data: []byte(`{"id":"fed","type":"federation","name":"Small"}
{"id":"west","type":"association","name":"West","parentId":"fed"}
{"id":"east","type":"association","name":"East","parentId":"fed"}
`)},
		"competitions.ndjson": {Data: []byte(`{"id":"cup","season":2025,"name":"Cup","organizationId":"west","timezone":"Europe/Vienna"}
{"id":"bowl","season":2025,"name":"Bowl","organizationId":"east"}
`)},
		"teams.ndjson": {Data: []byte(`{"id":"a","name":"Ants","shortName":"A","competitionId":"cup"}
{"id":"b","name":"B<b>ees","shortName":"B","competitionId":"cup"}
{"id":"c","name":"Cats","shortName":"C","competitionId":"cup"}
{"id":"d","name":"Dogs","shortName":"D","competitionId":"cup"}
{"id":"e","name":"Eels","shortName":"E","competitionId":"bowl"}
{"id":"f","name":"Frogs","shortName":"F","competitionId":"bowl"}
`)},
		"players.ndjson": {Data: []byte(`{"id":"p7","name":"Pia Seven","teamId":"a","number":7}
{"id":"p8","name":"Pam Eight","teamId":"a","number":8}
{"id":"q1","name":"Quin One","teamId":"b","number":1}
`)},
		"matches.ndjson": {Data: []byte(`{"id":"M1","competitionId":"cup","status":"finished","round":1,"kickoffAt":"2026-03-14T14:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":2,"away":1},"events":[{"type":"goal","minute":10,"side":"home","playerId":"p7"}]}
{"id":"M2","competitionId":"cup","status":"upcoming","round":1,"kickoffAt":"2026-03-14T16:00:00Z","homeTeamId":"c","awayTeamId":"d"}
{"id":"M3","competitionId":"cup","status":"upcoming","round":2,"kickoffAt":"2026-04-01T16:00:00Z","homeTeamId":"a","awayTeamId":"c"}
{"id":"M9","competitionId":"bowl","status":"upcoming","round":1,"kickoffAt":"2026-03-14T16:00:00Z","homeTeamId":"e","awayTeamId":"f"}
`)},
	}
}

// idAt is the id of a record of league.
func idAt(kind sport.Kind, key string) string { return string(dataset.ID(kind, key)) }

// entry are the fields of a match in the form of results.
func entry(form url.Values, key, was, home, away, status string) {
	id := idAt(sport.KindMatch, key)
	form.Add("match", id)
	for name, value := range map[string]string{"was.": was, "home.": home, "away.": away, "status.": status} {
		form.Set(name+id, value)
	}
}

var hiddenField = regexp.MustCompile(`type="hidden" name="(of|check)" value="([^"]*)"`)

// confirm sends the form of a page, with what it shows.
func (b *browser) confirm(t *testing.T, page, target string, fields url.Values) *httptest.ResponseRecorder {
	t.Helper()
	form := url.Values{}
	for _, m := range hiddenField.FindAllStringSubmatch(page, -1) {
		form.Set(m[1], m[2])
	}
	maps.Copy(form, fields)
	return b.post(target, form)
}

// apply confirms what was proposed.
func (b *browser) apply(t *testing.T) {
	t.Helper()
	if page := b.follow(t, b.confirm(t, b.page(t, "/loads/check"), "/loads/apply", url.Values{"note": {" by <letter> "}, "meant": {"yes"}}).Code, "/loads"); !strings.Contains(page, `note done`) || !strings.Contains(page, ">by &lt;letter&gt;</td>") {
		t.Fatal(page)
	}
}

// How a match counts is in the list where its score does not say it (D59).
func TestTheListOfFixturesSaysWhatWasDecidedOtherwise(t *testing.T) {
	for name, c := range map[string]struct{ match, withdrawn, want string }{
		"awarded":         {`"status":"finished","score":{"home":0,"away":0},"winner":"away"`, "", "awarded"},
		"lost by both":    {`"status":"finished","score":{"home":2,"away":0},"winner":"none"`, "", "awarded"},
		"other points":    {`"status":"finished","score":{"home":2,"away":0},"points":{"home":1,"away":1}`, "", "points 1:1"},
		"withdrawn":       {`"status":"upcoming"`, "awarded", "awarded"},
		"annulled":        {`"status":"finished","score":{"home":2,"away":0}`, "annulled", "annulled"},
		"by its score":    {`"status":"finished","score":{"home":2,"away":0}`, "", ""},
		"to be postponed": {`"status":"postponed"`, "", ""},
	} {
		folder := league()
		folder["matches.ndjson"].Data = []byte(strings.Replace(string(folder["matches.ndjson"].Data), `"M2","competitionId":"cup","status":"upcoming"`, `"M2","competitionId":"cup",`+c.match, 1))
		if c.withdrawn != "" {
			folder["competitions.ndjson"].Data = []byte(strings.Replace(string(folder["competitions.ndjson"].Data), `"Europe/Vienna"`, `"Europe/Vienna","withdrawals":[{"teamId":"d","matches":"`+c.withdrawn+`"}]`, 1))
		}
		b := loaded(t, folder, Options{})
		page := b.page(t, "/fixtures/"+idAt(sport.KindCompetition, "cup"))
		_, row, _ := strings.Cut(page, "Cats</td>")
		row, _, _ = strings.Cut(row, "</tr>")
		for _, mark := range []string{"awarded", "annulled", "points 1:1"} {
			if got, want := strings.Count(row, ">"+mark+"<"), map[bool]int{true: 2}[mark == c.want]; got != want {
				t.Errorf("%s: %q is in the row %d times, want %d", name, mark, got, want)
			}
		}
		said := map[string]string{"awarded": "awarded to Dogs", "withdrawn": "awarded to Cats", "lost by both": "lost by both"}[name]
		if page := b.page(t, "/data/matches/"+idAt(sport.KindMatch, "M2")); (said != "") != (strings.Contains(page, "awarded to") || strings.Contains(page, "lost by")) || !strings.Contains(page, said) {
			t.Errorf("%s: the match's page does not say %q", name, said)
		}
	}
}

// A match whose hour is open is shown on its day, and at no time (D82).
func TestAnHourThatIsOpenIsNotShown(t *testing.T) {
	folder := league()
	folder["matches.ndjson"].Data = []byte(strings.Replace(string(folder["matches.ndjson"].Data), `"kickoffAt":"2026-03-14T16:00:00Z","homeTeamId":"c"`, `"kickoffLocal":"2026-03-14","homeTeamId":"c"`, 1))
	b := loaded(t, folder, Options{})
	for path, want := range map[string]string{
		"/fixtures/" + idAt(sport.KindCompetition, "cup"): "Saturday 14 March 2026", "/data/matches/" + idAt(sport.KindMatch, "M2"): ">Sat 14 Mar 2026</time>",
	} {
		holds(t, b.page(t, path), want, no(">00:00<"), no(", 00:00"))
	}
}

func TestResultsOfARoundAreEnteredInOneForm(t *testing.T) {
	b := loaded(t, league(), Options{})
	path := "/fixtures/" + idAt(sport.KindCompetition, "cup")
	page := b.page(t, path)
	holds(t, page, "Saturday 14 March 2026", "15:00", "17:00", "<code>M1</code>", `<td class="home right won">`, "Europe/Vienna")
	holds(t, page, no("April"), no("B<b>ees")) // another round, or a name as markup
	for _, query := range []string{"?round=2", "?day=2026-04-01", "?round=all"} {
		holds(t, b.page(t, path+query), "April")
	}
	if page := b.page(t, path+"?enter=1"); !strings.Contains(page, `value="2:1:regulation:::finished"`) || strings.Count(page, " autofocus") != 1 || !strings.Contains(page, `aria-label="Ants" autofocus`) || strings.Contains(page, `name="after.`) {
		t.Error(page)
	}

	form := url.Values{}
	entry(form, "M1", "2:1:regulation:::finished", "2", "1", "finished")
	entry(form, "M2", ":::::upcoming", "3", "x", "upcoming")
	w := b.post(path+"?round=1", form)
	if body := w.Body.String(); w.Code != http.StatusUnprocessableEntity || !strings.Contains(body, ">Dogs: must be an integer") || !strings.Contains(body, `value="x"`) || !strings.Contains(body, `aria-label="Dogs" aria-describedby="fault-`+idAt(sport.KindMatch, "M2")+`" aria-invalid="true" autofocus`) || strings.Contains(body, `aria-label="Ants" autofocus`) {
		t.Errorf("%d %s", w.Code, body)
	}
	form = url.Values{}
	entry(form, "M2", ":::::upcoming", "4,5", "3,5", "upcoming")
	if body := b.post(path+"?round=1", form).Body.String(); strings.Count(body, "must be an integer from 0 to 999, not") != 2 || strings.Count(body, `aria-invalid="true"`) != 2 {
		t.Error(body)
	}
	form = url.Values{}
	entry(form, "M1", "2:1:regulation:::finished", "2", "1", "finished")
	entry(form, "M2", ":::::upcoming", "3", "0", "upcoming")
	w = b.post(path+"?round=1", form)
	page = b.follow(t, w.Code, w.Header().Get("Location"))
	holds(t, page, "to &#34;finished&#34;, score none to 3:0", "<li>Cup 2025: Cats 2nd to 1st (0 to 3 points), Ants 1st to 2nd", no("M1"))
	bad := url.Values{} // a result that the goals do not make up
	entry(bad, "M1", "2:1:regulation:::finished", "4", "1", "finished")
	entry(bad, "M2", ":::::upcoming", "3", "0", "upcoming")
	w = b.post(path+"?round=1", bad)
	holds(t, b.follow(t, w.Code, w.Header().Get("Location")), "<li><b>Ants - B&lt;b&gt;ees</b>, events: the goals add up to 1:0")
	w = b.confirm(t, page, "/loads/apply", nil) // and not what another tab has entered since
	if to := w.Header().Get("Location"); to != path+"?round=1" {
		t.Error(to)
	}
	holds(t, b.follow(t, w.Code, path), "saved", ">3:0<")
	if w := b.post(path, form); w.Code != http.StatusSeeOther { // was and is differ still
		t.Error(w.Code)
	}
	holds(t, b.page(t, "/loads"), "<td>1 match changed: M2<small")
	holds(t, b.page(t, "/loads/2/undo"), "score 3:0 to none")
	for path, want := range map[string]int{"/fixtures/" + idAt(sport.KindCompetition, "x"): 404, path + "?season=1999": 404, "/fixtures/x": 404} {
		if w := b.send(http.MethodGet, path, "", nil); w.Code != want {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// What was not touched in the form is not changed, whatever it is by now.
func TestAFormChangesOnlyWhatWasEntered(t *testing.T) {
	b := loaded(t, league(), Options{})
	form := url.Values{}
	entry(form, "M1", "0:0::::live", "0", "0", "live")
	if w := b.post("/fixtures/"+idAt(sport.KindCompetition, "cup"), form); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "Nothing was entered") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// Where the competition has sets the form takes them; elsewhere the set points of a former
// score go with it.
func TestTheFormTakesSets(t *testing.T) {
	const finished = `"M2","competitionId":"cup","status":"finished","score":{"home":3,"away":0},"setPoints":{"home":75,"away":61},`
	for name, c := range map[string]struct{ rules, match, was, home, away, sets, want string }{
		"sets":                      {`{"like":"fivb-pools"}`, ``, ":::::upcoming", "", "", "25:23 20:25, 25:18 25:21", "score none to 3:1, setPoints none to 95:87"},
		"sets of a corrected match": {`{"like":"fivb-pools"}`, finished, "3:0:regulation:::finished", "3", "0", "23:25 20:25 18:25", "score 3:0 to 0:3, setPoints 75:61 to 61:75"},
		"in place of its score":     {`{"like":"fivb-pools"}`, finished, "3:0:regulation:::finished", "", "", "23:25 20:25 18:25", "score 3:0 to 0:3, setPoints 75:61 to 61:75"},
		"a score alone":             {`{"like":"fivb-pools"}`, finished, "3:0:regulation:::finished", "0", "3", "", "setPoints 75:61 to none"},
		"a set without a winner":    {`{"like":"fivb-pools"}`, ``, ":::::upcoming", "", "", "25:23 20:20", "a set has a winner"},
		"of a competition without":  {`{}`, finished, "3:0:regulation:::finished", "2", "3", "", "setPoints 75:61 to none"},
	} {
		folder := league()
		change := func(file, was, is string) {
			folder[file].Data = []byte(strings.Replace(string(folder[file].Data), was, is, 1))
		}
		change("competitions.ndjson", `"Europe/Vienna"`, `"Europe/Vienna","rules":`+c.rules)
		change("matches.ndjson", `"score":{"home":2,"away":1},"events":[{"type":"goal","minute":10,"side":"home","playerId":"p7"}]`, `"score":{"home":3,"away":1},"setPoints":{"home":95,"away":80}`)
		if c.match != "" {
			change("matches.ndjson", `"M2","competitionId":"cup","status":"upcoming",`, c.match)
		}
		b := loaded(t, folder, Options{})
		path := "/fixtures/" + idAt(sport.KindCompetition, "cup")
		if page := b.page(t, path+"?enter=1"); strings.Contains(page, `name="sets.`) != strings.Contains(c.rules, "fivb") {
			t.Errorf("%s: the form %s", name, page)
		}
		form := url.Values{}
		_, status, _ := strings.Cut(c.was, "regulation:::")
		entry(form, "M2", c.was, c.home, c.away, strings.TrimLeft(status, ":"))
		if status == "" {
			form.Set("status."+idAt(sport.KindMatch, "M2"), "upcoming")
		}
		form.Set("sets."+idAt(sport.KindMatch, "M2"), c.sets)
		w := b.post(path, form)
		body := w.Body.String()
		if w.Code == http.StatusSeeOther {
			body = b.follow(t, w.Code, w.Header().Get("Location"))
		}
		if !strings.Contains(body, c.want) {
			t.Errorf("%s: want %q in %s", name, c.want, body)
		}
	}
}
