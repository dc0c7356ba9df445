package webconsole

import (
	"context"
	"net/http"
	"net/url"
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
func keeper(t *testing.T) (*browser, *keys.Registry) {
	t.Helper()
	master, err := keys.ParseMasterKey(strings.Repeat("A", 43) + "=")
	if err != nil {
		t.Fatal(err)
	}
	sealer, err := keys.NewLocalSealer(master)
	if err != nil {
		t.Fatal(err)
	}
	registry := &keys.Registry{Store: simulation.NewDatabase().Keys(), Sealer: sealer, Now: func() time.Time { return testTime }}
	return loaded(t, club(), Options{Registry: registry, Usage: func(context.Context, time.Time) (map[sport.ID]int, error) {
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

func TestASecretIsShownOnce(t *testing.T) {
	b, registry := keeper(t)
	w := b.post("/keys/new", url.Values{"organization": {"club"}, "scope": {"teams:read", "matches:read"}, "quota": {"10000"}, "label": {`<script>`}, "allowlist": {"203.0.113.0/24\r\n192.0.2.1"}, "expires": {"2027-01-31"}})
	location := w.Header().Get("Location")
	page := b.follow(t, w.Code, location)
	_, secret, _ := strings.Cut(page, `id="secret-text">`)
	secret, _, _ = strings.Cut(secret, "<")
	list, err := registry.Store.List(t.Context())
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	k, err := registry.Store.Get(t.Context(), list[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := registry.Sealer.Open(t.Context(), k.ID, k.Current.Sealed); err != nil || string(text) != secret {
		t.Errorf("the page shows %q", secret)
	}
	if k.Label != "<script>" || len(k.Scopes) != 2 || len(k.Allowlist) != 2 || k.Descendants || k.ExpiresAt == nil {
		t.Errorf("%+v", k)
	}
	for _, target := range []string{location, "/keys"} {
		body := b.follow(t, http.StatusSeeOther, target)
		if strings.Contains(body, secret) || strings.Contains(body, "<script>") || strings.Contains(body, "<b>Bold") {
			t.Errorf("%s: %s", target, body)
		}
	}
	if body := b.follow(t, http.StatusSeeOther, "/keys"); !strings.Contains(body, "95 %") || !strings.Contains(body, "FC &lt;b&gt;Bold") {
		t.Error(body)
	}

	w = b.post(location+"/rotate", nil)
	page = b.follow(t, w.Code, location)
	if !strings.Contains(page, `id="secret-text">`) || strings.Contains(page, secret) {
		t.Error("a rotation shows another secret")
	}
	if page = b.follow(t, b.post(location+"/rotate", nil).Code, location); !strings.Contains(page, "retire the older one first") {
		t.Error(page)
	}
	if page = b.follow(t, b.post(location+"/retire", nil).Code, location); !strings.Contains(page, "The secret is retired") {
		t.Error(page)
	}
	if page = b.follow(t, b.post(location+"/revoke", nil).Code, location); !strings.Contains(page, "tick the box") || strings.Contains(page, ">revoked<") {
		t.Error(page)
	}
	if page = b.follow(t, b.post(location+"/revoke", url.Values{"meant": {"yes"}}).Code, location); !strings.Contains(page, ">revoked<") {
		t.Error(page)
	}
}

func TestAFormThatIsWrongSaysWhereAndKeepsWhatWasEntered(t *testing.T) {
	b, registry := keeper(t)
	w := b.post("/keys/new", url.Values{"organization": {"nobody"}, "scope": {"teams:write"}, "quota": {"many"}, "expires": {"2020-01-01"}, "allowlist": {"home"}, "label": {"kept"}})
	body := w.Body.String()
	for _, part := range []string{"organization-fault", "scopes-fault", "quota-fault", "expires-fault", "allowlist-fault", `value="kept"`, "no such organization", "not a number"} {
		if !strings.Contains(body, part) {
			t.Errorf("no %q in %s", part, body)
		}
	}
	if list, _ := registry.Store.List(t.Context()); w.Code != http.StatusUnprocessableEntity || len(list) != 0 {
		t.Errorf("%d: %v", w.Code, list)
	}
}

func TestAChangeNamesWhatItChanged(t *testing.T) {
	b, registry := keeper(t)
	until := testTime.Add(36*time.Hour + time.Minute)
	issued, err := registry.Create(t.Context(), keys.Request{Organization: dataset.ID(sport.KindOrganization, "fed"), Scopes: []string{"teams:read"}, Label: "old", ExpiresAt: &until})
	if err != nil {
		t.Fatal(err)
	}
	path := "/keys/" + issued.Key.ID
	same := url.Values{"scope": {"teams:read"}, "label": {"old"}, "expires": {until.Format(time.DateOnly)}}
	if page := b.follow(t, b.post(path+"/set", same).Code, path); !strings.Contains(page, "Nothing was changed") {
		t.Error(page)
	}
	page := b.follow(t, b.post(path+"/set", url.Values{"label": {"new"}, "descendants": {"yes"}, "quota": {"5"}}).Code, path)
	for _, part := range []string{"label from old to new", "descendants from no to yes", "scopes from teams:read to none", "quota from 10000 a month to 5 a month", "to none"} {
		if !strings.Contains(page, part) {
			t.Errorf("no %q in %s", part, page)
		}
	}
	if w := b.post(path+"/set", url.Values{"quota": {"-1"}}); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("%d", w.Code)
	}
	for _, action := range []string{"set", "rotate", "retire", "revoke"} {
		if w := b.post("/keys/tk_none/"+action, url.Values{"meant": {"yes"}}); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", action, w.Code)
		}
	}
}
