package webconsole

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/keys"
	"touchline/shared/simulation"
	"touchline/shared/sport"
)

// club is a dataset of a federation with a club.
func club() fstest.MapFS {
	return fstest.MapFS{"organizations.ndjson": {Data: []byte(`{"id":"club","type":"club","name":"FC <b>Bold</b>","parentId":"fed"}
{"id":"fed","type":"federation","name":"Small"}
`)}}
}

// keeper is a console with a registry of keys of one process.
func keeper(t *testing.T, files fstest.MapFS) (*browser, *keys.Registry) {
	t.Helper()
	sealer, err := keys.NewLocalSealer(strings.Repeat("A", 43) + "=")
	must(t, err)
	registry := &keys.Registry{Store: simulation.NewDatabase().Keys(), Sealer: sealer, Now: func() time.Time { return testTime }}
	return loaded(t, files, Options{Keys: registry.Store, Usage: func(context.Context, time.Time) (map[sport.ID]int, error) {
		return map[sport.ID]int{dataset.ID(sport.KindOrganization, "club"): 9500}, nil
	}}), registry
}

// follow follows the redirect of a response and gives the page.
func (b *browser) follow(t *testing.T, code int, location string) string {
	t.Helper()
	if code != http.StatusSeeOther {
		t.Fatalf("status %d", code)
	}
	w := b.send(http.MethodGet, location, "", nil)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", location, w.Code, w.Body)
	}
	return w.Body.String()
}

// page is one of the console's.
func (b *browser) page(t *testing.T, path string) string {
	t.Helper()
	return b.follow(t, http.StatusSeeOther, path)
}

func TestAKeyIsShownWithoutASecret(t *testing.T) {
	b, registry := keeper(t, club())
	until := testTime.Add(36 * time.Hour)
	issued, err := registry.Create(t.Context(), keys.Request{
		Organization: dataset.ID(sport.KindOrganization, "club"), Scopes: []string{"teams:read", "matches:read"}, Label: "<script>",
		Allowlist: []string{"203.0.113.0/24", "192.0.2.1"}, ExpiresAt: &until,
	})
	must(t, err)
	path := "/keys/" + issued.Key.ID
	for target, parts := range map[string][]string{
		"/keys": {"500 left", "FC &lt;b&gt;Bold", issued.Key.ID},
		path:    {"matches:read, teams:read", "203.0.113.0/24", "192.0.2.1/32", "2026-03-16", "10\u202f000 requests", "touchline keys rotate " + issued.Key.ID},
	} {
		holds(t, b.page(t, target), append(parts, no(issued.Secret.Reveal()), no("<script>"), no("<b>Bold"))...)
	}
	if _, err := registry.Rotate(t.Context(), issued.Key.ID); err != nil {
		t.Fatal(err)
	}
	holds(t, b.page(t, path), "Older secret", "touchline keys rotate --drop-older")
	if _, err := registry.Revoke(t.Context(), issued.Key.ID); err != nil {
		t.Fatal(err)
	}
	holds(t, b.page(t, path), ">revoked<", no("touchline keys"))
	if w := b.send(http.MethodGet, "/keys/tk_none", "", nil); w.Code != http.StatusNotFound {
		t.Error(w.Code)
	}
}

func TestManyKeysArePages(t *testing.T) {
	b, registry := keeper(t, club())
	for i := range 60 {
		if _, err := registry.Create(t.Context(), keys.Request{Organization: dataset.ID(sport.KindOrganization, []string{"club", "fed"}[i%2]), Scopes: []string{"teams:read"}, Label: fmt.Sprintf("label %03d", i)}); err != nil {
			t.Fatal(err)
		}
	}
	fed := string(dataset.ID(sport.KindOrganization, "fed"))
	for query, want := range map[string]int{"": 25, "page=3": 10, "organization=bold&page=2": 5, "organization=" + fed + "&page=2": 5, "organization=+fed+": 25, "organization=label+01": 10, "organization=none": 0} {
		page := b.page(t, "/keys?"+query)
		if got := strings.Count(page, `<tr><th scope="row">`); got != want {
			t.Errorf("%q: %d keys, want %d", query, got, want)
		}
		if strings.Contains(page, `class="pager"`) != (want == 25 || strings.Contains(query, "page=")) {
			t.Errorf("%q: the pager: %s", query, page)
		}
	}
}

func TestWhoChangedAKeyIsShown(t *testing.T) {
	b, registry := keeper(t, club())
	registry.By = func(context.Context) string { return "eva@<office>" }
	issued, err := registry.Create(t.Context(), keys.Request{Organization: dataset.ID(sport.KindOrganization, "fed"), Scopes: []string{"teams:read"}, Label: "old"})
	must(t, err)
	label := "new"
	if _, _, err := registry.Set(t.Context(), issued.Key.ID, keys.Changes{Label: &label}); err != nil {
		t.Fatal(err)
	}
	page := b.page(t, "/keys/"+issued.Key.ID)
	made, changed := strings.Index(page, ">made<"), strings.Index(page, "label from old to new")
	if made < 0 || changed < 0 || made < changed || !strings.Contains(page, "eva@&lt;office&gt;") {
		t.Error(page)
	}
}
