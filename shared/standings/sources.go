package standings

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"touchline/shared/sport"
)

// Source is how often a team's matches ended in one way, and the points that these gave.
type Source struct {
	How     string // "won", "lost after extra time", RulingSource
	Matches int
	Points  int
}

// RulingSource are the matches that a ruling has decided (D59), GivenSource others that give
// points of their own.
const (
	RulingSource = "by a ruling"
	GivenSource  = "with points given"
)

// Sources says where the points of each team come from, but for those at the start: the
// ways in which its own matches ended, won first, then drawn, lost and by a ruling. Extra
// time, shoot-outs and margins are told where the rules have points for them.
func Sources(in Input) map[sport.ID][]Source {
	t := newTally(in)
	type way struct {
		team sport.ID
		lead int
		how  string
	}
	all := map[way]*Source{}
	for i := range in.Matches {
		m := &in.Matches[i]
		if _, _, ok := t.teams(m); !ok || m.Status != sport.Finished || m.Score == nil {
			continue
		}
		home, away := in.Rules.Results(m)
		for team, r := range map[sport.ID]sport.Result{m.HomeTeamID: home, m.AwayTeamID: away} {
			w := way{team, r.Lead, in.Rules.Ending(m, r.Lead)}
			if _, _, ruled := m.Ruling(); ruled || m.Points != nil && (m.WinnerGiven || m.TieWinner != "") { // of a forfeit, or a withdrawal
				w.lead, w.how = -3, RulingSource
			} else if m.Points != nil {
				w.lead, w.how = -2, GivenSource
			}
			if all[w] == nil {
				all[w] = &Source{How: w.how}
			}
			all[w].Matches++
			all[w].Points += r.Points
		}
	}
	sources := map[sport.ID][]Source{}
	for _, w := range slices.SortedFunc(maps.Keys(all), func(a, b way) int {
		return cmp.Or(cmp.Compare(b.lead, a.lead), cmp.Compare(len(a.how), len(b.how)), cmp.Compare(a.how, b.how))
	}) {
		sources[w.team] = append(sources[w.team], *all[w])
	}
	return sources
}

// String is a source as text: "4 won (12)".
func (s Source) String() string { return fmt.Sprintf("%d %s (%d)", s.Matches, s.How, s.Points) }
