package history

import (
	"fmt"
	"slices"
	"strings"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// maxTables bounds the tables of a report.
const maxTables = 100

// Moved says of each group of a table which teams have another rank, or other points, after
// a load than before, in the order of the table after, such as
//
//	Liga 2025: Ostby 1st (14 to 15 points), Kielby 3rd to 2nd (11 to 14 points), Norby 2nd to 3rd
//
// A team that changes its group has not moved.
func Moved(c records.CompetitionRef, was, is []records.TableRow) (lines []string) {
	type place struct {
		team  sport.ID
		group string
	}
	from := make(map[place]*records.TableRow, len(was))
	for i := range was {
		from[place{was[i].Team.ID, was[i].Group}] = &was[i]
	}
	group := ""
	for i := range is {
		r := &is[i]
		f := from[place{r.Team.ID, r.Group}]
		if f == nil || f.Rank == r.Rank && f.Points == r.Points {
			continue
		}
		text := r.Team.Name + " " + ordinal(f.Rank)
		if r.Rank != f.Rank {
			text += " to " + ordinal(r.Rank)
		}
		if r.Points != f.Points {
			text += fmt.Sprintf(" (%d to %d points)", f.Points, r.Points)
		}
		if len(lines) > 0 && group == r.Group {
			lines[len(lines)-1] += ", " + text
			continue
		}
		group = r.Group
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %d %s", c.Name, c.Season, r.Group))+": "+text)
	}
	return lines
}

// SetTables lists what moves in tables in a report, in order, the first of them.
func (r *Report) SetTables(lines []string) {
	slices.Sort(lines)
	if more := len(lines) - maxTables; more > 0 {
		lines = append(lines[:maxTables:maxTables], fmt.Sprintf("and %d more", more))
	}
	r.Tables = lines
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
