package records_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

func TestClubEntriesAreOrderedByRecency(t *testing.T) {
	entry := func(season, competition, id int) records.TeamEntry {
		e := records.TeamEntry{Team: records.Team{Season: season}}
		e.ID = sport.ID(fmt.Sprintf("%024x", id))
		if competition != 0 {
			e.CompetitionID = sport.ID(fmt.Sprintf("%024x", competition))
		}
		return e
	}
	want := []records.TeamEntry{
		entry(2025, 0xf0, 1), entry(2025, 0x9, 3), entry(2025, 0x9, 4), entry(2025, 0, 2),
		entry(2024, 0xff, 9), entry(2024, 0, 5), entry(2024, 0, 6), entry(999, 1, 7), entry(0, 0, 8),
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	key := records.ClubEntrySchema().Key
	slices.SortFunc(got, func(a, b records.TeamEntry) int { return bytes.Compare(key(a), key(b)) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestClubEntriesTellTheirOwnFromCopies(t *testing.T) {
	schema := records.ClubEntrySchema()
	copied := records.TeamEntry{Team: records.Team{CompetitionID: "0123456789abcdef01234567", Season: 2025, Status: sport.Inactive}}
	for name, tt := range map[string]struct {
		entry records.TeamEntry
		want  records.Facet
		hides bool
	}{
		"competition copy": {copied, records.Facet{Season: 2025, Status: records.CurrentEntry}, false},
		"archived":         {records.TeamEntry{Team: copied.Team, Archived: true}, records.Facet{Season: 2025, Status: records.ArchivedEntry}, false},
		"own":              {records.TeamEntry{Team: records.Team{Season: 2025}}, records.Facet{Season: 2025, Status: records.OwnEntry}, false},
		"hidden":           {records.TeamEntry{Team: copied.Team, Hidden: true}, records.Facet{Season: 2025, Status: records.CurrentEntry}, true},
	} {
		if got := records.FacetOf(schema.Facet(tt.entry)); got != tt.want || schema.Hidden(tt.entry) != tt.hides {
			t.Errorf("%s: %+v, hidden %v; want %+v, %v", name, got, schema.Hidden(tt.entry), tt.want, tt.hides)
		}
	}
}

func TestPerformancesAreOrderedAndFilteredLikeMatches(t *testing.T) {
	m := records.MatchEntry{Match: records.Match{ID: "0123456789abcdef01234567", Kickoff: -5, Season: 2025, Status: sport.Live}, Hidden: true}
	p := records.PerformanceEntry{Match: m.ID, Kickoff: m.Kickoff, Season: m.Season, Status: m.Status, Hidden: true}
	matches, performances := records.MatchSchema(), records.PerformanceSchema()
	if !bytes.Equal(matches.Key(m), performances.Key(p)) || matches.Facet(m) != performances.Facet(p) || matches.Hidden(m) != performances.Hidden(p) {
		t.Error("a performance has another place than its match")
	}
}
