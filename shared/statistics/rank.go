package statistics

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"touchline/shared/sport"
)

// Season is what the rankings and statistics of a competition's season are
// computed from.
type Season struct {
	Rules sport.Rules
	Teams []sport.ID // every team entered, hidden ones too
	// Matches are the matches of the season, of any status, without hidden ones.
	// The fields that are read are ID, Kickoff, Status, the teams, Score,
	// Penalties and ExtraTime.
	Matches []sport.Match
	// Contributions are those of these matches, at most one each. Contributions
	// of other matches do not count.
	Contributions []Contribution
	// NameKey returns the collation key of a player's or a team's name (D15).
	NameKey func(sport.ID) []byte
	// Hidden reports whether the rows of a player or a team are left out of the
	// rankings (D40); nil: no row is.
	Hidden func(sport.ID) bool
}

// Rankings are those of a competition's season. Ranks start at 1, are shared by
// equal values (1, 1, 3), and are computed before hidden rows are removed (D27,
// D40).
type Rankings struct {
	// Goals, Assists and Appearances list the players with a value above 0
	// (D41), by descending value, then fewer appearances, name, id.
	Goals, Assists, Appearances []ScorerRow
	// PlayerCards lists the players with a card. TeamCards lists every team that
	// is entered or has played. Both are ordered by descending total, then red,
	// secondYellow, name, id.
	PlayerCards []PlayerCardRow
	TeamCards   []TeamCardRow
}

// ScorerRow is a player's row of the top scorers. A player has one row, with
// everything that he did in the competition, under the team entry of the latest
// match that lists or names him.
type ScorerRow struct {
	Rank         int
	PlayerID     sport.ID
	TeamID       sport.ID
	Value        int // what the ranking is by
	Goals        int // with PenaltyGoals
	PenaltyGoals int
	Assists      int
	Appearances  int
}

// PlayerCardRow is a player's row of the cards, with the same team as in
// ScorerRow.
type PlayerCardRow struct {
	Rank     int
	PlayerID sport.ID
	TeamID   sport.ID
	Cards
	Total       int
	Appearances int
}

// TeamCardRow is a team's row of the cards.
type TeamCardRow struct {
	Rank   int
	TeamID sport.ID
	Cards
	Total  int
	Played int // finished matches
}

// FairPlayPoints of a team's cards, at most 0: -1 for a yellow card, -3 for a
// second yellow, -4 for a red (decisions.md, tournaments/{id}/cards).
func FairPlayPoints(c Cards) int { return -c.Yellow - 3*c.SecondYellow - 4*c.Red }

// Rank computes the rankings of a competition's season.
func Rank(in Season) Rankings {
	players := in.players()
	teams := in.teams()
	return Rankings{
		Goals:       in.scorers(players, func(x *playerLine) int { return x.figures.Goals }),
		Assists:     in.scorers(players, func(x *playerLine) int { return x.figures.Assists }),
		Appearances: in.scorers(players, func(x *playerLine) int { return x.figures.Appearances }),
		PlayerCards: in.playerCards(players),
		TeamCards:   in.teamCards(teams),
	}
}

// subject is who a line is about.
type subject struct {
	id   sport.ID
	name []byte
}

func (s *subject) of() *subject { return s }

// playerLine adds up a player's performances.
type playerLine struct {
	subject
	team    sport.ID
	latest  moment // of the match that gave team
	figures Figures
}

// teamLine adds up a team's cards.
type teamLine struct {
	subject
	played int
	cards  Cards
}

// moment orders matches by kick-off, then by id.
type moment struct {
	kickoff time.Time
	id      sport.ID
}

func momentOf(m *sport.Match) moment { return moment{m.Kickoff, m.ID} }

func (a moment) compare(b moment) int {
	return cmp.Or(a.kickoff.Compare(b.kickoff), cmp.Compare(a.id, b.id))
}

// finished returns the finished matches by id.
func (in Season) finished() map[sport.ID]*sport.Match {
	by := make(map[sport.ID]*sport.Match, len(in.Matches))
	for i := range in.Matches {
		if m := &in.Matches[i]; m.Status == sport.Finished {
			by[m.ID] = m
		}
	}
	return by
}

func (in Season) players() []*playerLine {
	by := map[sport.ID]*playerLine{}
	finished := in.finished()
	for i := range in.Contributions {
		c := &in.Contributions[i]
		m, counts := finished[c.MatchID]
		if !counts {
			continue
		}
		for _, side := range []*SideContribution{&c.Home, &c.Away} {
			for _, p := range side.Performances {
				line := by[p.PlayerID]
				if line == nil {
					line = &playerLine{subject: subject{p.PlayerID, in.NameKey(p.PlayerID)}}
					by[p.PlayerID] = line
				}
				line.add(p, momentOf(m))
			}
		}
	}
	return inOrder(by)
}

func (x *playerLine) add(p Performance, at moment) {
	x.figures.add(p)
	if x.team == "" || at.compare(x.latest) > 0 {
		x.team, x.latest = p.TeamID, at
	}
}

func (in Season) teams() []*teamLine {
	by := map[sport.ID]*teamLine{}
	line := func(id sport.ID) *teamLine {
		if by[id] == nil {
			by[id] = &teamLine{subject: subject{id, in.NameKey(id)}}
		}
		return by[id]
	}
	for _, id := range in.Teams {
		line(id)
	}
	finished := in.finished()
	for _, m := range finished {
		line(m.HomeTeamID).played++
		line(m.AwayTeamID).played++
	}
	for i := range in.Contributions {
		c := &in.Contributions[i]
		if _, counts := finished[c.MatchID]; counts {
			line(c.Home.TeamID).cards.add(c.Home.Cards)
			line(c.Away.TeamID).cards.add(c.Away.Cards)
		}
	}
	return inOrder(by)
}

// scorers ranks the players by a value (D27, D41).
func (in Season) scorers(players []*playerLine, value func(*playerLine) int) []ScorerRow {
	order := func(a, b *playerLine) int {
		return cmp.Or(cmp.Compare(value(b), value(a)), cmp.Compare(a.figures.Appearances, b.figures.Appearances))
	}
	return ranked(in, listed(players, value), order, value, func(x *playerLine, rank int) ScorerRow {
		return ScorerRow{
			Rank: rank, PlayerID: x.id, TeamID: x.team, Value: value(x),
			Goals: x.figures.Goals, PenaltyGoals: x.figures.PenaltyGoals,
			Assists: x.figures.Assists, Appearances: x.figures.Appearances,
		}
	})
}

func (in Season) playerCards(players []*playerLine) []PlayerCardRow {
	total := func(x *playerLine) int { return x.figures.Cards.Total() }
	order := func(a, b *playerLine) int { return compareCards(a.figures.Cards, b.figures.Cards) }
	return ranked(in, listed(players, total), order, total, func(x *playerLine, rank int) PlayerCardRow {
		return PlayerCardRow{
			Rank: rank, PlayerID: x.id, TeamID: x.team,
			Cards: x.figures.Cards, Total: total(x), Appearances: x.figures.Appearances,
		}
	})
}

func (in Season) teamCards(teams []*teamLine) []TeamCardRow {
	total := func(x *teamLine) int { return x.cards.Total() }
	order := func(a, b *teamLine) int { return compareCards(a.cards, b.cards) }
	return ranked(in, teams, order, total, func(x *teamLine, rank int) TeamCardRow {
		return TeamCardRow{Rank: rank, TeamID: x.id, Cards: x.cards, Total: total(x), Played: x.played}
	})
}

// ranked are the rows of lines in an order, then by name and id. Equal values share a
// rank (D27), and those that are hidden take one.
func ranked[T interface{ of() *subject }, R any](in Season, lines []T, order func(a, b T) int, value func(T) int, row func(T, int) R) []R {
	slices.SortFunc(lines, func(a, b T) int {
		return cmp.Or(order(a, b), bytes.Compare(a.of().name, b.of().name), cmp.Compare(a.of().id, b.of().id))
	})
	rows, rank := make([]R, 0, len(lines)), 0
	for i, x := range lines {
		if i == 0 || value(x) != value(lines[i-1]) {
			rank = i + 1
		}
		if !in.hides(x.of().id) {
			rows = append(rows, row(x, rank))
		}
	}
	return rows
}

func (in Season) hides(id sport.ID) bool { return in.Hidden != nil && in.Hidden(id) }

// compareCards puts more cards first, then more red, then more second yellow.
func compareCards(a, b Cards) int {
	return cmp.Or(
		cmp.Compare(b.Total(), a.Total()),
		cmp.Compare(b.Red, a.Red),
		cmp.Compare(b.SecondYellow, a.SecondYellow),
	)
}

// listed returns the players whose value is above 0 (D41).
func listed(players []*playerLine, value func(*playerLine) int) []*playerLine {
	return slices.DeleteFunc(slices.Clone(players), func(x *playerLine) bool { return value(x) <= 0 })
}
