package webconsole

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"touchline/shared/dataset"
	"touchline/shared/keys"
	"touchline/shared/sport"
)

func TestManyKeysArePagesWithFilters(t *testing.T) {
	b, registry := keeper(t)
	for i := range 120 {
		req := keys.Request{Organization: dataset.ID(sport.KindOrganization, []string{"club", "fed"}[i%2]), Scopes: []string{"teams:read"}, Label: fmt.Sprintf("label %03d", i)}
		if i == 7 {
			req.Scopes = append(req.Scopes, "players:read")
		}
		issued, err := registry.Create(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if i == 8 {
			if _, err := registry.Revoke(t.Context(), issued.Key.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	fed := string(dataset.ID(sport.KindOrganization, "fed")) // its key alone is in the id of many an API key
	for query, want := range map[string]int{
		"": 50, "page=2": 50, "page=3": 20, "page=4": 0, "organization=Bold": 50, "organization=Bold&page=2": 10, "organization=" + fed + "&page=2": 10,
		"organization=label+01": 10, "state=revoked": 1, "state=expired": 0, "scope=players:read": 1, "scope=players:read&organization=club": 0,
	} {
		page := b.follow(t, http.StatusSeeOther, "/keys?"+query)
		if got := strings.Count(page, `<tr><th scope="row">`); got != want {
			t.Errorf("%q: %d keys, want %d", query, got, want)
		}
		if want == 50 && !strings.Contains(page, `class="pager"`) {
			t.Errorf("%q has no pager", query)
		}
	}
}

func TestWhoChangedAKeyIsShown(t *testing.T) {
	b, registry := keeper(t)
	registry.By = func(context.Context) string { return "eva@<office>" }
	issued, err := registry.Create(t.Context(), keys.Request{Organization: dataset.ID(sport.KindOrganization, "fed"), Scopes: []string{"teams:read"}, Label: "old"})
	if err != nil {
		t.Fatal(err)
	}
	label := "new"
	if _, _, err := registry.Set(t.Context(), issued.Key.ID, keys.Changes{Label: &label}); err != nil {
		t.Fatal(err)
	}
	page := b.follow(t, http.StatusSeeOther, "/keys/"+issued.Key.ID)
	made, changed := strings.Index(page, ">made<"), strings.Index(page, "label from old to new")
	if made < 0 || changed < 0 || made < changed || !strings.Contains(page, "eva@&lt;office&gt;") {
		t.Error(page)
	}
}
