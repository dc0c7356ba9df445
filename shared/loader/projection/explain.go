package projection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"touchline/shared/loader/affected"
	"touchline/shared/loader/diff"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/standings"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// ErrNotFound is the error of a competition, or a season of it, that the table does
// not hold.
var ErrNotFound = errors.New("no such competition or season")

// Table is a competition's own table with the reasons of its order.
type Table struct {
	Competition records.CompetitionRef
	Rules       sport.Rules
	// Given: the dataset gave the table, which then needs no reasons.
	Given bool
	Rows  []Row // in the order of the response, hidden teams among them
}

// Row is a row of a table.
type Row struct {
	standings.Row
	Team   records.TeamRef
	Group  string // its name, empty: none
	Hidden bool   // responses leave the row out (D40)
	// Deducted are the points that the team's own record takes off, at most 0, of those that
	// it starts with.
	Deducted int
	// Sources are where the points come from, but for those at the start; none in a table
	// that was given.
	Sources []standings.Source
	// Decision put the row above the next one. It is zero for the last row of a
	// group, and for all rows of a table that was given.
	Decision standings.Decision
}

// Explain explains the own table of a competition's season, 0 for the current one. The
// competition may be hidden. The error is ErrNotFound if there isn't one.
func Explain(ctx context.Context, table *store.Table, competition sport.ID, season int) (*Table, error) {
	w := world.NewWorld()
	fetch := &world.Fetcher{Table: table, World: w}
	fetch.Competitions(ctx, []sport.ID{competition})
	c := w.SeasonOf(world.Before, competition, season)
	if c == nil {
		return nil, cmp.Or(fetch.Err(), ErrNotFound)
	}
	if err := affected.ForTables(ctx, fetch, c.SeasonID()); err != nil {
		return nil, err
	}
	p := &Projector{World: w, Names: diff.NewCollation()}
	in := p.Standings(world.Before, c)
	var withPoints []sport.ID // whose entry in a list does not tell a ruling from points that are given
	for i := range in.Matches {
		if m := &in.Matches[i]; m.Points != nil {
			withPoints = append(withPoints, m.ID)
		}
	}
	if len(withPoints) > 0 {
		if fetch.Matches(ctx, withPoints); fetch.Err() != nil {
			return nil, fetch.Err()
		}
		in = p.Standings(world.Before, c)
	}
	t := &Table{Competition: records.CompetitionRefOf(&c.Competition), Rules: c.Rules}
	var rows []standings.Row
	var decisions []standings.Decision
	var sources map[sport.ID][]standings.Source
	if given := w.Tables.At(world.Before, world.TableID{SeasonID: c.SeasonID(), Table: sport.TableRegular}); given != nil {
		t.Given = true
		rows = standings.Given(*given, c.Groups, in.Teams)
		decisions = make([]standings.Decision, len(rows))
	} else if c.HasTable() {
		rows, decisions = standings.Explain(in)
		sources = standings.Sources(in)
	}
	for i, r := range rows {
		row := Row{Row: r, Group: world.GroupName(c, r.GroupID), Decision: decisions[i], Sources: sources[r.TeamID], Hidden: true}
		if team := w.Teams.At(world.Before, r.TeamID); team != nil {
			row.Team, row.Hidden = records.TeamRefOf(&team.Team), !team.Public()
			if row.Deducted = min(team.StartingPoints, 0); t.Given {
				row.Deducted = min(r.StartingPoints, 0)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// From says where the points of a row come from, such as
//
//	4 won (12), 1 won after extra time (2), 3 lost after extra time (3), deducted 2
func (t *Table) From(r *Row) string {
	var parts []string
	for _, source := range r.Sources {
		parts = append(parts, source.String())
	}
	if brought := r.StartingPoints - r.Deducted; brought != 0 {
		from := "at the start"
		if t.Rules.Carry != nil {
			from = "carried"
		}
		parts = append(parts, fmt.Sprintf("%s %d", from, brought))
	}
	if r.Deducted != 0 {
		parts = append(parts, fmt.Sprintf("deducted %d", -r.Deducted))
	}
	return strings.Join(parts, ", ")
}

// SeasonsOf are the years of a competition's seasons, newest first.
func SeasonsOf(ctx context.Context, table *store.Table, competition sport.ID) ([]int, error) {
	w := world.NewWorld()
	fetch := &world.Fetcher{Table: table, World: w}
	fetch.Competitions(ctx, []sport.ID{competition})
	years := slices.Sorted(w.Seasons.In(world.Before, competition))
	slices.Reverse(years)
	return years, fetch.Err()
}
