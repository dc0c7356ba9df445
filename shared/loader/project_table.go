package loader

import (
	"slices"

	"touchline/shared/sport"
	"touchline/shared/standings"
	"touchline/shared/store/records"
)

// tables projects the tables of a competition's seasons: their own, and those
// of their playoffs and playouts (D28, D43). All seasons at once, since a table
// moves when another season becomes the current one.
func (p *projector) tables(seasons []season) {
	for _, v := range []view{before, after} {
		for _, id := range seasons {
			if c := p.world.competitions.at(v, id); c != nil {
				p.items.put(v, records.TableKey(c.ID, c.tag()), "", "", p.tablesOf(v, c))
			}
		}
	}
}

// givenTable projects a table as a dataset gave it.
func (p *projector) givenTable(id tableID) {
	for _, v := range []view{before, after} {
		t := p.world.tables.at(v, id)
		if t == nil {
			continue
		}
		p.items.put(v, records.GivenTableKey(t.CompetitionID, t.Season, t.Table), kindTable, t.CompetitionID,
			&records.GivenTableRecord{Season: t.Season, Table: t.Table, Rows: t.Rows})
		e := records.TableEntry{Competition: t.CompetitionID, Season: t.Season, Table: t.Table}
		key := p.shelves.tables.kind.Key(e)
		p.shelves.tables.put(v, records.EveryTable, key, &e)
		for _, row := range t.Rows {
			p.shelves.tables.put(v, records.TablesNaming(row.TeamID), key, &e)
		}
	}
}

// kindTable sorts the writes of given tables; it has no ids of its own.
const kindTable sport.Kind = "table"

func (p *projector) tablesOf(v view, c *competition) *records.TableRecord {
	record := &records.TableRecord{
		Rows:    p.rows(v, c, sport.TableRegular, ""),
		Playoff: p.phase(v, c, sport.Playoff, sport.TablePlayoff),
		Playout: p.phase(v, c, sport.Playout, sport.TablePlayout),
		Live:    p.world.hasLive(v, c),
	}
	for _, stage := range []sport.Stage{sport.Playoff, sport.Playout} {
		for _, child := range p.world.stagesOf(v, c, stage) {
			record.Live = record.Live || p.world.hasLive(v, child)
		}
	}
	return record
}

// phase is the playoff or playout of a season: what its children make of it,
// or the table given for it.
func (p *projector) phase(v view, c *competition, stage sport.Stage, table sport.TableName) *records.Phase {
	children := p.world.stagesOf(v, c, stage)
	given := p.world.tables.at(v, tableID{c.identity(), table})
	if len(children) == 0 && given == nil {
		return nil
	}
	phase := &records.Phase{Format: sport.FormatLeague, Completed: len(children) > 0 || c.Completed}
	if len(children) > 0 && children[0].Format == sport.FormatKnockout {
		phase.Format = sport.FormatKnockout
	}
	for _, child := range children {
		phase.Completed = phase.Completed && child.Completed
	}
	switch {
	case given != nil:
		phase.Format = sport.FormatLeague
		phase.Rows = p.rows(v, c, table, "")
	case phase.Format == sport.FormatKnockout:
		for _, child := range children {
			phase.Ties = append(phase.Ties, p.ties(v, child)...)
		}
	default:
		for _, child := range children {
			name := ""
			if len(children) > 1 {
				name = child.Name
			}
			phase.Rows = append(phase.Rows, p.rows(v, child, sport.TableRegular, name)...)
		}
	}
	return phase
}

// rows are a table of a competition's season, as given or computed, without
// the rows of hidden teams: the ranks of the others stay (D40). A group name
// that is not empty stands for the rows' own.
func (p *projector) rows(v view, c *competition, table sport.TableName, group string) []records.TableRow {
	var ranked []standings.Row
	if given := p.world.tables.at(v, tableID{c.identity(), table}); given != nil {
		ranked = standings.Given(*given, c.Groups, p.entries(v, c))
	} else {
		ranked = standings.Table(standings.Input{
			Rules: c.Rules, Groups: c.Groups,
			Teams: p.entries(v, c), Matches: p.world.results(v, c),
		})
	}
	rows := make([]records.TableRow, 0, len(ranked))
	for _, r := range ranked {
		t := p.world.teams.at(v, r.TeamID)
		if t == nil || !t.public() {
			continue
		}
		row := records.TableRow{
			Rank: r.Rank, Team: teamRef(t),
			Played: r.Played, Won: r.Won, Drawn: r.Drawn, Lost: r.Lost,
			GoalsFor: r.GoalsFor, GoalsAgainst: r.GoalsAgainst,
			Points: r.Points, StartingPoints: r.StartingPoints,
			Group: groupName(c, r.GroupID),
		}
		if group != "" {
			row.Group = group
		}
		rows = append(rows, row)
	}
	return rows
}

// entries are the teams of a competition's season, hidden ones among them.
func (p *projector) entries(v view, c *competition) []standings.TeamEntry {
	var entries []standings.TeamEntry
	p.world.entered.each(v, c.identity(), func(id sport.ID) {
		if t := p.world.teams.at(v, id); t != nil {
			entries = append(entries, standings.TeamEntry{
				ID: t.ID, NameKey: slices.Clone(p.names.name(t.Name)), GroupID: t.GroupID,
				StartingPoints: t.StartingPoints, Seed: t.Seed,
			})
		}
	})
	return entries
}

// results are the matches that count for a competition's tables: all but those
// that are hidden by themselves, which a table would betray.
func (w *world) results(v view, c *competition) []sport.Match {
	var results []sport.Match
	w.played.each(v, c.identity(), func(id sport.ID) {
		if m := w.result(v, id); m != nil && m.Visibility == sport.Public {
			results = append(results, *m)
		}
	})
	return results
}

// result is a match as far as tables need it.
func (w *world) result(v view, id sport.ID) *sport.Match {
	if m := w.matches.at(v, id); m != nil || w.matches.known(id) {
		if m == nil {
			return nil
		}
		return &m.Match
	}
	return w.outcomes[id]
}

func (w *world) hasLive(v view, c *competition) bool {
	return w.played.any(v, c.identity(), func(id sport.ID) bool {
		m := w.result(v, id)
		return m != nil && m.Status == sport.Live && m.Visibility == sport.Public
	})
}

// ties are the pairings of a knockout, without those of hidden teams.
func (p *projector) ties(v view, c *competition) []records.Tie {
	ref := func(id sport.ID) (*records.TeamRef, bool) {
		t := p.world.teams.at(v, id)
		if t == nil {
			return nil, id == ""
		}
		r := teamRef(t)
		return &r, t.public()
	}
	var ties []records.Tie
	for _, t := range standings.Ties(p.world.results(v, c)) {
		home, homeShown := ref(t.HomeID)
		away, awayShown := ref(t.AwayID)
		if !homeShown || !awayShown {
			continue
		}
		ties = append(ties, records.Tie{
			Round: t.Round, Order: t.Order, Home: home, Away: away,
			Aggregate: t.Aggregate, Penalties: t.Penalties, Winner: t.Winner, MatchIDs: t.MatchIDs,
		})
	}
	return ties
}
