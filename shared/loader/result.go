package loader

import (
	"encoding/json"

	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

// What matches add to everything that is computed from more than one of them.

// outcome is a match as its competition, its teams and its players see it: the
// entry of lists, what it contributes, and whether anybody may see it.
type outcome struct {
	entry   records.MatchEntry // with its competition
	season  season             // without a competition: the id is empty
	counted statistics.Contribution
	// all are the performances, also of a match that is not finished.
	all []statistics.Performance
}

// outcome computes what a match that is affected adds up to in a view, once;
// nil where there is no such match.
func (w *world) outcome(v view, id sport.ID) (*outcome, error) {
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

func (w *world) compute(v view, id sport.ID) (*outcome, error) {
	m := w.matches.at(v, id)
	if m == nil {
		return nil, nil //nolint:nilnil // there is no such match
	}
	home, away := w.teams.at(v, m.HomeTeamID), w.teams.at(v, m.AwayTeamID)
	var c *competition
	if m.CompetitionID != "" {
		c = w.competitions.at(v, m.season())
	}
	if home == nil || away == nil || c == nil && m.CompetitionID != "" {
		return nil, nil //nolint:nilnil // broken references are refused elsewhere
	}
	o := &outcome{entry: records.MatchEntry{
		Match:   matchEntry(m, c, home, away),
		Hidden:  m.hidden(c, home, away),
		Private: m.Visibility != sport.Public,
	}}
	if c != nil {
		ref := competitionRef(c)
		o.entry.Competition, o.season = &ref, m.season()
	}
	full, err := m.full()
	if err != nil {
		return nil, err
	}
	o.counted = statistics.ContributionOf(full)
	o.all = performances(full)
	if m.Status != sport.Finished { // of these only the coverage counts
		o.counted = statistics.Contribution{
			MatchID: m.ID, Coverage: o.counted.Coverage,
			Home: statistics.Part{TeamID: m.HomeTeamID}, Away: statistics.Part{TeamID: m.AwayTeamID},
		}
	}
	return o, nil
}

// performances are a match's: of everybody it lists, and of everybody an event
// names, if only as taking a penalty in a shoot-out. Of a match that goes on, the minutes of those on
// the pitch are not known before they leave it (D29): they are 0 until then, so
// that a goal does not change what is stored of everyone else.
func performances(full sport.Match) []statistics.Performance {
	all := withNamed(full, statistics.Performances(full))
	if full.Status == sport.Finished {
		return all
	}
	left := map[sport.ID]bool{}
	lineups := statistics.LineupsOf(full)
	for _, entries := range [][]statistics.LineupEntry{lineups.Home.Starting, lineups.Home.Bench, lineups.Away.Starting, lineups.Away.Bench} {
		for _, e := range entries {
			left[e.PlayerID] = e.MinuteOut != nil
		}
	}
	for i := range all {
		if !left[all[i].PlayerID] {
			all[i].Minutes = 0
		}
	}
	return all
}

func withNamed(full sport.Match, all []statistics.Performance) []statistics.Performance {
	has := set[sport.ID]{}
	for _, p := range all {
		has.add(p.PlayerID)
	}
	for _, e := range full.Events {
		p := statistics.Performance{TeamID: full.HomeTeamID, Side: e.Side}
		if e.Side == sport.SideAway {
			p.TeamID = full.AwayTeamID
		}
		for _, id := range present([]sport.ID{e.PlayerID, e.AssistID, e.PlayerInID, e.PlayerOutID}) {
			if _, ok := has[id]; !ok {
				has.add(id)
				p.PlayerID = id
				all = append(all, p)
			}
		}
	}
	return all
}

// full is the match with its details, which must have been fetched.
func (m *match) full() (sport.Match, error) {
	full := m.Match
	if len(m.detailHash) == 0 {
		return full, nil
	}
	d, err := inflate(m.detail)
	if err != nil {
		return full, err
	}
	full.Lineups, full.Events, full.Statistics = d.Lineups, d.Events, d.Statistics
	return full, nil
}

// involved are the players that a match lists or names.
func (m *match) involved() ([]sport.ID, error) {
	full, err := m.full()
	if err != nil {
		return nil, err
	}
	players := set[sport.ID]{}
	if full.Lineups != nil {
		for _, entries := range [][]sport.LineupEntry{full.Lineups.Home.Starting, full.Lineups.Home.Bench, full.Lineups.Away.Starting, full.Lineups.Away.Bench} {
			for _, e := range entries {
				players.add(e.PlayerID)
			}
		}
	}
	for _, e := range full.Events {
		players.add(present([]sport.ID{e.PlayerID, e.AssistID, e.PlayerInID, e.PlayerOutID})...)
	}
	return players.keys(), nil
}

// listed is a match as lists show it in a view: computed where it is affected,
// else as it stands in the list that was read. nil: there is none.
func (w *world) listed(v view, id sport.ID) *records.MatchEntry {
	if o, ok := w.computed[v][id]; ok {
		if o == nil {
			return nil
		}
		return &o.entry
	}
	return w.entries[id]
}

// contributions are what the visible matches of a season, or a team's
// friendlies, add in a view.
func (w *world) contributions(v view, stored map[sport.ID]statistics.Contribution, matches []sport.ID) []statistics.Contribution {
	var all []statistics.Contribution
	for _, id := range matches {
		if o, affected := w.computed[v][id]; affected {
			if o != nil && !o.entry.Hidden && !o.counted.Empty() {
				all = append(all, o.counted)
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
func (w *world) playedBy(v view, id sport.ID) []records.PerformanceEntry {
	var all []records.PerformanceEntry
	for m, e := range w.performed[id] {
		if _, affected := w.computed[v][m]; !affected && !e.Hidden {
			all = append(all, e)
		}
	}
	for m := range w.performing[id] {
		o := w.computed[v][m]
		if o == nil || o.entry.Hidden {
			continue
		}
		for _, p := range o.all {
			if p.PlayerID == id {
				all = append(all, w.performanceEntry(v, o, p))
			}
		}
	}
	return all
}

func (w *world) performanceEntry(v view, o *outcome, p statistics.Performance) records.PerformanceEntry {
	var position sport.Position
	if x := w.players.at(v, p.PlayerID); x != nil {
		position = x.Position
	}
	count := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	e := records.PerformanceEntry{
		Match: o.entry.ID, Kickoff: o.entry.Kickoff, Season: o.entry.Season, Status: o.entry.Status,
		Competition: o.season.ID, Team: p.TeamID, Side: p.Side, Captain: p.Captain, Started: p.Started,
		PlayerTotals: records.PlayerTotals{
			Appearances: count(p.Appeared), Starts: count(p.Started),
			SubstitutedIn: count(p.SubstitutedIn), SubstitutedOut: count(p.SubstitutedOut),
			Minutes: p.Minutes, Goals: p.Goals, PenaltyGoals: p.PenaltyGoals, OwnGoals: p.OwnGoals,
			Assists: p.Assists, Yellow: p.Yellow, SecondYellow: p.SecondYellow, Red: p.Red,
		},
		Hidden: o.entry.Hidden,
	}
	if p.Goalkeeper(position) {
		sheets := count(p.ShutOut)
		e.CleanSheets = &sheets
	}
	return e
}

// performance is what performanceEntry was made of, as far as it is added up.
func performance(e records.PerformanceEntry) statistics.Performance {
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

func packContribution(c statistics.Contribution) ([]byte, error) { return json.Marshal(c) }

func unpackContribution(e records.ContributionEntry) (statistics.Contribution, error) {
	var c statistics.Contribution
	err := json.Unmarshal(e.Facts, &c)
	return c, err
}
