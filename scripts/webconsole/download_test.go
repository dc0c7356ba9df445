package webconsole

import (
	"net/http"
	"strings"
	"testing"

	"touchline/shared/sport"
)

// What is downloaded can be uploaded again: it has nothing to change.
func TestSheetsAreDownloadedAndUploaded(t *testing.T) {
	b := loaded(t, club(), Options{})
	t.Setenv("TMPDIR", t.TempDir())
	for _, c := range []struct{ path, name string }{{"/download?as=xlsx", "a.xlsx"}, {"/download?as=csv", "a.zip"}} {
		w := b.send(http.MethodGet, c.path, "", nil)
		if to := w.Header().Get("Content-Disposition"); w.Code != http.StatusOK || !strings.HasPrefix(to, "attachment; filename=\"touchline-") {
			t.Fatalf("%s: %d, %s: %s", c.path, w.Code, to, w.Body)
		}
		code, location := b.sent(t, nil, map[string]string{c.name: w.Body.String()})
		holds(t, b.follow(t, code, location), "There is nothing to change")
	}
	if w := b.send(http.MethodGet, "/download?form=1", "", nil); w.Code != http.StatusOK || !strings.HasPrefix(w.Body.String(), "PK") {
		t.Errorf("the form: %d", w.Code)
	}
	if w := b.send(http.MethodGet, "/download?competition="+string(sport.IDFor(sport.KindCompetition, "none")), "", nil); w.Code != http.StatusNotFound {
		t.Errorf("an unknown competition: %d", w.Code)
	}
	holds(t, b.send(http.MethodGet, "/loads", "", nil).Body.String(), `href="/download?form=1"`)
}
