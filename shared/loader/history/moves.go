package history

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Move is a team whose rank or points a load changes in the table of its competition.
type Move struct {
	CompetitionID sport.ID `json:"competitionId"`
	Competition   string   `json:"competition"`
	Season        int      `json:"season"`
	Group         string   `json:"group,omitempty"`
	TeamID        sport.ID `json:"teamId"`
	Team          string   `json:"team"`
	From          int      `json:"from"` // rank
	To            int      `json:"to"`
	FromPoints    int      `json:"fromPoints"`
	ToPoints      int      `json:"toPoints"`
}

// maxMoves bounds the moves that a report lists.
const maxMoves = 500

// MovesOf are the teams that are in a table before and after with different ranks or
// points, in the order of the table after. A team that changes its group has not moved.
func MovesOf(c records.CompetitionRef, was, is []records.TableRow) []Move {
	type place struct {
		team  sport.ID
		group string
	}
	from := make(map[place]*records.TableRow, len(was))
	for i := range was {
		from[place{was[i].Team.ID, was[i].Group}] = &was[i]
	}
	var moves []Move
	for i := range is {
		r := &is[i]
		if f := from[place{r.Team.ID, r.Group}]; f != nil && (f.Rank != r.Rank || f.Points != r.Points) {
			moves = append(moves, Move{
				CompetitionID: c.ID, Competition: c.Name, Season: c.Season, Group: r.Group,
				TeamID: r.Team.ID, Team: r.Team.Name, From: f.Rank, To: r.Rank,
				FromPoints: f.Points, ToPoints: r.Points,
			})
		}
	}
	return moves
}

// SetMoves lists moves in a report, those of a competition together.
func (r *Report) SetMoves(moves []Move) {
	slices.SortStableFunc(moves, func(a, b Move) int {
		return cmp.Or(cmp.Compare(a.Competition, b.Competition), cmp.Compare(a.CompetitionID, b.CompetitionID), cmp.Compare(a.Season, b.Season))
	})
	r.Moves, r.MoreMoves = moves[:min(len(moves), maxMoves)], max(0, len(moves)-maxMoves)
}

// Tables says what moves in each table, a line for each, such as
//
//	Liga 2025: Ostby 1st (14 to 15 points), Kielby 3rd to 2nd (11 to 14 points), Norby 2nd to 3rd
func (r *Report) Tables() []string {
	var lines []string
	for i := range r.Moves {
		m := &r.Moves[i]
		text := m.Team + " " + ordinal(m.From)
		if m.To != m.From {
			text += " to " + ordinal(m.To)
		}
		if m.ToPoints != m.FromPoints {
			text += fmt.Sprintf(" (%d to %d points)", m.FromPoints, m.ToPoints)
		}
		if i > 0 {
			if last := &r.Moves[i-1]; last.CompetitionID == m.CompetitionID && last.Season == m.Season && last.Group == m.Group {
				lines[len(lines)-1] += ", " + text
				continue
			}
		}
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %d %s", m.Competition, m.Season, m.Group))+": "+text)
	}
	if r.MoreMoves > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", r.MoreMoves))
	}
	return lines
}

// ordinal is a rank as people say it: 1st, 2nd, 3rd, 4th, 11th.
func ordinal(n int) string {
	suffix := "th"
	if tens := n / 10 % 10; tens != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprint(n, suffix)
}
