package endpoints_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"regexp"
	"strings"
	"testing"
	"time"

	"touchline/shared/dataset/files"
	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/endpoints/wire"
	"touchline/shared/keys"
	"touchline/shared/meter"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store/reader"
	"touchline/shared/store/records/recordstest"
)

// defaultPhoto is shown for players without a picture.
const defaultPhoto = "https://img.example/nobody.png"

// service is the route table over a Sports table, without the pipeline: a request has
// passed steps 1 to 16 of D1, so that a test names an organization instead of making a
// key and a signature.
type service struct {
	table  *recordstest.Table
	reader *reader.Reader
	routes *route.Table
	now    time.Time

	names map[sport.ID]string // ids as tests write them
}

// key is the organization that asks, and whether its key has descendants.
type key struct {
	organization string // its key in the dataset, or an id
	descendants  bool
}

// keyOf is a key of an organization, with descendants.
func keyOf(organization string) key { return key{organization, true} }

// over serves a table.
func over(table *recordstest.Table) *service {
	s := &service{
		table: table, names: map[sport.ID]string{},
		now: time.Date(2026, 3, 14, 15, 9, 26, 535e6, time.UTC),
	}
	s.restart()
	return s
}

// serve serves a dataset.
func serve(t testing.TB, dataset fs.FS) *service {
	t.Helper()
	s := over(recordstest.New(t))
	s.table.Load(t, dataset)
	s.learn(t, dataset)
	s.restart()
	return s
}

// learn finds the ids of a dataset's records.
func (s *service) learn(t testing.TB, dataset fs.FS) {
	t.Helper()
	for letter, kind := range kinds {
		text := plainOf(t, dataset, files.Holding(kind).String()+".ndjson")
		for lines := json.NewDecoder(bytes.NewReader(text)); lines.More(); {
			var record struct{ ID string }
			if err := lines.Decode(&record); err != nil {
				t.Fatal(err)
			}
			s.id(letter + ":" + record.ID)
		}
	}
}

// plainOf is a file of a dataset; empty where the dataset has no such file.
func plainOf(t testing.TB, dataset fs.FS, name string) []byte {
	t.Helper()
	text, err := fs.ReadFile(dataset, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return text
}

// restart replaces the worker by one that has read nothing yet.
func (s *service) restart() {
	s.reader = s.table.Reader(func() time.Time { return s.now })
	s.routes = groups.Table(endpoints.Deps{Sports: s.reader, Players: wire.Players{DefaultPhoto: defaultPhoto}})
}

// kinds are the letters by which tests write ids: o:fed is the organization
// whose key in the dataset is fed.
var kinds = map[string]sport.Kind{
	"o": sport.KindOrganization, "c": sport.KindCompetition, "t": sport.KindTeam, "p": sport.KindPlayer, "m": sport.KindMatch,
}

var (
	written = regexp.MustCompile(`\b([octpm]):([A-Za-z0-9-]+)`)
	anyID   = regexp.MustCompile(`\b[0-9a-f]{24}\b`)
)

// id is the id that a test writes as a letter and a key, such as o:fed.
func (s *service) id(name string) sport.ID {
	letter, own, _ := strings.Cut(name, ":")
	id := sport.IDFor(kinds[letter], own)
	s.names[id] = name
	return id
}

// target is a target with the ids that stand for what a test writes.
func (s *service) target(target string) string {
	return written.ReplaceAllStringFunc(target, func(name string) string { return string(s.id(name)) })
}

// get sends a request as k, and returns status and body. Ids are as tests write
// them, in the target and in the body.
func (s *service) get(t testing.TB, k key, target string) (int, string) {
	t.Helper()
	status, body := s.ask(t, k, s.target(target))
	return status, anyID.ReplaceAllStringFunc(body, func(id string) string {
		if name, ok := s.names[sport.ID(id)]; ok {
			return name
		}
		return id
	})
}

// ask is get with ids as they are stored. It does what the pipeline does from
// step 17 on.
func (s *service) ask(t testing.TB, k key, target string) (int, string) {
	t.Helper()
	path, query, _ := strings.Cut(target, "?")
	operation, params, ok := s.routes.Match(path)
	if !ok {
		t.Fatalf("no route for %s", path)
	}
	call := route.Call{
		Organization: s.organization(k), Descendants: k.descendants, KeyID: "tk_test",
		Scopes: []keys.Scope{keys.TeamsRead}, Alias: params.Alias, ID: params.ID, Now: s.now,
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
	body, err := route.JSON(reply)
	if err != nil {
		t.Fatal(err)
	}
	return 200, string(body)
}

func (s *service) organization(k key) sport.ID {
	if sport.IsID(k.organization) {
		return sport.ID(k.organization)
	}
	return s.id("o:" + k.organization)
}

// idsIn returns the ids of a list, and its total.
func idsIn(t testing.TB, body string) ([]string, int) {
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

// spent is what a response cost: sequential round trips, and read units.
type spent struct {
	status, bytes, trips int
	units                float64
}

// over is what was read besides the size of the response.
func (s spent) over() float64 { return s.units - float64(s.bytes)/8192 }

// spend sends a request with cold caches, after authentication.
func (s *service) spend(t testing.TB, k key, target string) spent {
	t.Helper()
	s.restart()
	if _, _, err := s.reader.Standing(t.Context(), s.organization(k)); err != nil {
		t.Fatal(err)
	}
	s.table.Meter = &meter.Meter{}
	defer func() { s.table.Meter = nil }()
	status, body := s.ask(t, k, s.target(target))
	used := s.table.Meter.Total()
	return spent{status, len(body), used.Trips, used.ReadUnits}
}

// budget is a row of the design's table of reads: sequential round trips, and
// read units in addition to the size of the response by 8 KB.
type budget struct {
	trips int
	units float64
}

// hold compares what a response cost with the budget.
func (b budget) hold(t *testing.T, target string, got spent) {
	t.Helper()
	if got.trips > b.trips || got.over() > b.units {
		t.Errorf("%s: %d trips, at most %d are allowed; %.1f units for %d bytes, at most %.1f", target, got.trips, b.trips, got.units, got.bytes, b.units+float64(got.bytes)/8192)
	}
}
