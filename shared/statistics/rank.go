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
	Goals, Assists, Appearances []Row
	// PlayerCards lists the players with a card. TeamCards lists every team that
	// is entered or has played. Both are ordered by descending total, then red,
	// secondYellow, name, id.
	PlayerCards, TeamCards []Row
}

// Row is a row of a ranking. A player has one row, with everything that he did in the
// competition, under the team entry of the latest match that lists or names him.
type Row struct {
	Rank     int
	PlayerID sport.ID // empty: the row is a team's
	TeamID   sport.ID
	Value    int // what the ranking is by; of cards their total
	Figures      // without clean sheets; of a team the cards alone
	Played   int // finished matches of a team
}

// LeaderCount is the greatest number of leaders of a ranking.
const LeaderCount = 5

// Leaders are the first rows of a ranking.
func Leaders(rows []Row) []Row { return rows[:min(len(rows), LeaderCount)] }

// FairPlayPoints of a team's cards, at most 0: -1 for a yellow card, -3 for a
// second yellow, -4 for a red (decisions.md, tournaments/{id}/cards).
func FairPlayPoints(c Cards) int {
	return -c.Yellow - 3*c.SecondYellow - 4*c.Red
}

// Rank computes the rankings of a competition's season.
func Rank(in Season) Rankings {
	players, teams := in.lines()
	cards := func(x *line) int { return x.Cards().Total() }
	return Rankings{
		Goals:       in.ranked(players, func(x *line) int { return x.Goals }, fewerAppearances),
		Assists:     in.ranked(players, func(x *line) int { return x.Assists }, fewerAppearances),
		Appearances: in.ranked(players, func(x *line) int { return x.Appearances }, fewerAppearances),
		PlayerCards: in.ranked(players, cards, worseCards),
		TeamCards:   in.ranked(teams, cards, worseCards),
	}
}

func fewerAppearances(a, b *line) int { return cmp.Compare(a.Appearances, b.Appearances) }

// worseCards puts more red cards first, then more second yellow ones.
func worseCards(a, b *line) int {
	return cmp.Or(cmp.Compare(b.Red, a.Red), cmp.Compare(b.SecondYellow, a.SecondYellow))
}

// line adds up what a player or a team did.
type line struct {
	Row
	name   []byte
	latest moment // of the match that gave a player's team
}

func (x *line) id() sport.ID { return cmp.Or(x.PlayerID, x.TeamID) }

// moment orders matches by kick-off, then by id.
type moment struct {
	kickoff time.Time
	id      sport.ID
}

func momentOf(m *sport.Match) moment { return moment{m.Kickoff, m.ID} }

func (a moment) compare(b moment) int {
	return cmp.Or(a.kickoff.Compare(b.kickoff), cmp.Compare(a.id, b.id))
}

// lines add up the finished matches of the season, for each player and each team.
func (in Season) lines() (players, teams map[sport.ID]*line) {
	players, teams = map[sport.ID]*line{}, map[sport.ID]*line{}
	of := func(lines map[sport.ID]*line, id sport.ID, row Row) *line {
		if lines[id] == nil {
			lines[id] = &line{Row: row, name: in.NameKey(id)}
		}
		return lines[id]
	}
	team := func(id sport.ID) *line { return of(teams, id, Row{TeamID: id}) }
	for _, id := range in.Teams {
		team(id)
	}
	finished := make(map[sport.ID]moment, len(in.Matches))
	for i := range in.Matches {
		if m := &in.Matches[i]; m.Status == sport.Finished {
			finished[m.ID] = momentOf(m)
			team(m.HomeTeamID).Played++
			team(m.AwayTeamID).Played++
		}
	}
	for i := range in.Contributions {
		c := &in.Contributions[i]
		at, counts := finished[c.MatchID]
		if !counts {
			continue
		}
		for _, side := range []*SideContribution{&c.Home, &c.Away} {
			team(side.TeamID).addCards(side.Cards)
			for _, p := range side.Performances {
				x := of(players, p.PlayerID, Row{PlayerID: p.PlayerID})
				figures := FiguresOf("", p)
				figures.CleanSheets = nil
				x.Figures.add(figures)
				if at.compare(x.latest) > 0 {
					x.TeamID, x.latest = p.TeamID, at
				}
			}
		}
	}
	return players, teams
}

// ranked are the rows of lines by descending value, then in an order, then by name and
// id. Equal values share a rank (D27), and those that are hidden take one. A player whose
// value is 0 has no row (D41).
func (in Season) ranked(lines map[sport.ID]*line, value func(*line) int, order func(a, b *line) int) []Row {
	var listed []*line
	for _, x := range lines {
		if x.Value = value(x); x.Value > 0 || x.PlayerID == "" {
			listed = append(listed, x)
		}
	}
	slices.SortFunc(listed, func(a, b *line) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), order(a, b), bytes.Compare(a.name, b.name), cmp.Compare(a.id(), b.id()))
	})
	var rows []Row
	for i, x := range listed {
		if x.Rank = i + 1; i > 0 && x.Value == listed[i-1].Value {
			x.Rank = listed[i-1].Rank
		}
		if !in.hides(x.id()) {
			rows = append(rows, x.Row)
		}
	}
	return rows
}

func (in Season) hides(id sport.ID) bool { return in.Hidden != nil && in.Hidden(id) }
