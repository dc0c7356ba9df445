package teams_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/endpoints/endpointstest"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// clubOf serves a club with so many entries for competitions, c0 and up, the most
// recent first: perSeason of them in 2025, the current season, as many in the one
// before, and so on. Each has a match of its own, c0 and c1 play each other, and an
// entry without a competition plays a friendly against c1. A hidden entry plays,
// too.
func clubOf(t *testing.T, competing, perSeason int) *endpointstest.Service {
	t.Helper()
	s := endpointstest.New(t)
	putClub(t, s, records.Scope{Owners: s.Scope("club").Owners, Reach: s.Scope("club", "fed").Reach})
	entries := []records.TeamEntry{
		{Team: records.Team{TeamRef: s.TeamRef("own")}},
		{Team: records.Team{TeamRef: s.TeamRef("shadow")}, Hidden: true},
	}
	var matches []records.MatchEntry
	for i := range competing {
		season := 2025 - i/perSeason
		ref := s.TeamRef(fmt.Sprint("c", i))
		competition := sport.ID(fmt.Sprintf("%024d", competing-i%perSeason))
		entries = append(entries, records.TeamEntry{Team: records.Team{TeamRef: ref, Season: season, CompetitionID: competition}, Archived: season < 2025})
		m := s.Played(fmt.Sprint("c", i), endpointstest.Day(-i), fmt.Sprint("c", i), "b")
		m.Season = season
		matches = append(matches, records.MatchEntry{Match: m})
	}
	endpointstest.Fill(t, s, records.ClubEntrySchema(), records.ClubEntries(s.ID("o:club")), entries...)
	between, shadow := s.Played("between", endpointstest.Day(5), "c0", "c1"), s.Played("shadow", endpointstest.Day(6), "shadow", "b")
	friendly := s.Played("friendly", endpointstest.Day(7), "own", "c1")
	friendly.Season, friendly.Competition = 0, nil
	s.PutMatches(t, append(matches, records.MatchEntry{Match: between}, records.MatchEntry{Match: shadow}, records.MatchEntry{Match: friendly})...)
	return s
}

func putClub(t *testing.T, s *endpointstest.Service, scope records.Scope) {
	t.Helper()
	s.Put(t, records.OrganizationKey(s.ID("o:club")), &records.OrganizationRecord{
		Organization: records.Organization{ID: s.ID("o:club"), Type: sport.Club, Name: "club"}, Scope: scope,
	})
}

func TestAClubsMatchesAreThoseOfItsMostRecentEntries(t *testing.T) {
	for competing, truncated := range map[int]bool{20: false, 21: true, 45: true} {
		t.Run(fmt.Sprint(competing), func(t *testing.T) {
			s := clubOf(t, competing, competing)
			status, body := s.Get(t, endpointstest.Of("fed"), "/v1/teams/o:club/matches?limit=100")
			got, total := endpointstest.IDs(t, body)
			if status != 200 || total != 22 || got[0] != "m:c19" {
				t.Error(status, total, got)
			}
			meta := `"meta":{"kind":"club"}}`
			if truncated {
				meta = `"meta":{"kind":"club","truncated":true,"competitionsIncluded":20}}`
			}
			if !strings.HasSuffix(body, meta) {
				t.Errorf("%s, want %s", body[max(0, len(body)-100):], meta)
			}
		})
	}
}

// With a season the limit is on the entries of that season, however many more
// recent ones there are (D46).
func TestAClubsMatchesOfASeasonAreLimitedWithinIt(t *testing.T) {
	s := clubOf(t, 45, 5)
	_, body := s.Get(t, endpointstest.Of("fed"), "/v1/teams/o:club/matches?season=2017")
	if got, total := endpointstest.IDs(t, body); total != 5 || strings.Join(got, " ") != "m:c44 m:c43 m:c42 m:c41 m:c40" || !strings.HasSuffix(body, `"meta":{"kind":"club"}}`) {
		t.Error(total, got, body[max(0, len(body)-100):])
	}
	s = clubOf(t, 50, 25)
	_, body = s.Get(t, endpointstest.Of("fed"), "/v1/teams/o:club/matches?season=2024&limit=100")
	if got, total := endpointstest.IDs(t, body); total != 20 || got[19] != "m:c25" || !strings.HasSuffix(body, `"meta":{"kind":"club","truncated":true,"competitionsIncluded":20}}`) {
		t.Error(total, got, body[max(0, len(body)-100):])
	}
}

// TestPagesOfAClubsMatchesAddUp reads clubs of many long lists page by page and
// compares with all their matches at once.
func TestPagesOfAClubsMatchesAddUp(t *testing.T) {
	s := endpointstest.New(t)
	putClub(t, s, s.Scope("fed"))
	r := rand.New(rand.NewPCG(1, 2))
	var entries []records.TeamEntry
	for i := range 12 {
		entries = append(entries, records.TeamEntry{Team: records.Team{
			TeamRef: s.TeamRef(fmt.Sprint("c", i)), Season: 2025, CompetitionID: sport.ID(fmt.Sprintf("%024d", i)),
		}})
	}
	endpointstest.Fill(t, s, records.ClubEntrySchema(), records.ClubEntries(s.ID("o:club")), entries...)
	var matches []records.MatchEntry
	for i := range 500 {
		home := r.IntN(12)
		away := (home + 1 + r.IntN(11)) % 12
		matches = append(matches, records.MatchEntry{Match: s.Played(fmt.Sprint("m", i), endpointstest.Day(r.IntN(60)), fmt.Sprint("c", home), fmt.Sprint("c", away))})
	}
	s.PutMatches(t, matches...)
	slices.SortFunc(matches, func(a, b records.MatchEntry) int {
		return slices.Compare(records.KickoffKey(a.Kickoff, a.ID), records.KickoffKey(b.Kickoff, b.ID))
	})
	var want, got []string
	for _, m := range matches {
		want = append(want, s.Name(m.ID))
	}
	for page := 1; page <= 8; page++ {
		_, body := s.Get(t, endpointstest.Of("fed"), fmt.Sprintf("/v1/teams/o:club/matches?limit=70&page=%d", page))
		part, total := endpointstest.IDs(t, body)
		if total != len(matches) {
			t.Errorf("page %d: total %d", page, total)
		}
		got = append(got, part...)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// 12 lists of some 83 matches, each in a few parts.
	s.Spend(t, endpointstest.Of("fed"), "/v1/teams/o:club/matches?limit=1", endpointstest.Budget{Trips: 3, Units: 60})
}
