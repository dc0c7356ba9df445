package scripts

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/openapi"
	"touchline/shared/route"
	"touchline/shared/sport"
)

// bodiesFile is for make test-callers, whose generated clients decode the bodies.
var bodiesFile = flag.String("bodies", "", "write the bodies of the demo federation to this `file`")

// TestTheDemoFederationIsDocumented requests every route, for records of every
// kind in the demo federation. It was made on another day than the examples of the
// document, whose requests find their records in it.
func TestTheDemoFederationIsDocumented(t *testing.T) {
	made := demoAt(t, time.Date(2027, 9, 1, 12, 0, 0, 0, time.UTC))
	s := newRun(t, newWorld(t, newDocument(t), made), &script{file: "demo", keys: []line{{1, []string{"key", "k", "organization=est", "quota=1000000"}}}})
	found := s.find(t)
	var bodies []body
	for o := range groups.Table(endpoints.Deps{}).All() {
		for _, target := range targets(o, found) {
			bodies = append(bodies, body{o.Path, s.met(t, target)})
		}
		if name := "GET " + o.Path + " 200"; slices.Contains(s.document.Unseen(), name) {
			t.Errorf("%s was not met", name)
		}
	}
	keep(t, bodies)
	for _, example := range openapi.Examples() {
		if answer := s.met(t, example.Target); bytes.Contains(answer, []byte(`"data":[]`)) {
			t.Errorf("%s finds nothing", example.Target)
		}
	}
}

// body is that of an answer 200 of a route.
type body struct {
	Path string
	Body json.RawMessage
}

// keep writes the bodies to the file that -bodies names, if it names one.
func keep(t *testing.T, bodies []body) {
	t.Helper()
	if *bodiesFile == "" {
		return
	}
	text, err := json.Marshal(bodies)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*bodiesFile, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// met sends a request, which has to be answered, and returns the body.
func (r *run) met(t *testing.T, target string) []byte {
	t.Helper()
	x := r.exchange(t, target)
	if x.Status != http.StatusOK {
		t.Fatalf("%s: status %d: %s", target, x.Status, x.Body)
	}
	return x.Body
}

// ids are records by the first segment of their paths.
type ids map[string][]string

// each is how many records of a kind are requested.
const each = 12

// find reads the lists of the federation.
func (r *run) find(t *testing.T) ids {
	t.Helper()
	id := string(sport.IDFor(sport.KindOrganization, "est"))
	federation := "/v1/federations/" + id
	found := ids{"organizations": {id}, "federations": {id}}
	list := func(kind, path string) {
		var page struct {
			Data []struct {
				ID string `json:"id"`
			} `json:"data"`
		}
		if err := json.Unmarshal(r.met(t, path), &page); err != nil {
			t.Fatal(err)
		}
		for _, item := range page.Data {
			if len(found[kind]) < each && !slices.Contains(found[kind], item.ID) {
				found[kind] = append(found[kind], item.ID)
			}
		}
	}
	const below = "?includeDescendants=true&limit=100"
	list("associations", federation+"/associations"+below)
	list("clubs", federation+"/clubs"+below)
	list("tournaments", federation+"/competitions"+below)
	list("teams", federation+"/teams"+below)
	list("players", "/v1/tournaments/"+found["tournaments"][0]+"/players?limit=100")
	for _, status := range []string{"finished", "live", "upcoming"} {
		for _, id := range found["tournaments"] {
			list("matches", "/v1/tournaments/"+id+"/matches?limit=3&status="+status)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(found)) {
		if len(found[kind]) == 0 {
			t.Errorf("the demo has no %s", kind)
		}
	}
	return found
}

// targets are paths of an operation: all its aliases and records, with
// everything below, and every ranking of a list.
func targets(o *route.Operation, found ids) []string {
	query := url.Values{}
	ranked := route.Param{Enum: []string{""}}
	for _, p := range o.Params {
		switch p.Name {
		case "includeDescendants":
			query.Set(p.Name, "true")
		case "limit":
			query.Set(p.Name, "7")
		case "type", "scope":
			ranked = p
		}
	}
	heads := []string{strings.Split(o.Path, "/")[2]}
	if heads[0] == "{alias}" {
		heads = []string{"organizations", "federations", "associations", "clubs"}
	}
	var all []string
	for _, head := range heads {
		records := found[head]
		if !strings.Contains(o.Path, "{id}") {
			records = []string{""}
		}
		for _, id := range records {
			for _, value := range ranked.Enum {
				if value != "" {
					query.Set(ranked.Name, value)
				}
				path := strings.NewReplacer("{alias}", head, "{id}", id).Replace(o.Path)
				all = append(all, strings.TrimSuffix(path+"?"+query.Encode(), "?"))
			}
		}
	}
	return all
}
