package records_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/packed"
	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

func TestSeasonsKeepWhatEachAddsUpTo(t *testing.T) {
	goals := func(n int) *records.Seen[records.PlayerSeason] {
		return &records.Seen[records.PlayerSeason]{
			All:    records.PlayerSeason{Totals: statistics.Figures{Goals: n, CleanSheets: new(0)}},
			Guests: []records.Guest[records.PlayerSeason]{{Scope: records.Scope{Owners: records.IDs{"a"}}}},
		}
	}
	this, last, all := goals(1), goals(2), goals(3)
	both := map[int]*records.Seen[records.PlayerSeason]{2025: this, 2024: last}
	for name, tt := range map[string]struct {
		years   map[int]*records.Seen[records.PlayerSeason]
		ownYear int
		own     *records.Seen[records.PlayerSeason]
		want    map[int]*records.Seen[records.PlayerSeason]
	}{
		"the entry's season is its own":    {both, 2025, this, map[int]*records.Seen[records.PlayerSeason]{0: this, 2025: this, 2024: last, 2023: nil}},
		"with friendlies of no season":     {both, 2025, all, map[int]*records.Seen[records.PlayerSeason]{0: all, 2025: this, 2024: last}},
		"the entry has no season":          {both, 0, all, map[int]*records.Seen[records.PlayerSeason]{0: all, 2025: this, 2024: last}},
		"no match in the entry's season":   {both, 2026, nil, map[int]*records.Seen[records.PlayerSeason]{0: nil, 2026: nil, 2025: this}},
		"only friendlies, of no season":    {nil, 2025, all, map[int]*records.Seen[records.PlayerSeason]{0: all, 2025: nil}},
		"one season, which is not its own": {map[int]*records.Seen[records.PlayerSeason]{2024: last}, 2025, nil, map[int]*records.Seen[records.PlayerSeason]{0: nil, 2024: last}},
	} {
		t.Run(name, func(t *testing.T) {
			record := records.NewSeasons(tt.years, tt.ownYear, tt.own)
			for year, want := range tt.want {
				got, err := record.Season(year)
				if diff := cmp.Diff(want, got); err != nil || diff != "" {
					t.Errorf("season %d: %v %s", year, err, diff)
				}
			}
		})
	}
}

// A record of many seasons must leave room for the player's own in the read units
// of one resource.
func TestSeasonsOfACareerTakeLittle(t *testing.T) {
	years := map[int]*records.Seen[records.PlayerSeason]{}
	for year := 2001; year <= 2025; year++ {
		n := year - 2000
		totals := statistics.Figures{
			Appearances: 10 + n, Starts: 9 + n, SubstitutedIn: 1, SubstitutedOut: 5, Minutes: 900 + 7*n, Goals: n % 9, Assists: n % 7, Yellow: n % 5,
		}
		season := &records.Seen[records.PlayerSeason]{All: records.PlayerSeason{Totals: totals}}
		for c := range 2 { // a league and a cup
			season.All.Competitions = append(season.All.Competitions, records.PlayerCompetition{
				Competition: records.CompetitionRef{
					ID: sport.IDFor(sport.KindCompetition, fmt.Sprint(c)), Name: "Regional championship of the north",
					Type: sport.League, Season: year, Stage: sport.Regular, Timezone: "Europe/Vienna",
				},
				Team: records.TeamRef{
					ID: sport.IDFor(sport.KindTeam, fmt.Sprint(year)), Name: "Sports club of a town", ShortName: "SCT",
					Logo: "https://images.example/teams/sports-club-of-a-town.png",
				},
				Totals: totals,
			})
		}
		years[year] = season
	}
	record := records.NewSeasons(years, 2025, years[2025])
	if n := len(record.Packed); n > 4000 {
		t.Errorf("25 seasons take %d bytes, more than half a read unit", n)
	}
}

func TestDamagedSeasonsAreAnError(t *testing.T) {
	for name, parts := range map[string][]byte{
		"nothing": nil, "another version": {0xff}, "cut off": packed.Marshal(&struct{ Years []int }{[]int{2025, 2026}})[:3],
	} {
		t.Run(name, func(t *testing.T) {
			r := records.SeasonsRecord[records.TeamSeason]{Packed: parts}
			if got, err := r.Season(2025); !errors.Is(err, packed.ErrMalformed) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}
