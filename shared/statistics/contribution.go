package statistics

import (
	"slices"

	"touchline/shared/sport"
)

// Contribution is what a match with its line-ups, events and statistics adds to
// everything that is computed from several matches. It is stored packed: a new field
// comes last.
type Contribution struct {
	MatchID    sport.ID
	Home, Away SideContribution
	Coverage   Coverage
}

// SideContribution is one side of a Contribution. It counts all events of the match,
// whomever they name.
type SideContribution struct {
	TeamID       sport.ID
	Goals        [Bands]int // credited to the side, by 15-minute band (D42)
	PenaltyGoals int
	OwnGoals     int // credited to the side, scored by players of the other
	Cards        Cards
	Performances []Performance // by player id
}

// Cards counts cards by kind. Red are direct ones (D27).
type Cards struct {
	Yellow       int
	SecondYellow int
	Red          int
}

// Total is the number of cards of all kinds.
func (c Cards) Total() int { return c.Yellow + c.SecondYellow + c.Red }

func (c *Cards) count(card sport.EventDetail) {
	c.Yellow += one(card == sport.CardYellow)
	c.SecondYellow += one(card == sport.CardSecondYellow)
	c.Red += one(card == sport.CardRed)
}

func (c *Cards) add(more Cards) {
	c.Yellow += more.Yellow
	c.SecondYellow += more.SecondYellow
	c.Red += more.Red
}

// Coverage says which details a match has, or any of a competition's matches.
type Coverage struct {
	Lineups         bool // published ones
	Events          bool
	Assists         bool // a goal names one
	MatchStatistics bool `dynamodbav:"Figures"`
}

// Add adds the details that another match has.
func (c *Coverage) Add(more Coverage) {
	c.Lineups = c.Lineups || more.Lineups
	c.Events = c.Events || more.Events
	c.Assists = c.Assists || more.Assists
	c.MatchStatistics = c.MatchStatistics || more.MatchStatistics
}

// CoverageOf says which details a match has. Of a match that is not finished nothing
// else is counted.
func CoverageOf(m *sport.Match) Coverage {
	return Coverage{
		Lineups: Published(*m),
		Events:  len(m.Events) > 0,
		Assists: slices.ContainsFunc(m.Events, func(e sport.Event) bool {
			return e.Type == sport.EventGoal && e.AssistID != ""
		}),
		MatchStatistics: m.Statistics != nil,
	}
}

// ContributionOf computes a match's contribution from the match alone: if it is not
// finished, only its coverage.
func ContributionOf(m sport.Match, periods sport.Clock) Contribution {
	c := Contribution{
		MatchID:  m.ID,
		Home:     SideContribution{TeamID: m.HomeTeamID},
		Away:     SideContribution{TeamID: m.AwayTeamID},
		Coverage: CoverageOf(&m),
	}
	if m.Status != sport.Finished {
		return c
	}
	for _, e := range m.Events {
		side := c.of(e.Side)
		switch e.Type {
		case sport.EventGoal:
			side.goal(e, clock{periods}.band(&e))
		case sport.EventCard:
			side.Cards.count(e.Detail)
		}
	}
	for _, p := range Performances(m, periods) {
		side := c.of(p.Side)
		side.Performances = append(side.Performances, p)
	}
	return c
}

// Empty reports whether a contribution adds nothing and so need not be stored.
func (c Contribution) Empty() bool {
	return c.Coverage == Coverage{}
}

func (c *Contribution) of(side sport.Side) *SideContribution {
	if side == sport.SideAway {
		return &c.Away
	}
	return &c.Home
}

func (p *SideContribution) goal(e sport.Event, band int) {
	p.Goals[band]++
	p.PenaltyGoals += one(e.Detail == sport.GoalPenalty)
	p.OwnGoals += one(e.Detail == sport.GoalOwn)
}

// RunningScores are the scores after each of a match's events, in the order of the
// record; nil for an event that is no goal. A goal, even an own goal, counts for the
// side that it is credited to.
func RunningScores(events []sport.Event) []*sport.Score {
	scores := make([]*sport.Score, len(events))
	var score sport.Score
	for i, e := range events {
		if e.Type != sport.EventGoal {
			continue
		}
		switch e.Side {
		case sport.SideHome:
			score.Home++
		case sport.SideAway:
			score.Away++
		}
		scores[i] = new(score)
	}
	return scores
}
