package statistics

import (
	"cmp"
	"slices"

	"touchline/shared/sport"
)

// Figures is what a player did, summed over finished matches.
type Figures struct {
	Appearances    int
	Starts         int
	SubstitutedIn  int
	SubstitutedOut int
	Minutes        int
	Goals          int // with PenaltyGoals, without OwnGoals
	PenaltyGoals   int
	OwnGoals       int
	Assists        int
	Cards
	CleanSheets *int // nil unless a goalkeeper (D42)
}

// add adds a performance, except for its clean sheet.
func (f *Figures) add(p Performance) {
	f.Appearances += one(p.Appeared)
	f.Starts += one(p.Started)
	f.SubstitutedIn += one(p.SubstitutedIn)
	f.SubstitutedOut += one(p.SubstitutedOut)
	f.Minutes += p.Minutes
	f.Goals += p.Goals
	f.PenaltyGoals += p.PenaltyGoals
	f.OwnGoals += p.OwnGoals
	f.Assists += p.Assists
	f.Cards.add(Cards{Yellow: p.Yellow, SecondYellow: p.SecondYellow, Red: p.Red})
}

// PlayerGame is a player's performance in a match.
type PlayerGame struct {
	CompetitionID sport.ID // empty: a friendly
	Season        int
	Status        sport.MatchStatus // only finished matches count
	Performance   Performance
}

// Player are the statistics of a player.
type Player struct {
	Totals Figures // friendlies included
	// Competitions has a row for each season of a competition and each team
	// entry with which the player has finished matches, by competition id,
	// season and team id. Friendlies have no row.
	Competitions []PlayerCompetition
}

// PlayerCompetition is what a player did for a team in a competition's season.
type PlayerCompetition struct {
	CompetitionID sport.ID
	Season        int
	TeamID        sport.ID // the matches' team entry (D41)
	Figures
}

// OfPlayer computes a player's statistics from performances in the visible
// matches. position is that of the player's own record. CleanSheets is nil if
// neither position nor any performance makes the player a goalkeeper.
func OfPlayer(position sport.Position, games []PlayerGame) Player {
	type entry struct {
		competition sport.ID
		season      int
		team        sport.ID
	}
	var all Player
	by := map[entry]*PlayerCompetition{}
	all.Totals.keep(position == sport.Goalkeeper, 0)
	for _, g := range games {
		if g.Status != sport.Finished {
			continue
		}
		all.Totals.count(position, g.Performance)
		if g.CompetitionID == "" {
			continue
		}
		key := entry{g.CompetitionID, g.Season, g.Performance.TeamID}
		row := by[key]
		if row == nil {
			row = &PlayerCompetition{CompetitionID: key.competition, Season: key.season, TeamID: key.team}
			row.keep(position == sport.Goalkeeper, 0)
			by[key] = row
		}
		row.count(position, g.Performance)
	}
	all.Competitions = make([]PlayerCompetition, 0, len(by))
	for _, row := range by {
		all.Competitions = append(all.Competitions, *row)
	}
	slices.SortFunc(all.Competitions, func(a, b PlayerCompetition) int {
		return cmp.Or(
			cmp.Compare(a.CompetitionID, b.CompetitionID),
			cmp.Compare(a.Season, b.Season),
			cmp.Compare(a.TeamID, b.TeamID),
		)
	})
	return all
}

// FiguresOf is what a player did in one match. Position is that of the player's record.
func FiguresOf(position sport.Position, p Performance) (f Figures) {
	f.count(position, p)
	return f
}

// count adds a performance with its clean sheet.
func (f *Figures) count(position sport.Position, p Performance) {
	f.add(p)
	f.keep(p.Goalkeeper(position), one(p.ShutOut))
}

// one is 1 if true, 0 if not.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// keep adds clean sheets, if they are those of a goalkeeper.
func (f *Figures) keep(goalkeeper bool, sheets int) {
	if !goalkeeper {
		return
	}
	if f.CleanSheets == nil {
		f.CleanSheets = new(int)
	}
	*f.CleanSheets += sheets
}
