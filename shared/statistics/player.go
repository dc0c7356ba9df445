package statistics

import (
	"cmp"
	"slices"

	"touchline/shared/sport"
)

// Figures is what a player did in finished matches, or in one match: the fields of Q
// (decisions.md, Bodies).
type Figures struct {
	Appearances    int  `dynamodbav:"ap,omitempty"`
	Starts         int  `dynamodbav:"ss,omitempty"`
	SubstitutedIn  int  `dynamodbav:"si,omitempty"`
	SubstitutedOut int  `dynamodbav:"so,omitempty"`
	Minutes        int  `dynamodbav:"mi,omitempty"`
	Goals          int  `dynamodbav:"go,omitempty"` // with PenaltyGoals, without OwnGoals
	PenaltyGoals   int  `dynamodbav:"pg,omitempty"`
	OwnGoals       int  `dynamodbav:"og,omitempty"`
	Assists        int  `dynamodbav:"as,omitempty"`
	Yellow         int  `dynamodbav:"ye,omitempty"`
	SecondYellow   int  `dynamodbav:"sy,omitempty"`
	Red            int  `dynamodbav:"rd,omitempty"`
	CleanSheets    *int `dynamodbav:"cs,omitempty"` // nil unless a goalkeeper (D42)
}

// FiguresOf is what a player did in one match. Position is that of the player's record.
func FiguresOf(position sport.Position, p Performance) Figures {
	f := Figures{
		Appearances: one(p.Appeared), Starts: one(p.Started), SubstitutedIn: one(p.SubstitutedIn), SubstitutedOut: one(p.SubstitutedOut),
		Minutes: p.Minutes, Goals: p.Goals, PenaltyGoals: p.PenaltyGoals, OwnGoals: p.OwnGoals, Assists: p.Assists,
		Yellow: p.Yellow, SecondYellow: p.SecondYellow, Red: p.Red,
	}
	if cmp.Or(p.Position, position) == sport.Goalkeeper {
		f.CleanSheets = new(one(p.ShutOut))
	}
	return f
}

// Cards are those of the figures.
func (f *Figures) Cards() Cards { return Cards{f.Yellow, f.SecondYellow, f.Red} }

func (f *Figures) add(more Figures) {
	f.Appearances += more.Appearances
	f.Starts += more.Starts
	f.SubstitutedIn += more.SubstitutedIn
	f.SubstitutedOut += more.SubstitutedOut
	f.Minutes += more.Minutes
	f.Goals += more.Goals
	f.PenaltyGoals += more.PenaltyGoals
	f.OwnGoals += more.OwnGoals
	f.Assists += more.Assists
	f.addCards(more.Cards())
	if more.CleanSheets != nil {
		if f.CleanSheets == nil {
			f.CleanSheets = new(int)
		}
		*f.CleanSheets += *more.CleanSheets
	}
}

func (f *Figures) addCards(more Cards) {
	f.Yellow += more.Yellow
	f.SecondYellow += more.SecondYellow
	f.Red += more.Red
}

// PlayerGame is what a player did in a match for a team in a competition's season.
type PlayerGame struct {
	CompetitionID sport.ID // empty: a friendly
	Season        int
	TeamID        sport.ID // the match's team entry (D41)
	Figures
}

// Player is what a player's games add up to.
type Player struct {
	Totals Figures // friendlies included
	// Competitions has a row for each season of a competition and each team entry, by
	// competition id, season and team id. Friendlies have no row.
	Competitions []PlayerGame
}

// OfPlayer adds up what a player did in the visible matches that are finished. position
// is that of the player's own record. CleanSheets is nil if neither position nor any match
// makes the player a goalkeeper.
func OfPlayer(position sport.Position, games []PlayerGame) Player {
	none := func() (f Figures) {
		if position == sport.Goalkeeper {
			f.CleanSheets = new(int)
		}
		return f
	}
	all := Player{Totals: none()}
	for _, g := range games {
		all.Totals.add(g.Figures)
		if g.CompetitionID == "" {
			continue
		}
		at := slices.IndexFunc(all.Competitions, func(row PlayerGame) bool { return row.compare(g) == 0 })
		if at < 0 {
			at = len(all.Competitions)
			all.Competitions = append(all.Competitions, PlayerGame{g.CompetitionID, g.Season, g.TeamID, none()})
		}
		all.Competitions[at].Figures.add(g.Figures)
	}
	slices.SortFunc(all.Competitions, PlayerGame.compare)
	return all
}

func (g PlayerGame) compare(other PlayerGame) int {
	return cmp.Or(
		cmp.Compare(g.CompetitionID, other.CompetitionID),
		cmp.Compare(g.Season, other.Season),
		cmp.Compare(g.TeamID, other.TeamID),
	)
}

// one is 1 if true, 0 if not.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}
