package webconsole

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"touchline/shared/dataset"
	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/keys"
	"touchline/shared/signing"
	"touchline/shared/sport"
)

func TestTheExplorerSignsOnTheServer(t *testing.T) {
	var got *http.Request
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"data":"<i>"}`)) // a test's
	}))
	t.Cleanup(service.Close)
	b, registry := keeper(t)
	b.options.BaseURL = service.URL
	issued, err := registry.Create(t.Context(), keys.Request{Organization: dataset.ID(sport.KindOrganization, "fed"), Label: "L"})
	if err != nil {
		t.Fatal(err)
	}
	secret := issued.Secret.Reveal()
	form := url.Values{"path": {"/v1/{alias}/{id}/clubs"}, "alias": {"associations"}, "id": {"0123456789abcdef01234567"}, "q.sort": {"-name"}, "q.associationId": {"a b+c"}, "key": {issued.Key.ID}, "do": {"send"}}
	const target, query = "/v1/associations/0123456789abcdef01234567/clubs", "associationId=a%20b%2Bc&sort=-name"
	w := b.post("/explorer", form)
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "&lt;i&gt;") || strings.Contains(w.Body.String(), secret) {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if got.URL.Path != target || got.URL.RawQuery != query {
		t.Errorf("sent %s", got.URL)
	}
	text, err := signing.Message{Method: "GET", Path: target, Query: query, Timestamp: got.Header.Get(signing.HeaderTimestamp), Nonce: got.Header.Get(signing.HeaderNonce)}.Canonical()
	if err != nil || !signing.Verify([]string{secret}, text, got.Header.Get(signing.HeaderSignature)) {
		t.Errorf("%q, %v", text, err)
	}
	form.Set("do", "curl")
	got = nil
	w = b.post("/explorer", form)
	if body := w.Body.String(); got != nil || !strings.Contains(body, "curl &#39;"+service.URL+target) || strings.Contains(body, secret) {
		t.Error(body)
	}
	w = b.send(http.MethodGet, "/explorer/preview?"+form.Encode(), "", nil)
	if body := w.Body.String(); strings.Contains(body, "<html") || !strings.Contains(body, "<code>associationId=a%20b%2Bc&amp;sort=-name</code>") {
		t.Error(body)
	}
	form.Set("key", "tk_none")
	if w = b.post("/explorer", form); !strings.Contains(w.Body.String(), "there is no key to sign with") {
		t.Error(w.Body)
	}
	other, err := keys.ParseMasterKey(strings.Repeat("B", 42) + "A=")
	if err != nil {
		t.Fatal(err)
	}
	if registry.Sealer, err = keys.NewLocalSealer(other); err != nil {
		t.Fatal(err)
	}
	form.Set("key", issued.Key.ID)
	if w = b.post("/explorer", form); !strings.Contains(w.Body.String(), "another master key") {
		t.Error(w.Body)
	}
}

func TestTheExplorerHasEveryOperation(t *testing.T) {
	b := loggedInBrowser(t, Options{BaseURL: "https://api.example.org"})
	for o := range groups.Table(endpoints.Deps{}).All() {
		w := b.send(http.MethodGet, "/explorer?path="+url.QueryEscape(o.Path), "", nil)
		body := w.Body.String()
		if w.Code != http.StatusOK {
			t.Errorf("%s: %d", o.Path, w.Code)
		}
		for _, p := range o.Params {
			if !strings.Contains(body, `name="q.`+p.Name+`"`) {
				t.Errorf("%s: no field for %s", o.Path, p.Name)
			}
		}
	}
}
