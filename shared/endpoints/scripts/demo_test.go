package scripts

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/endpoints/wire"
	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/openapi"
	"touchline/shared/route"
	"touchline/shared/seed"
	"touchline/shared/sport"
	"touchline/shared/store/records/recordstest"
)

// bodiesFile is for make test-callers, whose generated clients decode the bodies.
var bodiesFile = flag.String("bodies", "", "write the bodies of the demo federation to this `file`")

// TestTheDemoFederationIsDocumented requests every route, for records of every
// kind in the demo federation. It was made on another day than the examples of the
// document, whose requests find their records in it.
func TestTheDemoFederationIsDocumented(t *testing.T) {
	dir := t.TempDir()
	if _, err := seed.Write(dir, seed.Options{Demo: true, Now: time.Date(2027, 9, 1, 12, 0, 0, 0, time.UTC)}); err != nil {
		t.Fatal(err)
	}
	table := recordstest.New(t)
	table.Load(t, os.DirFS(dir))
	var s *documentedService
	deps := endpoints.Deps{Players: wire.Players{DefaultPhoto: "https://img.example/nobody.png"}}
	deps.Sports = table.Reader(func() time.Time { return s.Time })
	var operations []route.Operation
	for _, g := range route.Groups() {
		operations = append(operations, groups.Of(g)(deps)...)
	}
	s = newDocumented(t, operations...)
	s.Rates = &limits.Windows[string]{Limit: 1_000_000, Length: limits.WindowLength}
	s.SetKey(t, func(k *keys.Key) {
		k.Organization = firstID(t, filepath.Join(dir, "organizations.ndjson"), sport.KindOrganization)
		k.MonthlyQuota = new(1_000_000)
	})

	found := s.find(t)
	var bodies []body
	for o := range s.Routes.All() {
		for _, target := range targets(o, found) {
			bodies = append(bodies, body{o.Path, s.met(t, target, http.StatusOK)})
		}
		if name := "GET " + o.Path + " 200"; slices.Contains(s.document.Unseen(), name) {
			t.Errorf("%s was not met", name)
		}
	}
	keep(t, bodies)
	for _, example := range openapi.Examples() {
		if answer := s.met(t, example.Target, http.StatusOK); bytes.Contains(answer, []byte(`"data":[]`)) {
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

// met sends a request and returns the body.
func (s *documentedService) met(t *testing.T, target string, status int) []byte {
	t.Helper()
	x := s.exchange(t, http.MethodGet, target, nil)
	if x.Status != status {
		t.Fatalf("%s: status %d: %s", target, x.Status, x.Body)
	}
	if err := s.document.Check(x); err != nil {
		t.Error(err)
	}
	return x.Body
}

// ids are records by the first segment of their paths.
type ids map[string][]string

// each is how many records of a kind are requested.
const each = 12

// find reads the lists of the federation.
func (s *documentedService) find(t *testing.T) ids {
	t.Helper()
	k, err := s.Keys.Get(t.Context(), s.exchange(t, http.MethodGet, "/v1/ping", nil).Sent.Get("X-Service-Key"))
	if err != nil {
		t.Fatal(err)
	}
	federation := "/v1/federations/" + string(k.Organization)
	found := ids{"organizations": {string(k.Organization)}, "federations": {string(k.Organization)}}
	list := func(kind, path string) {
		var page struct {
			Data []struct {
				ID string `json:"id"`
			} `json:"data"`
		}
		if err := json.Unmarshal(s.met(t, path, http.StatusOK), &page); err != nil {
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

// firstID is the id of the first record of a file.
func firstID(t *testing.T, file string, kind sport.Kind) sport.ID {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var record struct {
		ID string `json:"id"`
	}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&record); err != nil {
		t.Fatal(err)
	}
	return sport.IDFor(kind, record.ID)
}
