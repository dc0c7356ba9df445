package projection

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// A season is seen by those who see the competition in it (D57).
func TestSeasonsAreThoseThatAKeySees(t *testing.T) {
	const fed, north, south = sport.ID("fed"), sport.ID("north"), sport.ID("south")
	ofNorth := records.Scope{Owners: records.IDs{north}, Reach: records.IDs{fed, north}}
	ofSouth := records.Scope{Owners: records.IDs{south}, Reach: records.IDs{fed, south}}
	hidden := ofNorth
	hidden.Hidden = true
	r := &records.CompetitionSeasonsRecord{}
	for _, s := range []struct {
		scope records.Scope
		year  int
	}{{ofNorth, 1999}, {ofNorth, 2023}, {hidden, 2024}, {ofSouth, 2025}} {
		r.Seen = addSeason(r.Seen, s.scope, s.year)
	}
	if len(r.Seen) != 2 {
		t.Errorf("%d scopes, of two owners", len(r.Seen))
	}
	for _, tt := range []struct {
		viewer sport.Viewer
		want   []int
	}{
		{sport.Viewer{Organization: fed, Descendants: true}, []int{2025, 2023, 1999}},
		{sport.Viewer{Organization: fed}, nil},
		{sport.Viewer{Organization: north}, []int{2023, 1999}},
		{sport.Viewer{Organization: south, Descendants: true}, []int{2025}},
	} {
		if diff := cmp.Diff(tt.want, r.Of(tt.viewer)); diff != "" {
			t.Errorf("%+v:\n%s", tt.viewer, diff)
		}
	}
}
