package endpointstest

import (
	"testing"

	"touchline/shared/meter"
)

// Budget is a row of the design's table of reads: sequential round trips, and
// read units in addition to the size of the response by 8 KB.
type Budget struct {
	Trips int
	Units float64
}

// Rows of the table.
var (
	Single   = Budget{Trips: 1, Units: 1}
	Seasonal = Budget{Trips: 2, Units: 1}
	OnePage  = Budget{Trips: 2, Units: 3}
)

// Spent is what a response cost.
type Spent struct {
	Status, Bytes, Trips int
	Units                float64
}

// Measure sends a request with cold caches, after authentication. Ids in the
// target may be as tests write them.
func (s *Service) Measure(t testing.TB, k Key, target string) Spent {
	t.Helper()
	s.Restart()
	if _, _, err := s.Reader.Standing(t.Context(), s.organization(k)); err != nil {
		t.Fatal(err)
	}
	s.Table.Meter = &meter.Meter{}
	defer func() { s.Table.Meter = nil }()
	status, body := s.Ask(t, k, s.Target(target))
	used := s.Table.Meter.Total()
	return Spent{status, len(body), used.Trips, used.ReadUnits}
}

// Spend compares what a request reads with a budget.
func (s *Service) Spend(t testing.TB, k Key, target string, b Budget) {
	t.Helper()
	spent := s.Measure(t, k, target)
	allowed := b.Units + float64(spent.Bytes)/8192
	t.Logf("%s: %d, %6d bytes, %d trips of %d, %4.1f units of %4.1f", target, spent.Status, spent.Bytes, spent.Trips, b.Trips, spent.Units, allowed)
	if spent.Status != 200 {
		t.Errorf("%s: %d", target, spent.Status)
	}
	if spent.Trips > b.Trips || spent.Units > allowed {
		t.Errorf("%s: %d trips, at most %d are allowed; %.1f units, at most %.1f", target, spent.Trips, b.Trips, spent.Units, allowed)
	}
}
