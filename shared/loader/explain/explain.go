// Package explain says why a table has the order that it has: what put each row
// above the next one, and with which values.
//
// The table holds no such reasons, since no answer shows them and a live score
// would have to write them. They are computed when somebody asks, from the records
// that the table of the competition is computed from. That reads what a load reads
// for one table, and writes nothing.
package explain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"touchline/shared/loader/diff"
	"touchline/shared/loader/projection"
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
	Rows  []Row // in the order of the answer, hidden teams among them
}

// Row is a row of a table.
type Row struct {
	standings.Row
	Team   records.TeamRef
	Group  string // its name, empty: none
	Hidden bool   // answers leave the row out (D40)
	// Rulings are how many of the matches played a ruling has decided: by a winner other
	// than that of the score, by points of the match's own, or by a withdrawal (D59).
	// RulingPoints are their points.
	Rulings, RulingPoints int
	// Decision put the row above the next one. It is zero for the last row of a
	// group, and for all rows of a table that was given.
	Decision standings.Decision
}

// Of explains the own table of a competition's season, 0 for the current one. The
// competition may be hidden. The error is ErrNotFound if there isn't one.
func Of(ctx context.Context, table *store.Table, competition sport.ID, season int) (*Table, error) {
	w := world.NewWorld()
	fetch := &world.Fetcher{Table: table, World: w}
	fetch.Competitions(ctx, []sport.ID{competition})
	c := w.SeasonOf(world.Before, competition, season)
	if c == nil {
		return nil, cmp.Or(fetch.Err(), ErrNotFound)
	}
	seasons := fetch.WithParents(ctx, []world.SeasonID{c.SeasonID()})
	fetch.EnteredIn(ctx, seasons)
	fetch.PlayedIn(ctx, seasons)
	fetch.TeamsOfTables(ctx, seasons)
	if err := fetch.Err(); err != nil {
		return nil, err
	}
	in := (&projection.Projector{World: w, Names: diff.NewCollation()}).Standings(world.Before, c)
	t := &Table{Competition: records.CompetitionRefOf(&c.Competition), Rules: c.Rules}
	var rows []standings.Row
	var decisions []standings.Decision
	if !c.Rules.NoTable {
		rows, decisions = standings.Explain(in)
	}
	if given := w.Tables.At(world.Before, world.TableID{SeasonID: c.SeasonID(), Table: sport.TableRegular}); given != nil {
		t.Given = true
		rows = standings.Given(*given, c.Groups, in.Teams)
		decisions = make([]standings.Decision, len(rows))
	}
	played := map[sport.ID]standings.Row{}
	if !t.Given {
		for _, r := range standings.Table(withoutRulings(in, c)) {
			played[r.TeamID] = r
		}
	}
	for i, r := range rows {
		row := Row{Row: r, Group: world.GroupName(c, r.GroupID), Decision: decisions[i], Hidden: true}
		if team := w.Teams.At(world.Before, r.TeamID); team != nil {
			row.Team, row.Hidden = records.TeamRefOf(&team.Team), !team.Public()
		}
		if without, ok := played[r.TeamID]; ok {
			row.Rulings, row.RulingPoints = r.Played-without.Played, r.Points-without.Points
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// Sources says where the points of a row come from, such as
//
//	results 9, 1 ruling 3, deducted 2
func (t *Table) Sources(r *Row) string {
	text := fmt.Sprintf("results %d", r.Points-r.StartingPoints-r.RulingPoints)
	switch r.Rulings {
	case 0:
	case 1:
		text += fmt.Sprintf(", 1 ruling %d", r.RulingPoints)
	default:
		text += fmt.Sprintf(", %d rulings %d", r.Rulings, r.RulingPoints)
	}
	switch {
	case r.StartingPoints == 0:
	case t.Rules.Carry != nil:
		text += fmt.Sprintf(", carried %d", r.StartingPoints)
	case r.StartingPoints < 0:
		text += fmt.Sprintf(", deducted %d", -r.StartingPoints)
	default:
		text += fmt.Sprintf(", at the start %d", r.StartingPoints)
	}
	return text
}

// withoutRulings is what a table is computed from, without the matches that are decided
// by a ruling.
func withoutRulings(in standings.Input, c *world.Competition) standings.Input {
	in.Matches = slices.DeleteFunc(slices.Clone(in.Matches), func(m sport.Match) bool {
		_, _, ruled := m.Ruling()
		return ruled || m.Points != nil || c.Awarded(&m)
	})
	return in
}

// Seasons are the years of a competition's seasons, newest first.
func Seasons(ctx context.Context, table *store.Table, competition sport.ID) ([]int, error) {
	w := world.NewWorld()
	fetch := &world.Fetcher{Table: table, World: w}
	fetch.Competitions(ctx, []sport.ID{competition})
	years := slices.Sorted(w.Seasons.In(world.Before, competition))
	slices.Reverse(years)
	return years, fetch.Err()
}
