package world

import (
	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

// Result is a match as far as tables need it.
func (w *World) Result(v View, id sport.ID) *sport.Match {
	if m := w.Matches.At(v, id); m != nil || w.Matches.Known(id) {
		if m == nil {
			return nil
		}
		return &m.Match
	}
	return w.results[id]
}

// What matches add to everything that is computed from more than one of them.

// Outcome is a match as its competition, its teams and its players see it: the
// entry of lists, what it contributes, and whether anybody may see it.
type Outcome struct {
	Entry   records.MatchEntry // with its competition
	Season  SeasonID           // without a competition: the id is empty
	Counted statistics.Contribution
	// All are the performances, also of a match that is not finished.
	All []statistics.Performance
}

// Outcome computes what an affected match contributes in a view, once; nil if
// there is no such match.
func (w *World) Outcome(v View, id sport.ID) (*Outcome, error) {
	if o, ok := w.computed[v][id]; ok {
		return o, nil
	}
	o, err := w.compute(v, id)
	if err != nil {
		return nil, err
	}
	w.computed[v][id] = o
	return o, nil
}

func (w *World) compute(v View, id sport.ID) (*Outcome, error) {
	m := w.Matches.At(v, id)
	if m == nil {
		return nil, nil //nolint:nilnil // there is no such match
	}
	home, away := w.Teams.At(v, m.HomeTeamID), w.Teams.At(v, m.AwayTeamID)
	var c *Competition
	if m.CompetitionID != "" {
		c = w.Competitions.At(v, m.SeasonID())
	}
	if home == nil || away == nil || c == nil && m.CompetitionID != "" {
		return nil, nil //nolint:nilnil // broken references are refused elsewhere
	}
	o := &Outcome{Entry: records.MatchEntry{
		Match:   matchEntry(m, c, home, away),
		Hidden:  m.hidden(c, home, away),
		Private: m.Visibility != sport.Public,
	}}
	if c != nil {
		ref := CompetitionRef(c)
		o.Entry.Competition, o.Season = &ref, m.SeasonID()
	}
	full, err := m.Full()
	if err != nil {
		return nil, err
	}
	if m.Status == sport.Finished {
		o.Entry.HomeFairPlay, o.Entry.AwayFairPlay = sport.CardPoints(full.Events)
	}
	o.Counted = statistics.ContributionOf(full)
	o.All = withNamed(full, statistics.Performances(full))
	if m.Status != sport.Finished { // of these only the coverage counts
		o.Counted = statistics.Contribution{
			MatchID: m.ID, Coverage: o.Counted.Coverage,
			Home: statistics.Part{TeamID: m.HomeTeamID}, Away: statistics.Part{TeamID: m.AwayTeamID},
		}
	}
	return o, nil
}

// withNamed adds, to the performances of everybody whom a match lists, those of
// everybody else whom an event names, if only for a penalty in a shoot-out.
func withNamed(full sport.Match, all []statistics.Performance) []statistics.Performance {
	has := Set[sport.ID]{}
	for _, p := range all {
		has.Add(p.PlayerID)
	}
	for _, e := range full.Events {
		p := statistics.Performance{TeamID: full.HomeTeamID, Side: e.Side}
		if e.Side == sport.SideAway {
			p.TeamID = full.AwayTeamID
		}
		for _, id := range Present([]sport.ID{e.PlayerID, e.AssistID, e.PlayerInID, e.PlayerOutID}) {
			if _, ok := has[id]; !ok {
				has.Add(id)
				p.PlayerID = id
				all = append(all, p)
			}
		}
	}
	return all
}

// Listed is a match as lists show it in a view: computed where it is affected,
// else as the list that was read has it; nil if it is in none.
func (w *World) Listed(v View, id sport.ID) *records.MatchEntry {
	if o, ok := w.computed[v][id]; ok {
		if o == nil {
			return nil
		}
		return &o.Entry
	}
	return w.entries[id]
}

// Contributions are what the visible matches of a season, or a team's
// friendlies, add in a view.
func (w *World) Contributions(v View, stored map[sport.ID]statistics.Contribution, matches []sport.ID) []statistics.Contribution {
	var all []statistics.Contribution
	for _, id := range matches {
		if o, affected := w.computed[v][id]; affected {
			if o != nil && !o.Entry.Hidden && !o.Counted.Empty() {
				all = append(all, o.Counted)
			}
			continue
		}
		if c, ok := stored[id]; ok {
			all = append(all, c)
		}
	}
	return all
}

// played are the performances of a player in a view, hidden matches left out.
func (w *World) PlayedBy(v View, id sport.ID) []records.PerformanceEntry {
	var all []records.PerformanceEntry
	for m, e := range w.Performed[id] {
		if _, affected := w.computed[v][m]; !affected && !e.Hidden {
			all = append(all, e)
		}
	}
	for m := range w.Performing[id] {
		o := w.computed[v][m]
		if o == nil || o.Entry.Hidden {
			continue
		}
		for _, p := range o.All {
			if p.PlayerID == id {
				all = append(all, w.PerformanceEntry(v, o, p))
			}
		}
	}
	return all
}

func (w *World) PerformanceEntry(v View, o *Outcome, p statistics.Performance) records.PerformanceEntry {
	var position sport.Position
	if x := w.Players.At(v, p.PlayerID); x != nil {
		position = x.Position
	}
	count := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	e := records.PerformanceEntry{
		Match: o.Entry.ID, Kickoff: o.Entry.Kickoff, Season: o.Entry.Season, Status: o.Entry.Status,
		Competition: o.Season.ID, Team: p.TeamID, Side: p.Side, Captain: p.Captain, Started: p.Started,
		PlayerTotals: records.PlayerTotals{
			Appearances: count(p.Appeared), Starts: count(p.Started),
			SubstitutedIn: count(p.SubstitutedIn), SubstitutedOut: count(p.SubstitutedOut),
			Minutes: p.Minutes, Goals: p.Goals, PenaltyGoals: p.PenaltyGoals, OwnGoals: p.OwnGoals,
			Assists: p.Assists, Yellow: p.Yellow, SecondYellow: p.SecondYellow, Red: p.Red,
		},
		Hidden: o.Entry.Hidden,
	}
	if p.Goalkeeper(position) {
		sheets := count(p.ShutOut)
		e.CleanSheets = &sheets
	}
	return e
}

// Performance is what performanceEntry was made of, as far as it is added up.
func Performance(e records.PerformanceEntry) statistics.Performance {
	p := statistics.Performance{
		TeamID: e.Team, Side: e.Side, Started: e.Started, Captain: e.Captain,
		Appeared: e.Appearances > 0, SubstitutedIn: e.SubstitutedIn > 0, SubstitutedOut: e.SubstitutedOut > 0,
		Minutes: e.Minutes, Goals: e.Goals, PenaltyGoals: e.PenaltyGoals, OwnGoals: e.OwnGoals,
		Assists: e.Assists, Yellow: e.Yellow, SecondYellow: e.SecondYellow, Red: e.Red,
	}
	if e.CleanSheets != nil {
		p.Position, p.ShutOut = sport.Goalkeeper, *e.CleanSheets > 0
	}
	return p
}
