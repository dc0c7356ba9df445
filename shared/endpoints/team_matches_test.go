package endpoints_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// putMatches puts matches on the lists of both their teams.
func putMatches(t testing.TB, s *service, matches ...records.MatchEntry) {
	t.Helper()
	of := map[records.List[records.MatchEntry]][]records.MatchEntry{}
	for _, m := range matches {
		for _, team := range []sport.ID{m.Home.ID, m.Away.ID} {
			for _, variant := range []records.Variant{records.All, records.Variant(m.Status)} {
				of[records.TeamMatches(team, variant)] = append(of[records.TeamMatches(team, variant)], m)
			}
		}
	}
	for name, entries := range of {
		fill(t, s, records.MatchKind(), name, entries...)
	}
	putFixtures(t, s, matches...)
}

// putFixtures puts matches with both their teams, by quarter.
func putFixtures(t testing.TB, s *service, matches ...records.MatchEntry) {
	t.Helper()
	of := map[store.Key][]records.Match{}
	for _, m := range matches {
		for _, team := range []sport.ID{m.Home.ID, m.Away.ID} {
			if key := records.FixturesKey(team, records.Quarter(m.Kickoff)); !m.Hidden {
				of[key] = append(of[key], m.Match)
			}
		}
	}
	for key, played := range of {
		record, err := records.NewFixtures(played)
		if err != nil {
			t.Fatal(err)
		}
		s.put(t, key, record)
	}
}

func (s *service) putTeam(t testing.TB, name string, season int) {
	t.Helper()
	s.put(t, records.TeamKey(s.id("t:"+name)), &records.TeamRecord{
		Team: records.Team{TeamRef: s.teamRef(name), Season: season, Status: sport.Active}, Scope: s.mine("fed"),
		Owner: s.id("o:fed"), OwnerReach: s.mine("fed").Reach,
	})
}

// teamMatchesStage has a team of season 2025 with matches in it, in the season
// before and in none, and a team that plays friendlies.
func teamMatchesStage(t testing.TB) *service {
	s := stage(t)
	s.putTeam(t, "a", 2025)
	s.putTeam(t, "lone", 0)
	friendly := func(name string, n, season int, home, away string) records.MatchEntry {
		m := s.played(name, day(n), home, away)
		m.Competition, m.Season = nil, season
		return records.MatchEntry{Match: m}
	}
	live := s.played("live", day(3), "b", "a")
	live.Status = sport.Live
	putMatches(t, s,
		records.MatchEntry{Match: s.played("first", day(0), "a", "b")},
		records.MatchEntry{Match: s.played("hidden", day(1), "a", "b"), Hidden: true},
		friendly("friendly", 2, 0, "lone", "a"),
		records.MatchEntry{Match: live},
		friendly("friendly24", 4, 2024, "lone", "a"),
		friendly("friendly25", 5, 2025, "lone", "a"),
	)
	return s
}

func TestATeamsMatchesAreThoseOfItsSeason(t *testing.T) {
	s := teamMatchesStage(t)
	tests := map[string]struct {
		target string
		want   string
	}{
		"own season, and friendlies of none":  {"t:a/matches", "m:first m:friendly m:live m:friendly25"},
		"own season, named":                   {"t:a/matches?season=2025", "m:first m:live m:friendly25"},
		"another season":                      {"t:a/matches?season=2024", "m:friendly24"},
		"a season without matches":            {"t:a/matches?season=2023", ""},
		"a team without a season":             {"t:lone/matches", "m:friendly m:friendly24 m:friendly25"},
		"a team without a season, one season": {"t:lone/matches?season=2024", "m:friendly24"},
		"by state":                            {"t:a/matches?status=live", "m:live"},
		"by state and season":                 {"t:a/matches?status=finished&season=2025", "m:first m:friendly25"},
		"both bounds belong":                  {"t:a/matches?from=2025-08-03T12:00:00Z&to=2025-08-04T12:00:00Z", "m:friendly m:live"},
		"just inside the bounds":              {"t:a/matches?from=2025-08-03T12:00:00.001Z&to=2025-08-04T11:59:59.999Z", ""},
		"from":                                {"t:a/matches?from=2025-08-04", "m:live m:friendly25"},
		"to, by state":                        {"t:a/matches?to=2025-08-01&status=finished", "m:first"},
		"a page":                              {"t:a/matches?limit=1&page=3", "m:live"},
		"a page beyond":                       {"t:a/matches?limit=100&page=999999999", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			status, body := s.get(t, fed, "/v1/teams/"+tt.target)
			got, _ := ids(t, body)
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); status != 200 || diff != "" {
				t.Error(status, diff)
			}
			if !strings.HasSuffix(body, `,"meta":{"kind":"team"}}`) {
				t.Error(body)
			}
		})
	}
	want := `{"data":[` + playedBody("first", "2025-08-01T12:00:00.000Z", "a", "b") + `,"competition":` + leagueBody(2025) + `},` +
		playedBody("friendly", "2025-08-03T12:00:00.000Z", "lone", "a") + `,"competition":null}],"page":1,"limit":2,"total":4,"hasMore":true,"meta":{"kind":"team"}}`
	if _, body := s.get(t, fed, "/v1/teams/t:a/matches?limit=2"); body != want {
		t.Error(cmp.Diff(want, body))
	}
	for _, target := range []string{"t:b/matches", "a/matches", "m:first/matches"} {
		if status, body := s.get(t, fed, "/v1/teams/"+target); status != 404 || body != notFound {
			t.Errorf("%s: %d %s", target, status, body)
		}
	}
	if status, body := s.get(t, north, "/v1/teams/t:a/matches"); status != 404 || body != notFound {
		t.Error("out of scope:", status, body)
	}
}

func TestAnyPageOfATeamsMatchesCostsTheSame(t *testing.T) {
	s := stage(t)
	s.putTeam(t, "a", 2025)
	var matches []records.MatchEntry
	for i := range 600 {
		m := s.played(fmt.Sprint("m", i), day(i), "a", fmt.Sprint("x", i%20))
		m.Season = 2024 + i%2
		matches = append(matches, records.MatchEntry{Match: m})
	}
	fill(t, s, records.MatchKind(), records.TeamMatches(s.id("t:a"), records.All), matches...)
	fill(t, s, records.MatchKind(), records.TeamMatches(s.id("t:a"), records.Variant(sport.Finished)), matches...)
	for _, query := range []string{"", "limit=100", "limit=1&page=290", "season=2024&page=5", "status=finished", "from=2026-01-01", "from=2025-10-01&to=2025-10-07", "to=2026-01-01&limit=100"} {
		s.spend(t, fed, "/v1/teams/"+string(s.id("t:a"))+"/matches?"+query, onePage)
	}
}

// clubStage has a club with an entry for friendlies and copies of competitions,
// so many a season, of which 2025 is the current one; and a match between two of
// them.
func clubStage(t testing.TB, copies, aSeason int) *service {
	s := stage(t)
	s.putClub(t, "club", sport.Club, records.Scope{Owners: s.mine("club").Owners, Reach: s.mine("club", "fed").Reach})
	entries := []records.TeamEntry{
		{Team: records.Team{TeamRef: s.teamRef("own")}},
		{Team: records.Team{TeamRef: s.teamRef("shadow")}, Hidden: true},
	}
	var matches []records.MatchEntry
	for i := range copies {
		// The most recent first: c0 is of 2025.
		season := 2025 - i/aSeason
		ref := s.teamRef(fmt.Sprint("c", i))
		competition := sport.ID(fmt.Sprintf("%024d", copies-i%aSeason))
		entries = append(entries, records.TeamEntry{Team: records.Team{TeamRef: ref, Season: season, CompetitionID: competition}, Archived: season < 2025})
		m := s.played(fmt.Sprint("c", i), day(-i), fmt.Sprint("c", i), "b")
		m.Season = season
		matches = append(matches, records.MatchEntry{Match: m})
	}
	fill(t, s, records.ClubEntryKind(), records.ClubEntries(s.id("o:club")), entries...)
	between, shadow := s.played("between", day(5), "c0", "c1"), s.played("shadow", day(6), "shadow", "b")
	friendly := s.played("friendly", day(7), "own", "c1")
	friendly.Season, friendly.Competition = 0, nil
	putMatches(t, s, append(matches, records.MatchEntry{Match: between}, records.MatchEntry{Match: shadow}, records.MatchEntry{Match: friendly})...)
	return s
}

func (s *service) putClub(t testing.TB, name string, kind sport.OrganizationType, scope records.Scope) {
	t.Helper()
	s.put(t, records.OrganizationKey(s.id("o:"+name)), &records.OrganizationRecord{
		Organization: records.Organization{ID: s.id("o:" + name), Type: kind, Name: name}, Scope: scope,
	})
}

func TestAClubsMatchesAreThoseOfItsEntries(t *testing.T) {
	s := clubStage(t, 4, 2)
	tests := map[string]struct {
		target string
		total  int
		want   string
	}{
		"the current seasons":            {"", 4, "m:c1 m:c0 m:between m:friendly"},
		"one season":                     {"?season=2025", 3, "m:c1 m:c0 m:between"},
		"an earlier season":              {"?season=2024", 2, "m:c3 m:c2"},
		"by state":                       {"?status=live", 0, ""},
		"by kickoff":                     {"?from=2025-08-01&to=2025-08-06", 2, "m:c0 m:between"},
		"a page":                         {"?limit=2", 4, "m:c1 m:c0"},
		"a page with a match of two":     {"?limit=2&page=2", 4, "m:between m:friendly"},
		"a page beyond":                  {"?limit=100&page=999999999", 4, ""},
		"the last page, which is partly": {"?limit=3&page=2", 4, "m:friendly"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			status, body := s.get(t, fed, "/v1/teams/o:club/matches"+tt.target)
			got, total := ids(t, body)
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); status != 200 || total != tt.total || diff != "" {
				t.Error(status, total, diff)
			}
			if !strings.HasSuffix(body, `,"meta":{"kind":"club"}}`) {
				t.Error(body)
			}
		})
	}
}

func TestAClubsMatchesCoverItsMostRecentCopies(t *testing.T) {
	for copies, truncated := range map[int]bool{20: false, 21: true, 45: true} {
		t.Run(fmt.Sprint(copies), func(t *testing.T) {
			s := clubStage(t, copies, copies)
			status, body := s.get(t, fed, "/v1/teams/o:club/matches?limit=100")
			got, total := ids(t, body)
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

// The cap is on the copies of the season, however many more recent ones there
// are (D46).
func TestAClubsMatchesOfASeasonAreCappedWithinIt(t *testing.T) {
	s := clubStage(t, 45, 5)
	_, body := s.get(t, fed, "/v1/teams/o:club/matches?season=2017")
	if got, total := ids(t, body); total != 5 || strings.Join(got, " ") != "m:c44 m:c43 m:c42 m:c41 m:c40" || !strings.HasSuffix(body, `"meta":{"kind":"club"}}`) {
		t.Error(total, got, body[max(0, len(body)-100):])
	}
	s = clubStage(t, 50, 25)
	_, body = s.get(t, fed, "/v1/teams/o:club/matches?season=2024&limit=100")
	if got, total := ids(t, body); total != 20 || got[19] != "m:c25" || !strings.HasSuffix(body, `"meta":{"kind":"club","truncated":true,"competitionsIncluded":20}}`) {
		t.Error(total, got, body[max(0, len(body)-100):])
	}
}

func TestAClubIsFoundInItsScope(t *testing.T) {
	s := clubStage(t, 1, 1)
	s.putClub(t, "association", sport.Association, s.mine("fed"))
	s.putClub(t, "quiet", sport.Club, records.Scope{Hidden: true})
	tests := map[string]struct {
		key    key
		target string
		status int
	}{
		"below":                    {fed, "o:club/matches", 200},
		"its own key":              {key{"club", false}, "o:club/matches", 200},
		"a key alone above":        {fedAlone, "o:club/matches", 404},
		"elsewhere":                {north, "o:club/matches", 404},
		"not a club":               {fed, "o:association/matches", 404},
		"unknown":                  {fed, "o:nobody/matches", 404},
		"hidden, of its own key":   {key{"quiet", false}, "o:quiet/matches", 200},
		"hidden":                   {fed, "o:quiet/matches", 404},
		"a club is no team":        {fed, "o:club", 404},
		"a club has no statistics": {fed, "o:club/statistics", 404},
		"a club has no squad":      {fed, "o:club/players", 404},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			status, body := s.get(t, tt.key, "/v1/teams/"+tt.target)
			if status != tt.status || status == 404 && body != notFound {
				t.Error(status, body)
			}
		})
	}
}

// TestPagesOfAClubsMatchesAddUp reads clubs of many long lists page by page and
// compares with all their matches at once.
func TestPagesOfAClubsMatchesAddUp(t *testing.T) {
	s := stage(t)
	s.putClub(t, "club", sport.Club, s.mine("fed"))
	r := rand.New(rand.NewPCG(1, 2))
	var entries []records.TeamEntry
	for i := range 12 {
		entries = append(entries, records.TeamEntry{Team: records.Team{
			TeamRef: s.teamRef(fmt.Sprint("c", i)), Season: 2025, CompetitionID: sport.ID(fmt.Sprintf("%024d", i)),
		}})
	}
	fill(t, s, records.ClubEntryKind(), records.ClubEntries(s.id("o:club")), entries...)
	var matches []records.MatchEntry
	for i := range 500 {
		home := r.IntN(12)
		away := (home + 1 + r.IntN(11)) % 12
		matches = append(matches, records.MatchEntry{Match: s.played(fmt.Sprint("m", i), day(r.IntN(60)), fmt.Sprint("c", home), fmt.Sprint("c", away))})
	}
	putMatches(t, s, matches...)
	slices.SortFunc(matches, func(a, b records.MatchEntry) int {
		return slices.Compare(records.KickoffKey(a.Kickoff, a.ID), records.KickoffKey(b.Kickoff, b.ID))
	})
	var want, got []string
	for _, m := range matches {
		want = append(want, s.names[m.ID])
	}
	for page := 1; page <= 8; page++ {
		_, body := s.get(t, fed, fmt.Sprintf("/v1/teams/o:club/matches?limit=70&page=%d", page))
		part, total := ids(t, body)
		if total != len(matches) {
			t.Errorf("page %d: total %d", page, total)
		}
		got = append(got, part...)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// 12 lists of some 83 matches, each in a few parts.
	s.spend(t, fed, "/v1/teams/"+string(s.id("o:club"))+"/matches?limit=1", budget{trips: 3, units: 60})
}
