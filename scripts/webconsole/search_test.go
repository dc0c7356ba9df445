package webconsole

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"touchline/shared/dataset"
	"touchline/shared/keys"
	"touchline/shared/sport"
)

// found are the names that a search shows, in their order.
func (b *browser) found(t *testing.T, text string) string {
	t.Helper()
	page := b.page(t, "/search?q="+url.QueryEscape(text))
	var names []string
	for part := range strings.SplitSeq(page, "<li><a href=\"/data/") {
		_, name, _ := strings.Cut(part, `">`)
		if name, _, of := strings.Cut(name, "</a> <span"); of {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

func TestRecordsAreFoundByNameKeyAndID(t *testing.T) {
	files := league()
	files["players.ndjson"].Data = append(files["players.ndjson"].Data, `{"id":"zo","name":"Zoë Ångström","teamId":"c"}
{"id":"am","name":"Ants","teamId":"d"}
{"id":"hi","name":"Hidden Hand","teamId":"d","visibility":"hidden"}
`...)
	b := loaded(t, files, Options{})
	for text, want := range map[string]string{
		"cats": "Cats", "AT": "Cats", "angstrom": "Zoë Ångström", "zoe": "Zoë Ångström", "ants": "Ants, Ants", "B<b>": "B&lt;b&gt;ees",
		"west": "West, West", "hidden": "", "cats – dogs": "",
		"": "", "nobody": "", "%00": "",
	} {
		if got := b.found(t, text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	for _, path := range []string{"/data/teams/p7", "/data/players/" + idAt(sport.KindPlayer, "hi"), "/fixtures/zz"} {
		if w := b.send(http.MethodGet, path, "", nil); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	for text, want := range map[string]string{
		"M2": "/data/matches/" + idAt(sport.KindMatch, "M2"), "p8": "/data/players/" + idAt(sport.KindPlayer, "p8"),
		" cup ": "", idAt(sport.KindTeam, "a"): "/data/teams/" + idAt(sport.KindTeam, "a"),
		"hi": "/data/players/" + idAt(sport.KindPlayer, "hi"), requestID(1): "/requests/" + requestID(1),
	} {
		w := b.send(http.MethodGet, "/search?q="+url.QueryEscape(text), "", nil)
		if got := w.Header().Get("Location"); got != want {
			t.Errorf("%q leads to %q, want %q", text, got, want)
		}
	}
	holds(t, b.page(t, "/search?q=%3Cscript%3E"), no("<script>"), `value="&lt;script&gt;"`)
}

func TestKeysAreFoundByIDAndLabel(t *testing.T) {
	b, registry := keeper(t, club())
	issued, err := registry.Create(t.Context(), keys.Request{Organization: dataset.ID(sport.KindOrganization, "fed"), Scopes: []string{"teams:read"}, Label: "Newspaper"})
	must(t, err)
	if w := b.send(http.MethodGet, "/search?q="+issued.Key.ID, "", nil); w.Header().Get("Location") != "/keys/"+issued.Key.ID {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	const list = "/keys?organization=newspaper"
	holds(t, b.page(t, "/search?q=newspaper"), `href="`+list+`"`)
	holds(t, b.page(t, list), "/keys/"+issued.Key.ID)
}

// Among more competitions than are looked through, one that is found is no reason to say
// that there are more.
func TestALoneHitAmongManyCompetitionsIsAllThereIs(t *testing.T) {
	files := league()
	var more strings.Builder
	for i := range 60 {
		fmt.Fprintf(&more, `{"id":"c%d","season":2025,"name":"Cup %d","organizationId":"fed"}`+"\n", i, i)
	}
	files["competitions.ndjson"].Data = append(files["competitions.ndjson"].Data, more.String()...)
	b := loaded(t, files, Options{})
	page := b.page(t, "/search?q=Ants")
	holds(t, page, no("There are more"), "in the first 50 competitions alone")
	holds(t, b.page(t, "/search?q=Cup"), "There are more")
}
