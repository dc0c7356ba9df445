package statistics_test

import (
	"cmp"
	"context"
	"os"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
	"touchline/shared/outside"
	"touchline/shared/sport"
	"touchline/shared/statistics"
)

// sample is a folder of the data of real seasons.
type sample struct {
	matches map[string][]sport.Match // by competition key
	names   map[sport.ID]string
}

func read(t *testing.T, folder string) sample {
	t.Helper()
	set, err := dataset.Read(context.Background(), os.DirFS(outside.Path(t, "data/"+folder)), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := sample{map[string][]sport.Match{}, map[sport.ID]string{}}
	for _, rec := range set.Players.All() {
		s.names[rec.ID] = rec.Value.Name
	}
	for _, rec := range set.Teams {
		s.names[rec.ID] = rec.Value.Name
	}
	for _, rec := range set.Matches.All() {
		m := rec.Value.Full()
		key := set.Given(m.CompetitionID)
		s.matches[key] = append(s.matches[key], m)
	}
	return s
}

func (s sample) season(competition string, year int) statistics.Season {
	matches := slices.DeleteFunc(slices.Clone(s.matches[competition]), func(m sport.Match) bool { return m.Season != year })
	in := seasonOf(matches)
	for _, m := range matches {
		for _, id := range []sport.ID{m.HomeTeamID, m.AwayTeamID} {
			if !slices.Contains(in.Teams, id) {
				in.Teams = append(in.Teams, id)
			}
		}
	}
	in.NameKey = func(id sport.ID) []byte { return []byte(s.names[id]) }
	return in
}

// naive counts goals, cards and appearances from the records alone, without the
// package under test.
func naive(matches []sport.Match) (goals, yellow, second, red, appearances map[sport.ID]int) {
	goals, yellow, second = map[sport.ID]int{}, map[sport.ID]int{}, map[sport.ID]int{}
	red, appearances = map[sport.ID]int{}, map[sport.ID]int{}
	for _, m := range matches {
		if m.Status != sport.Finished {
			continue
		}
		if m.Lineups != nil {
			for _, e := range append(slices.Clone(m.Lineups.Home.Starting), m.Lineups.Away.Starting...) {
				appearances[e.PlayerID]++
			}
		}
		for _, e := range m.Events {
			switch {
			case e.Type == "goal" && e.Detail != "ownGoal":
				goals[e.PlayerID]++
			case e.Type == "substitution":
				appearances[e.PlayerInID]++
			case e.Type == "card":
				map[sport.EventDetail]map[sport.ID]int{"yellow": yellow, "secondYellow": second, "red": red}[e.Detail][e.PlayerID]++
			}
		}
	}
	return goals, yellow, second, red, appearances
}

func TestBundesligaScorersAndCards(t *testing.T) {
	s := read(t, "austria")
	for _, competition := range []string{"at.1", "at.1.championship", "at.1.relegation", "at.1.europe"} {
		in := s.season(competition, 2025)
		goals, yellow, second, red, appearances := naive(in.Matches)
		if len(goals) == 0 || len(yellow) == 0 {
			t.Fatalf("%s: nothing to compare", competition)
		}
		rankings := statistics.Rank(in)
		for i, row := range rankings.Goals {
			better := 0
			for _, n := range goals {
				if n > row.Goals {
					better++
				}
			}
			if row.Rank != better+1 || row.Goals != goals[row.PlayerID] || row.Appearances != appearances[row.PlayerID] {
				t.Errorf("%s: %s: %+v", competition, s.names[row.PlayerID], row)
			}
			if i > 0 && cmp.Compare(rankings.Goals[i-1].Value, row.Value) < 0 {
				t.Errorf("%s: row %d is out of order", competition, i)
			}
		}
		for _, row := range rankings.PlayerCards {
			want := statistics.Cards{Yellow: yellow[row.PlayerID], SecondYellow: second[row.PlayerID], Red: red[row.PlayerID]}
			if row.Cards() != want || row.Value != want.Total() || row.Appearances != appearances[row.PlayerID] {
				t.Errorf("%s: %s: %+v, want %+v", competition, s.names[row.PlayerID], row, want)
			}
			delete(yellow, row.PlayerID)
			delete(second, row.PlayerID)
			delete(red, row.PlayerID)
		}
		if len(rankings.Goals) != len(goals) || len(rankings.Appearances) != len(appearances) || len(yellow)+len(second)+len(red) > 0 {
			t.Errorf("%s: rows are missing", competition)
		}
	}
}

// The goals of the top scorer and of all matches are from FIFA.
func TestGoldenBoots(t *testing.T) {
	s := read(t, "worldcup")
	for _, c := range []struct {
		season, goals, total int
		player               string
	}{{2014, 6, 171, "James Rodriguez"}, {2018, 6, 169, "Harry Kane"}, {2022, 8, 172, "Kylian Mbappe"}} {
		in := s.season("worldcup", c.season)
		rankings := statistics.Rank(in)
		top := rankings.Goals[0]
		if s.names[top.PlayerID] != c.player || top.Goals != c.goals || top.Rank != 1 || rankings.Goals[1].Rank != 2 {
			t.Errorf("%d: %s with %+v", c.season, s.names[top.PlayerID], top)
		}
		all := statistics.OfCompetition(in)
		if all.Totals.Goals != c.total || all.Totals.Finished != 64 || all.Totals.Teams != 32 {
			t.Errorf("%d: %+v", c.season, all.Totals)
		}
		scored := all.Totals.OwnGoals
		for _, row := range rankings.Goals {
			scored += row.Goals
		}
		if scored != c.total {
			t.Errorf("%d: scorers and own goals are %d, not %d", c.season, scored, c.total)
		}
	}
}

// The minutes of a side of eleven add up to eleven times the match, minus what
// is missing after each sending-off, whatever the substitutions.
func TestMinutesOfASideAddUp(t *testing.T) {
	matches := 0
	for _, folder := range []string{"austria", "worldcup"} {
		for _, list := range read(t, folder).matches {
			for _, m := range list {
				if m.Lineups == nil {
					continue
				}
				matches++
				length := 90
				if m.ExtraTime {
					length = 120
				}
				want := map[sport.Side]int{sport.SideHome: 11 * length, sport.SideAway: 11 * length}
				spells := statistics.Spells(m, sport.Halves())
				off := sentOff(m)
				for side, squad := range map[sport.Side]sport.Squad{sport.SideHome: m.Lineups.Home, sport.SideAway: m.Lineups.Away} {
					for _, e := range slices.Concat(squad.Starting, squad.Bench) {
						out := spells[e.PlayerID].Out
						if minute, is := off[e.PlayerID]; is && out != nil && *out == minute {
							want[side] -= length - minute
						}
					}
				}
				got := map[sport.Side]int{}
				for _, p := range statistics.Performances(m, sport.Halves()) {
					got[p.Side] += p.Minutes
				}
				if diff := gocmp.Diff(want, got); diff != "" {
					t.Errorf("%s-%s %s: %s", m.HomeTeamID, m.AwayTeamID, m.Kickoff, diff)
				}
			}
		}
	}
	if matches != 195+288 {
		t.Errorf("%d matches with line-ups", matches)
	}
}

func sentOff(m sport.Match) map[sport.ID]int {
	off := map[sport.ID]int{}
	for _, e := range m.Events {
		if e.Type == "card" && e.Detail != "yellow" {
			off[e.PlayerID] = e.Minute
		}
	}
	return off
}

func TestLastScoreOfTheTimelineIsTheMatchScore(t *testing.T) {
	for _, folder := range []string{"austria", "worldcup"} {
		for _, list := range read(t, folder).matches {
			for _, m := range list {
				if len(m.Events) == 0 {
					continue
				}
				var last sport.Score
				for _, score := range statistics.RunningScores(m.Events) {
					if score != nil {
						last = *score
					}
				}
				if last != *m.Score {
					t.Errorf("%s-%s %s: %v, want %v", m.HomeTeamID, m.AwayTeamID, m.Kickoff, last, *m.Score)
				}
			}
		}
	}
}
