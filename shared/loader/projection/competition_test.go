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
	var b, other seasonsBuilder
	b.add(ofSouth, 2025)
	b.add(ofNorth, 2023)
	b.add(hidden, 2024)
	b.add(ofNorth, 1999)
	other.add(ofNorth, 1999)
	other.add(ofNorth, 2023)
	other.add(ofSouth, 2025)
	r := b.record()
	if diff := cmp.Diff(r, other.record()); diff != "" {
		t.Errorf("the order in which they come counts:\n%s", diff)
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
