package webconsole

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"touchline/shared/sport"
)

// hockey is league with two points for a win after extra time or by a shoot-out, and one
// for the loss.
func hockey() fstest.MapFS {
	folder := league()
	folder["competitions.ndjson"].Data = []byte(strings.Replace(string(folder["competitions.ndjson"].Data), `"Europe/Vienna"`, `"Europe/Vienna","rules":{"draw":0,"extraTimeWin":2,"extraTimeLoss":1,"shootoutWin":2,"shootoutLoss":1}`, 1))
	return folder
}

// decided is the form of a match, from name and value in turn.
func decided(key, was string, fields ...string) url.Values {
	form, id := url.Values{}, idAt(sport.KindMatch, key)
	form.Set("match", id)
	form.Set("was."+id, was)
	for _, name := range []string{"home", "away", "after", "homeKicks", "awayKicks", "status"} {
		form.Set(name+"."+id, "")
	}
	for i := 0; i+1 < len(fields); i += 2 {
		form.Set(fields[i]+"."+id, fields[i+1])
	}
	return form
}

var wrongField = regexp.MustCompile(`name="(\w+)\.[0-9a-f]{24}"[^>]*aria-invalid="true"`)

// Where the points depend on how a match was decided, a result that does not say it, or
// says it in two ways, is a fault beside the field.
func TestAResultSaysHowItWasDecided(t *testing.T) {
	b := loaded(t, hockey(), Options{})
	path := "/fixtures/" + idAt(sport.KindCompetition, "cup") + "?round=1"
	const toPlay, played = ":::::upcoming", "2:1:regulation:::finished"
	if page := b.page(t, path+"&enter=1"); strings.Count(page, `<option value="extraTime">`) != 2 || !strings.Contains(page, `<option value="regulation" selected>`) {
		t.Error(page)
	}
	for name, c := range map[string]struct {
		key, was     string
		fields       []string
		field, fault string
	}{
		"not said":                     {"M2", toPlay, []string{"home", "4", "away", "3", "status", "upcoming"}, "after", "After what was it 4:3? The points depend on it."},
		"a word that is none":          {"M2", toPlay, []string{"home", "4", "away", "3", "after", "x", "status", "upcoming"}, "after", "After what was it 4:3?"},
		"the winner's goal counted":    {"M2", toPlay, []string{"home", "3", "away", "2", "homeKicks", "1", "awayKicks", "0", "after", "shootout", "status", "upcoming"}, "home", "Leave the shoot-out out of the score: it follows a draw, not 3:2."},
		"a shoot-out of regulation":    {"M2", toPlay, []string{"home", "3", "away", "2", "homeKicks", "1", "awayKicks", "0", "after", "regulation", "status", "upcoming"}, "after", "It says that there was no shoot-out, but 1:0 is entered for one."},
		"a shoot-out of extra time":    {"M1", played, []string{"home", "2", "away", "2", "homeKicks", "1", "awayKicks", "0", "after", "extraTime", "status", "finished"}, "after", "It says that there was no shoot-out"},
		"a shoot-out not said":         {"M2", toPlay, []string{"home", "2", "away", "2", "homeKicks", "1", "awayKicks", "0", "status", "upcoming"}, "after", "Was there extra time before the shoot-out?"},
		"a shoot-out without a score":  {"M2", toPlay, []string{"homeKicks", "1", "awayKicks", "0", "after", "shootout", "status", "upcoming"}, "home", "The score is missing"},
		"no shoot-out":                 {"M2", toPlay, []string{"home", "2", "away", "2", "after", "shootout", "status", "upcoming"}, "homeKicks", "Enter the shoot-out"},
		"a shoot-out without a winner": {"M2", toPlay, []string{"home", "2", "away", "2", "homeKicks", "2", "awayKicks", "2", "after", "shootout", "status", "upcoming"}, "homeKicks", "A shoot-out has a winner."},
		"level after regulation":       {"M2", toPlay, []string{"home", "2", "away", "02", "after", "regulation", "status", "upcoming"}, "after", "Here a match that is level after regulation goes on"},
		"level after extra time":       {"M2", toPlay, []string{"home", "2", "away", "2", "after", "extraTime", "status", "upcoming"}, "after", "Here a match that is level after extra time goes on"},
		"half a shoot-out":             {"M2", toPlay, []string{"home", "2", "away", "2", "homeKicks", "1", "after", "shootout", "status", "upcoming"}, "awayKicks", "Half of the shoot-out is missing."},
		"no number":                    {"M2", toPlay, []string{"home", "2", "away", "2", "homeKicks", "1", "awayKicks", "x", "after", "shootout", "status", "upcoming"}, "awayKicks", "shoot-out of Dogs: must be an integer"},
		"half a score":                 {"M2", toPlay, []string{"away", "2", "status", "upcoming"}, "home", "Half of the score is missing."},
		"postponed with a score":       {"M1", played, []string{"home", "2", "away", "1", "after", "regulation", "status", "postponed"}, "keep", "What becomes of the score 2:1?"},
	} {
		w := b.post(path, decided(c.key, c.was, c.fields...))
		body := w.Body.String()
		wrong := wrongField.FindStringSubmatch(body)
		if w.Code != http.StatusUnprocessableEntity || wrong == nil || wrong[1] != c.field || !strings.Contains(body, c.fault) || !strings.Contains(body, "1 fault: nothing was saved") {
			t.Errorf("%s: %d, wrong %v: %s", name, w.Code, wrong, body)
		}
	}
}

// What is entered makes the record that a dataset would give.
func TestAResultCountsAsItWasDecided(t *testing.T) {
	const toPlay, played = ":::::upcoming", "2:1:regulation:::finished"
	live, done := hockey(), hockey()
	for folder, is := range map[*fstest.MapFile]string{live["matches.ndjson"]: `"live","score":{"home":0,"away":0}`, done["matches.ndjson"]: `"finished","score":{"home":1,"away":0}`} {
		folder.Data = []byte(strings.Replace(string(folder.Data), `"M2","competitionId":"cup","status":"upcoming"`, `"M2","competitionId":"cup","status":`+is, 1))
	}
	for name, c := range map[string]struct {
		files     fstest.MapFS
		key, was  string
		fields    []string
		want, not string // of the differences
	}{
		"regulation":   {hockey(), "M2", toPlay, []string{"home", "4", "away", "3", "after", "regulation", "status", "upcoming"}, "score none to 4:3", "extraTime"},
		"extra time":   {hockey(), "M2", toPlay, []string{"home", "4", "away", "3", "after", "extraTime", "status", "upcoming"}, "extraTime none to true", "penalties"},
		"a shoot-out":  {hockey(), "M2", toPlay, []string{"home", "2", "away", "2", "homeKicks", "1", "awayKicks", "0", "after", "shootout", "status", "upcoming"}, "penalties none to 1:0", "extraTime"},
		"both":         {hockey(), "M2", toPlay, []string{"home", "2", "away", "2", "homeKicks", "3", "awayKicks", "4", "after", "extraTimeShootout", "status", "upcoming"}, "extraTime none to true", ""},
		"corrected":    {hockey(), "M1", played, []string{"home", "1", "away", "2", "after", "extraTime", "status", "finished"}, "score 2:1 to 1:2", "penalties"},
		"postponed":    {hockey(), "M1", played, []string{"home", "2", "away", "1", "after", "regulation", "status", "postponed", "keep", "go"}, "score 2:1 to none", ""},
		"abandoned":    {hockey(), "M1", played, []string{"home", "2", "away", "1", "after", "regulation", "status", "postponed", "keep", "stay"}, "status &#34;finished&#34; to &#34;postponed&#34;", "score 2:1"},
		"not played":   {done, "M2", "1:0:regulation:::finished", []string{"after", "regulation", "status", "finished"}, "status &#34;finished&#34; to &#34;upcoming&#34;", ""},
		"still live":   {live, "M2", "0:0::::live", []string{"home", "1", "away", "1", "status", "live"}, "score 0:0 to 1:1", "extraTime"},
		"a first leg":  {cup(), "M2", toPlay, []string{"home", "2", "away", "2", "status", "upcoming"}, "score none to 2:2", "extraTime"},
		"a second leg": {cup(), "M2", toPlay, []string{"home", "1", "away", "0", "homeKicks", "5", "awayKicks", "4", "after", "extraTimeShootout", "status", "upcoming"}, "penalties none to 5:4", ""},
	} {
		b := loaded(t, c.files, Options{})
		competition := idAt(sport.KindCompetition, "cup")
		w := b.post("/fixtures/"+competition+"?round=1", decided(c.key, c.was, c.fields...))
		if w.Code != http.StatusSeeOther {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
			continue
		}
		page := b.follow(t, w.Code, w.Header().Get("Location"))
		_, differences, _ := strings.Cut(page, `id="changes"`)
		if !strings.Contains(differences, c.want) || c.not != "" && strings.Contains(differences, c.not) {
			t.Errorf("%s: %s", name, differences)
		}
		b.apply(t)
	}
}

// cup is league as a competition of ties.
func cup() fstest.MapFS {
	folder := league()
	folder["competitions.ndjson"].Data = []byte(strings.Replace(string(folder["competitions.ndjson"].Data), `"Europe/Vienna"`, `"Europe/Vienna","type":"cup"`, 1))
	return folder
}

// A match of another competition is in no form of this one.
func TestAFormHasTheMatchesOfItsSeasonAlone(t *testing.T) {
	b := loaded(t, league(), Options{})
	w := b.post("/fixtures/"+idAt(sport.KindCompetition, "cup"), decided("M9", ":::::upcoming", "home", "1", "away", "0", "status", "upcoming"))
	if w.Code != http.StatusNotFound {
		t.Error(w.Code)
	}
}
