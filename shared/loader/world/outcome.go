package world

import (
	"iter"
	"maps"
	"slices"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

// Result is a match as far as tables need it.
func (w *World) Result(v View, id sport.ID) *sport.Match {
	if m := w.Matches.At(v, id); m != nil {
		return w.Ruled(v, m)
	}
	if e := w.entries[id]; e != nil && !w.Matches.Fetched(id) {
		return DecodeOutcome(e)
	}
	return nil
}

// Ruled is a match as it counts and is shown: as given, unless a team of it has
// withdrawn from the season (D59), or it was awarded (D79). Its competition must have been fetched.
func (w *World) Ruled(v View, m *Match) *sport.Match {
	if c := w.Competitions.At(v, m.SeasonID()); c != nil {
		return c.Ruled(&m.Match)
	}
	return &m.Match
}

// Outcome is a match as its competition, its teams and its players see it: the
// entry of lists, what it contributes, and whether anybody may see it.
type Outcome struct {
	Entry   records.MatchEntry // with its competition
	Season  SeasonID           // without a competition: the id is empty
	Counted statistics.Contribution
	// All are the performances, also of a match that is not finished.
	All []statistics.Performance
	// Unnamed: the match is in nobody's own matches, as its season hides players (D75).
	Unnamed bool
}

// outcomeKey is a match in a view.
type outcomeKey struct {
	view View
	id   sport.ID
}

// keptOutcomes is how many outcomes are kept: both views of the matches of some
// competitions, at 1 to 8 KB each. What is dropped is computed again when it is
// needed, so that memory does not follow the number of matches; whoever asks for
// many goes by competition (MatchesByCompetition).
const keptOutcomes = 8192

func newOutcomes() *simplelru.LRU[outcomeKey, *Outcome] {
	outcomes, err := simplelru.NewLRU[outcomeKey, *Outcome](keptOutcomes, nil)
	if err != nil {
		panic(err) // the size is positive
	}
	return outcomes
}

// Outcome computes what a match contributes in a view, nil if there is no such
// match. From then on the match counts as affected. Where its details cannot be read, Err
// says so.
func (w *World) Outcome(v View, id sport.ID) *Outcome {
	w.affected.Add(id)
	key := outcomeKey{v, id}
	o, ok := w.outcomes.Get(key)
	if !ok {
		o = w.compute(v, id)
		w.outcomes.Add(key, o)
	}
	return o
}

// Outcomes yields those of a match in each view, as far as there are any.
func (w *World) Outcomes(id sport.ID) iter.Seq[*Outcome] {
	return func(yield func(*Outcome) bool) {
		for _, v := range []View{Before, After} {
			if o := w.Outcome(v, id); o != nil && !yield(o) {
				return
			}
		}
	}
}

// Err is the first error of what was read of the world; nil: there was none.
func (w *World) Err() error { return w.failed }

func (w *World) compute(v View, id sport.ID) *Outcome {
	m := w.Matches.At(v, id)
	if m == nil {
		return nil
	}
	home, away := w.Teams.At(v, m.HomeTeamID), w.Teams.At(v, m.AwayTeamID)
	c := w.Competitions.At(v, m.SeasonID())
	if home == nil || away == nil || c == nil && m.CompetitionID != "" {
		return nil // broken references are refused elsewhere
	}
	ruled := w.Ruled(v, m)
	o := &Outcome{Entry: records.MatchEntry{
		Match:   matchEntry(ruled, c, home, away),
		Hidden:  w.matchHidden(v, m, c, home, away),
		Private: m.Visibility != sport.Public,
	}}
	if c != nil {
		ref := records.CompetitionRefOf(&c.Competition)
		o.Entry.Competition, o.Season, o.Unnamed = &ref, m.SeasonID(), w.HidesPlayers(v, m.SeasonID())
	}
	full := w.Full(v, m)
	o.All = withNamed(full, statistics.Performances(*full, w.Clock(v, m)))
	o.Counted = statistics.ContributionOf(*full, w.Clock(v, m))
	o.Entry.HomeFairPlay, o.Entry.AwayFairPlay = statistics.FairPlayPoints(o.Counted.Home.Cards), statistics.FairPlayPoints(o.Counted.Away.Cards)
	return o
}

// withNamed adds, to the performances of everybody whom a match lists, those of
// everybody else whom an event names, if only for a penalty in a shoot-out.
func withNamed(full *sport.Match, all []statistics.Performance) []statistics.Performance {
	known := Set[sport.ID]{}
	for _, p := range all {
		known.Add(p.PlayerID)
	}
	for _, e := range full.Events {
		p := statistics.Performance{TeamID: full.HomeTeamID, Side: e.Side}
		if e.Side == sport.SideAway {
			p.TeamID = full.AwayTeamID
		}
		for _, id := range e.Players() {
			if !known.Has(id) {
				known.Add(id)
				p.PlayerID = id
				all = append(all, p)
			}
		}
	}
	return all
}

// Listed is the entry of a match in lists. If the load affects the match, the entry is
// computed; else it is the one that was read. It is nil if no list has the match.
func (w *World) Listed(v View, id sport.ID) *records.MatchEntry {
	if !w.affected.Has(id) {
		return w.entries[id]
	}
	if o := w.Outcome(v, id); o != nil {
		return &o.Entry
	}
	return nil
}

// Contribution is what a match adds. That there are assists it says only where it names
// who gave one; its players must have been fetched.
func (w *World) Contribution(v View, o *Outcome) statistics.Contribution {
	c := o.Counted
	c.Coverage.Assists = c.Coverage.Assists && !o.Unnamed && slices.ContainsFunc(o.All, func(p statistics.Performance) bool {
		return p.Assists > 0 && w.PlayerRef(v, p.PlayerID) != nil
	})
	return c
}

// Contributions are what the visible ones of matches add in a view.
func (w *World) Contributions(v View, matches []sport.ID) []statistics.Contribution {
	var all []statistics.Contribution
	for _, id := range matches {
		c, ok := w.contributed[id]
		if w.affected.Has(id) {
			o := w.Outcome(v, id)
			if ok = o != nil && !o.Entry.Hidden && !o.Counted.Empty(); ok {
				c = w.Contribution(v, o)
			}
		}
		if ok {
			all = append(all, c)
		}
	}
	return all
}

// Unlisted are the players that matches add something of, as the table holds it, but for
// those whom Names has.
func (w *World) Unlisted(matches iter.Seq[sport.ID]) iter.Seq[sport.ID] {
	return func(yield func(sport.ID) bool) {
		for id := range matches {
			c := w.contributed[id]
			for _, p := range slices.Concat(c.Home.Performances, c.Away.Performances) {
				if _, ok := w.Names[p.PlayerID]; !ok && !yield(p.PlayerID) {
					return
				}
			}
		}
	}
}

// PlayedBy are the performances of a player in a view, but for those that nobody sees.
func (w *World) PlayedBy(v View, id sport.ID) []records.PerformanceEntry {
	var all []records.PerformanceEntry
	for m, e := range w.Performed[id] {
		if !w.affected.Has(m) && !e.Hidden {
			all = append(all, e)
		}
	}
	for _, m := range w.Performing[id] {
		o := w.Outcome(v, m)
		if o == nil || o.Entry.Hidden || o.Unnamed {
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

// NoteOutcomes notes the players whom an affected match lists or names, in either view.
func (w *World) NoteOutcomes(id sport.ID) {
	for o := range w.Outcomes(id) {
		for _, p := range o.All {
			if in := w.Performing[p.PlayerID]; len(in) == 0 || in[len(in)-1] != id {
				assign(&w.Performing, p.PlayerID, append(in, id))
			}
		}
	}
}

// byCompetition puts those ids together that belong to one season of a competition:
// they need the same matches.
func byCompetition[T any](e *Entities[sport.ID, T], ids []sport.ID, season func(*T) SeasonID) []sport.ID {
	together := map[SeasonID][]sport.ID{}
	for _, id := range ids {
		var in SeasonID
		for t := range e.Both(id) {
			in = season(t)
		}
		together[in] = append(together[in], id)
	}
	return slices.Concat(slices.Collect(maps.Values(together))...)
}

func (w *World) MatchesByCompetition(ids []sport.ID) []sport.ID {
	return byCompetition(&w.Matches, ids, (*Match).SeasonID)
}

func (w *World) TeamsByCompetition(ids []sport.ID) []sport.ID {
	return byCompetition(&w.Teams, ids, (*Team).SeasonID)
}

func (w *World) PlayersByCompetition(ids []sport.ID) []sport.ID {
	return byCompetition(&w.Players, ids, func(x *Player) (in SeasonID) {
		for t := range w.Teams.Both(x.TeamID) {
			in = t.SeasonID()
		}
		return in
	})
}

// PerformanceEntry is what a match of a player is on a list.
func (w *World) PerformanceEntry(v View, o *Outcome, p statistics.Performance) records.PerformanceEntry {
	var position sport.Position
	if x := w.Players.At(v, p.PlayerID); x != nil {
		position = x.Position
	}
	return records.PerformanceEntry{
		Match: o.Entry.ID, Kickoff: o.Entry.Kickoff, Season: o.Entry.Season, Status: o.Entry.Status,
		Competition: o.Season.ID, Team: p.TeamID, Side: p.Side, Captain: p.Captain, Started: p.Started,
		Figures: statistics.FiguresOf(position, p),
		Hidden:  o.Entry.Hidden || o.Unnamed,
	}
}

// GroupName is the name of a group of a competition's season, empty where it
// has none of that id.
func GroupName(c *Competition, id sport.ID) string {
	if c == nil || id == "" {
		return ""
	}
	for _, g := range c.Groups {
		if g.ID == id {
			return g.Name
		}
	}
	return ""
}

func matchEntry(m *sport.Match, c *Competition, home, away *Team) records.Match {
	return records.Match{
		ID: m.ID, Status: m.Status, Kickoff: m.Kickoff.UnixMilli(), TimeOpen: m.KickoffTimeOpen,
		Home: records.TeamRefOf(&home.Team), Away: records.TeamRefOf(&away.Team),
		Score: m.Score, Penalties: m.Penalties,
		Leg: m.Leg, TwoLegs: m.TwoLegs, Winner: m.Winner, Round: m.Round,
		GroupID: m.GroupID, GroupName: GroupName(c, m.GroupID),
		ExtraTime: m.ExtraTime, Season: m.Season,
		Points: m.Points, SetPoints: m.SetPoints, TieWinner: m.TieWinner,
	}
}
