package endpoints_test

import (
	"io/fs"
	"regexp"
	"testing"
	"time"

	"touchline/shared/endpoints/endpointstest"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store/reader"
	"touchline/shared/store/records/recordstest"
)

const defaultPhoto = endpointstest.DefaultPhoto

// key is an endpointstest.Key.
type key struct {
	organization string
	descendants  bool
}

// written finds the ids that a test has written.
var written = regexp.MustCompile(`\b([ocgtpm]):([A-Za-z0-9-]+)`)

// service is an endpointstest.Service for the tests that count.
type service struct {
	table  *recordstest.Table
	reader *reader.Reader
	routes *route.Table
	now    time.Time
	names  map[sport.ID]string
	inner  *endpointstest.Service
}

func serve(t testing.TB, dataset fs.FS) *service {
	t.Helper()
	inner := endpointstest.Serve(t, dataset)
	return &service{table: inner.Table, reader: inner.Reader, routes: inner.Routes, now: inner.Now, inner: inner}
}

func (s *service) restart() {
	if s.inner == nil {
		s.inner = endpointstest.Over(s.table)
	}
	s.inner.Restart()
	s.reader, s.routes = s.inner.Reader, s.inner.Routes
}

func (s *service) id(name string) sport.ID { return s.inner.ID(name) }

func (s *service) ask(t testing.TB, k key, target string) (int, string) {
	t.Helper()
	return s.inner.Ask(t, endpointstest.Key{Organization: k.organization, Descendants: k.descendants}, target)
}
