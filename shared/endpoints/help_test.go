package endpoints_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"time"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/endpoints/wire"
	"touchline/shared/keys"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store/reader"
	"touchline/shared/store/records/recordstest"
)

// service is the endpoint table over a dataset, without the pipeline: what is
// asked here has passed D1 steps 1 to 16.
type service struct {
	table  *recordstest.Table
	reader *reader.Reader
	routes *route.Table
	now    time.Time
	names  map[sport.ID]string // ids as tests write them
}

// defaultPhoto is what players without a picture are shown with.
const defaultPhoto = "https://img.example/nobody.png"

func serve(t testing.TB, dataset fs.FS) *service {
	t.Helper()
	s := &service{
		table: recordstest.New(t), names: map[sport.ID]string{},
		now: time.Date(2026, 3, 14, 15, 9, 26, 535e6, time.UTC),
	}
	s.table.Load(t, dataset)
	s.learn(t, dataset)
	s.restart()
	return s
}

// learn finds the ids of a dataset's records.
func (s *service) learn(t testing.TB, dataset fs.FS) {
	t.Helper()
	for letter, kind := range kinds {
		lines, err := fs.ReadFile(dataset, string(kind)+"s.ndjson")
		if kind == sport.KindMatch {
			lines, err = fs.ReadFile(dataset, "matches.ndjson")
		}
		if err != nil {
			continue
		}
		for _, match := range ownID.FindAllSubmatch(lines, -1) {
			s.id(letter + ":" + string(match[1]))
		}
	}
}

var ownID = regexp.MustCompile(`(?m)^{"id":"([^"]+)"`)

// restart is a worker that has read nothing yet.
func (s *service) restart() {
	s.reader = s.table.Reader(func() time.Time { return s.now })
	s.routes = groups.Table(endpoints.Deps{Sports: s.reader, Players: wire.Players{DefaultPhoto: defaultPhoto}})
}

// key is who asks.
type key struct {
	organization string
	descendants  bool
}

// The keys of the tests.
var (
	fed      = key{"fed", true}
	fedAlone = key{"fed", false}
	north    = key{"north", true}
)

const notFound = `{"error":{"code":"notFound","message":"Not found"}}`

// kinds are the letters by which tests write ids: o:fed is the organization
// whose key in the dataset is fed.
var kinds = map[string]sport.Kind{
	"o": sport.KindOrganization, "c": sport.KindCompetition, "g": sport.KindGroup,
	"t": sport.KindTeam, "p": sport.KindPlayer, "m": sport.KindMatch,
}

var written = regexp.MustCompile(`\b([ocgtpm]):([A-Za-z0-9-]+)`)

// id gives the id that a test has written.
func (s *service) id(name string) sport.ID {
	letter, own, _ := strings.Cut(name, ":")
	id := sport.IDFor(kinds[letter], own)
	s.names[id] = name
	return id
}

// get asks as k and gives status and body, ids in both as tests write them.
func (s *service) get(t testing.TB, k key, target string) (int, string) {
	t.Helper()
	target = written.ReplaceAllStringFunc(target, func(name string) string { return string(s.id(name)) })
	status, body := s.ask(t, k, target)
	return status, regexp.MustCompile(`[0-9a-f]{24}`).ReplaceAllStringFunc(body, func(id string) string {
		if name, ok := s.names[sport.ID(id)]; ok {
			return name
		}
		return id
	})
}

// ask does what the pipeline does from step 17 on.
func (s *service) ask(t testing.TB, k key, target string) (int, string) {
	t.Helper()
	path, query, _ := strings.Cut(target, "?")
	operation, params, ok := s.routes.Match(path)
	if !ok {
		t.Fatalf("no route for %s", path)
	}
	call := route.Call{
		Organization: s.id("o:" + k.organization), Descendants: k.descendants, KeyID: "tk_test",
		Scopes: []keys.Scope{keys.TeamsRead}, Alias: params.Alias, ID: params.ID, Now: s.now, RequestID: "r",
	}
	if sport.IsID(k.organization) {
		call.Organization = sport.ID(k.organization)
	}
	if _, _, err := s.reader.Standing(t.Context(), call.Organization); err != nil {
		t.Fatal(err)
	}
	arguments, err := operation.Decode(query)
	if err == nil && arguments.IncludeDescendants && !k.descendants {
		err = problem.New(problem.Forbidden)
	}
	var reply any
	if err == nil {
		reply, err = operation.Serve(t.Context(), call, arguments)
	}
	if err != nil {
		e := problem.From(err)
		if e.Cause != nil {
			t.Errorf("%s: %v", target, err)
		}
		return e.Status(), string(e.JSON())
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(reply); err != nil {
		t.Fatal(err)
	}
	return 200, strings.TrimSuffix(b.String(), "\n")
}

// ids gives the ids of a list, and its total.
func ids(t testing.TB, body string) ([]string, int) {
	t.Helper()
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
		Total int `json:"total"`
	}
	if err := json.Unmarshal([]byte(body), &list); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	got := []string{}
	for _, item := range list.Data {
		got = append(got, item.ID)
	}
	return got, list.Total
}

// fieldOf is details.field of a refusal.
func fieldOf(err error) string {
	e := problem.From(err)
	if e.Details == nil || e.Details.Field == nil {
		return fmt.Sprint("none: ", err)
	}
	return *e.Details.Field
}
