package edits

import (
	"context"
	"fmt"
	"slices"
	"time"

	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Live is a match as whoever reports it from the touchline needs it.
type Live struct {
	ID     sport.ID
	Key    string // what a dataset calls it
	Status sport.MatchStatus
	At     time.Time // the kick-off in the competition's zone
	Home   Side
	Away   Side
	Score  sport.Score
	Events []Told // the newest first
	Minute int    // that it is now, as far as the clock knows
	Clock  sport.Clock
	Steps  []Step // what may be reported of its periods next
	Other  bool   // its sport is not football
	Ways   []Way  // to score; none: a goal counts one
	Any    bool   // the sport is not known, so that a score may count any number of points
}

// Side is a side of a match.
type Side struct {
	ID      sport.ID
	Name    string
	Players []Player // of the line-up, else of the team
}

// Player is one of a side.
type Player struct {
	ID     sport.ID
	Name   string
	Number int
}

// Told is an event of a match with the player's name.
type Told struct {
	sport.Event
	Player string // empty: not said
}

// Live reads a match.
func (b Book) Live(ctx context.Context, id sport.ID, now time.Time) (*Live, error) {
	w, fetch := b.open()
	fetch.Matches(ctx, []sport.ID{id})
	if err := fetch.Err(); err != nil {
		return nil, err
	}
	m := w.Matches.At(world.Before, id)
	if m == nil {
		return nil, ErrNotFound
	}
	teams := []sport.ID{m.HomeTeamID, m.AwayTeamID}
	var competition []sport.ID
	if m.CompetitionID != "" {
		competition = append(competition, m.CompetitionID)
	}
	fetch.Details(ctx, []sport.ID{id})
	fetch.Competitions(ctx, competition)
	fetch.Teams(ctx, teams)
	fetch.SquadsOf(ctx, teams)
	if err := fetch.Err(); err != nil {
		return nil, err
	}
	full, err := m.Full()
	if err != nil {
		return nil, err
	}
	l := &Live{ID: id, Key: called(id, m.Key), Status: m.Status, At: m.Kickoff}
	l.Clock = sport.Halves()
	if c := w.SeasonOf(world.Before, m.CompetitionID, m.Season); c != nil {
		l.At, l.Clock, l.Other = m.Kickoff.In(Zone(c.Timezone)), c.Rules.Clock(), c.Rules.Sport != ""
		ways, known := waysOf(c.Rules.Sport)
		l.Ways, l.Any = ways, !known
	}
	if m.Score != nil {
		l.Score = *m.Score
	}
	for i, side := range []*Side{&l.Home, &l.Away} {
		side.ID = teams[i]
		if t := w.Teams.At(world.Before, side.ID); t != nil {
			side.Name = t.Name
		}
		if side.Players, err = players(ctx, w, fetch, side.ID, squad(&full, i)); err != nil {
			return nil, err
		}
	}
	l.tell(full.Events)
	l.Minute = l.minuteAt(full.Events, m.Kickoff, now)
	l.Steps = l.steps(full.Events)
	return l, nil
}

// squad are the players of a side's line-up, if there is one.
func squad(m *sport.Match, side int) []sport.ID {
	var ids []sport.ID
	if m.Lineups != nil {
		s := []sport.Squad{m.Lineups.Home, m.Lineups.Away}[side]
		for _, e := range slices.Concat(s.Starting, s.Bench) {
			if e.PlayerID != "" {
				ids = append(ids, e.PlayerID)
			}
		}
	}
	return ids
}

// players are those listed, or all of a team where nobody is, by number.
func players(ctx context.Context, w *world.World, fetch *world.Fetcher, team sport.ID, listed []sport.ID) ([]Player, error) {
	if len(listed) == 0 {
		listed = slices.Collect(w.Squads.In(world.Before, team))
	}
	fetch.Players(ctx, listed)
	if err := fetch.Err(); err != nil {
		return nil, err
	}
	var all []Player
	for _, id := range listed {
		if p := w.Players.At(world.Before, id); p != nil {
			all = append(all, Player{id, p.Name, p.Number})
		}
	}
	slices.SortStableFunc(all, func(a, b Player) int { return a.Number - b.Number })
	return all, nil
}

// tell notes the events, the newest first.
func (l *Live) tell(events []sport.Event) {
	names := map[sport.ID]string{}
	for _, p := range slices.Concat(l.Home.Players, l.Away.Players) {
		names[p.ID] = p.Name
	}
	for _, e := range slices.Backward(events) {
		l.Events = append(l.Events, Told{e, names[e.PlayerID]})
	}
}

// Report is what somebody saw.
type Report struct {
	What   string // goal, penalty, ownGoal, points, yellow, secondYellow, red, substitution, suspension, timeout, start, periodStart, periodEnd, end, or score
	Side   sport.Side
	Minute int
	Player string       // by key or id; of a substitution who comes on. Empty: not said
	Other  string       // who went off, or assisted
	Score  sport.Score  // that the reporter sees; of a score what it is now
	Period sport.Period // of periodStart and periodEnd
	Points int          // what it counts, of points
	Mark   string       // tells the report from others, so that one that is sent twice counts once
}

// StaleError says that a report was made in view of another score than the stored one.
type StaleError struct{ Score sport.Score }

func (e *StaleError) Error() string {
	return fmt.Sprintf("the score is %d:%d by now: somebody else has reported, or this was sent twice", e.Score.Home, e.Score.Away)
}

// Patch is the patch of a report. The error is *StaleError, or says what is missing
// in the report.
func (l *Live) Patch(r Report) (Object, error) {
	patch := Patch(l.Key)
	if l.Status != sport.Live && l.Status != sport.Finished {
		patch["status"] = sport.Live
	}
	e := Object{"minute": r.Minute}
	if r.Mark != "" {
		e["id"] = l.Key + "/" + r.Mark
	}
	if (r.What == "goal" || r.What == "penalty" || r.What == "ownGoal" || r.What == "points") && l.Score != r.Score {
		return nil, &StaleError{l.Score}
	}
	switch r.What {
	case "score":
		patch["score"] = r.scored(0)
		if r.Side == "" {
			return patch, nil
		}
		e["type"] = sport.EventGoal
	case "points": // an event would count one
		if patch["score"] = r.scored(r.Points); r.Points < 1 || r.Points > maxPoints {
			return nil, fmt.Errorf("say how many points it counts: 1 to %d", maxPoints)
		}
		return patch, r.sided()
	case "goal", "penalty", "ownGoal":
		patch["score"] = r.scored(1)
		if e["type"] = sport.EventGoal; r.What != "goal" {
			e["detail"] = r.What
		}
	case "yellow", "secondYellow", "red":
		e["type"], e["detail"] = sport.EventCard, r.What
	case "substitution", "suspension", "timeout":
		e["type"] = sport.EventType(r.What)
	case "start", "periodStart", "periodEnd", "end":
		told, err := l.period(r, patch, e)
		if told && err == nil {
			patch["appendEvents"] = []Object{e}
		}
		return patch, err
	default:
		return nil, fmt.Errorf("%q is no report", r.What)
	}
	if err := r.sided(); err != nil {
		return nil, err
	}
	e["side"] = r.Side
	e.players(r)
	patch["appendEvents"] = []Object{e}
	return patch, nil
}

// maxPoints bounds what is scored at once.
const maxPoints = 99

// scored is the score after the side has scored.
func (r *Report) scored(points int) Object {
	is := r.Score
	if r.Side == sport.SideHome {
		is.Home += points
	} else {
		is.Away += points
	}
	return Object{"home": is.Home, "away": is.Away}
}

func (r *Report) sided() error {
	if r.Side != sport.SideHome && r.Side != sport.SideAway {
		return fmt.Errorf("say which side: home or away")
	}
	return nil
}

// players puts who was involved into an event.
func (e Object) players(r Report) {
	first, second := "playerId", "assistId"
	if r.What == "substitution" {
		first, second = "playerInId", "playerOutId"
	}
	if r.Player != "" {
		e[first] = r.Player
	}
	if r.Other != "" && (r.What == "substitution" || e["type"] == sport.EventGoal && r.What != "ownGoal") {
		e[second] = r.Other
	}
}
