// Package endpointstest serves the route table over a Sports table of a test's
// own. It leaves out the pipeline: a request here has passed steps 1 to 16 of D1,
// so that a test names an organization instead of making a key and a signature.
//
// The table is filled from a dataset (Serve), or record by record (New, Put,
// Fill), where a test is about what is read and not about how a load computes it.
package endpointstest

import (
	"encoding/json"
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

// DefaultPhoto is shown for players without a picture.
const DefaultPhoto = "https://img.example/nobody.png"

// NotFound is the body of every 404.
const NotFound = `{"error":{"code":"notFound","message":"Not found"}}`

// Service is the route table over a Sports table.
type Service struct {
	Table  *recordstest.Table
	Reader *reader.Reader
	Routes *route.Table
	Now    time.Time

	names map[sport.ID]string // ids as tests write them
}

// Key is the organization that asks, and whether its key has descendants.
type Key struct {
	Organization string // its key in the dataset, or an id
	Descendants  bool
}

// Of is a key of an organization, with descendants.
func Of(organization string) Key { return Key{Organization: organization, Descendants: true} }

// Alone is a key of an organization, without descendants.
func Alone(organization string) Key { return Key{Organization: organization} }

// New serves an empty table.
func New(t testing.TB) *Service {
	t.Helper()
	return Over(recordstest.New(t))
}

// Over serves a table.
func Over(table *recordstest.Table) *Service {
	s := &Service{
		Table: table, names: map[sport.ID]string{},
		Now: time.Date(2026, 3, 14, 15, 9, 26, 535e6, time.UTC),
	}
	s.Restart()
	return s
}

// Serve serves a dataset.
func Serve(t testing.TB, dataset fs.FS) *Service {
	t.Helper()
	s := New(t)
	s.Table.Load(t, dataset)
	s.learn(t, dataset)
	s.Restart()
	return s
}

// learn finds the ids of a dataset's records.
func (s *Service) learn(t testing.TB, dataset fs.FS) {
	t.Helper()
	for letter, kind := range kinds {
		file := string(kind) + "s.ndjson"
		if kind == sport.KindMatch {
			file = "matches.ndjson"
		}
		lines, err := fs.ReadFile(dataset, file)
		if err != nil {
			continue // any file may be missing
		}
		for _, match := range ownID.FindAllSubmatch(lines, -1) {
			s.ID(letter + ":" + string(match[1]))
		}
	}
}

var ownID = regexp.MustCompile(`(?m)^{"id":"([^"]+)"`)

// Restart replaces the worker by one that has read nothing yet.
func (s *Service) Restart() {
	s.Reader = s.Table.Reader(func() time.Time { return s.Now })
	s.Routes = groups.Table(endpoints.Deps{Sports: s.Reader, Players: wire.Players{DefaultPhoto: DefaultPhoto}})
}

// kinds are the letters by which tests write ids: o:fed is the organization
// whose key in the dataset is fed.
var kinds = map[string]sport.Kind{
	"o": sport.KindOrganization, "c": sport.KindCompetition, "g": sport.KindGroup,
	"t": sport.KindTeam, "p": sport.KindPlayer, "m": sport.KindMatch,
}

var (
	written = regexp.MustCompile(`\b([ocgtpm]):([A-Za-z0-9-]+)`)
	stored  = regexp.MustCompile(`[0-9a-f]{24}`)
)

// ID is the id that a test writes as a letter and a key, such as o:fed.
func (s *Service) ID(name string) sport.ID {
	letter, own, _ := strings.Cut(name, ":")
	id := sport.IDFor(kinds[letter], own)
	s.names[id] = name
	return id
}

// Name is an id as tests write it.
func (s *Service) Name(id sport.ID) string { return s.names[id] }

// Target is a target with the ids that stand for what a test writes.
func (s *Service) Target(target string) string {
	return written.ReplaceAllStringFunc(target, func(name string) string { return string(s.ID(name)) })
}

// Get sends a request as k, and returns status and body. Ids are as tests write
// them, in the target and in the body.
func (s *Service) Get(t testing.TB, k Key, target string) (int, string) {
	t.Helper()
	status, body := s.Ask(t, k, s.Target(target))
	return status, stored.ReplaceAllStringFunc(body, func(id string) string {
		if name, ok := s.names[sport.ID(id)]; ok {
			return name
		}
		return id
	})
}

// Ask is Get with ids as they are stored. It does what the pipeline does from
// step 17 on.
func (s *Service) Ask(t testing.TB, k Key, target string) (int, string) {
	t.Helper()
	path, query, _ := strings.Cut(target, "?")
	operation, params, ok := s.Routes.Match(path)
	if !ok {
		t.Fatalf("no route for %s", path)
	}
	call := route.Call{
		Organization: s.organization(k), Descendants: k.Descendants, KeyID: "tk_test",
		Scopes: []keys.Scope{keys.TeamsRead}, Alias: params.Alias, ID: params.ID, Now: s.Now,
	}
	if _, _, err := s.Reader.Standing(t.Context(), call.Organization); err != nil {
		t.Fatal(err)
	}
	arguments, err := operation.Decode(query)
	if err == nil && arguments.IncludeDescendants && !k.Descendants {
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
	body, err := route.JSON(reply)
	if err != nil {
		t.Fatal(err)
	}
	return 200, string(body)
}

func (s *Service) organization(k Key) sport.ID {
	if sport.IsID(k.Organization) {
		return sport.ID(k.Organization)
	}
	return s.ID("o:" + k.Organization)
}

// IDs returns the ids of a list, and its total.
func IDs(t testing.TB, body string) ([]string, int) {
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
