package projection

import (
	"slices"

	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/standings"
	"touchline/shared/store/records"
)

// givenTable projects a table as a dataset gave it.
func (p *Projector) givenTable(v world.View, t *sport.GivenTable) {
	p.Items.Put(v, records.GivenTableKey(t.CompetitionID, t.Season, t.Table),
		&records.GivenTableRecord{Season: t.Season, Table: t.Table, Rows: t.Rows})
	e := records.TableEntry{Competition: t.CompetitionID, Season: t.Season, Table: t.Table}
	key := p.Lists.Tables.Key(e)
	p.Lists.Tables.Put(v, records.EveryTable, key, &e)
	for _, row := range t.Rows {
		p.Lists.Tables.Put(v, records.TablesNaming(row.TeamID), key, &e)
	}
}

// tables projects the tables of a competition's season: its own, and those of its playoffs
// and playouts (D28, D43).
func (p *Projector) tables(v world.View, c *world.Competition) *records.TableRecord {
	record := &records.TableRecord{
		Rows:    p.rows(v, c, sport.TableRegular, ""),
		Playoff: p.phase(v, c, sport.Playoff, sport.TablePlayoff),
		Playout: p.phase(v, c, sport.Playout, sport.TablePlayout),
		Live:    p.hasLive(v, c),
	}
	if p.showsTies(v, c) {
		record.Playoff = &records.Phase{Format: sport.FormatKnockout, Completed: c.Completed, Ties: p.ties(v, c)}
	}
	for _, stage := range []sport.Stage{sport.Playoff, sport.Playout} {
		for _, child := range p.stagesOf(v, c, stage) {
			record.Live = record.Live || p.hasLive(v, child)
		}
	}
	p.Items.Put(v, records.TableKey(c.ID, c.Tag()), record)
	return record
}

// showsTies reports whether a season shows its own ties as a playoff: a knockout does, unless
// it has playoffs or playouts, or a table of its own is given (D81).
func (p *Projector) showsTies(v world.View, c *world.Competition) bool {
	given := func(table sport.TableName) bool {
		return p.World.Tables.At(v, world.TableID{SeasonID: c.SeasonID(), Table: table}) != nil
	}
	return c.Format == sport.FormatKnockout && !slices.ContainsFunc(sport.TableNames(), given) &&
		len(p.stagesOf(v, c, sport.Playoff))+len(p.stagesOf(v, c, sport.Playout)) == 0
}

// phase is the record of a season's playoff or playout. It is computed from the
// competitions below it, or taken from the table that the dataset gives for it.
func (p *Projector) phase(v world.View, c *world.Competition, stage sport.Stage, table sport.TableName) *records.Phase {
	children := p.stagesOf(v, c, stage)
	given := p.World.Tables.At(v, world.TableID{SeasonID: c.SeasonID(), Table: table})
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

// rows are a table of a competition's season, as given or computed; empty where
// it has none. The rows of hidden teams are left out, and the others keep their
// ranks (D40). A group name that is not empty takes the place of the rows' own.
func (p *Projector) rows(v world.View, c *world.Competition, table sport.TableName, group string) []records.TableRow {
	var ranked []standings.Row
	if given := p.World.Tables.At(v, world.TableID{SeasonID: c.SeasonID(), Table: table}); given != nil {
		ranked = standings.Given(*given, c.Groups, p.entries(v, c))
	} else if c.HasTable() {
		ranked = standings.Table(p.Standings(v, c))
	}
	rows := make([]records.TableRow, 0, len(ranked))
	for _, r := range ranked {
		t := p.World.Teams.At(v, r.TeamID)
		if t == nil || !t.Public() {
			continue
		}
		row := records.TableRow{
			Rank: r.Rank, Team: records.TeamRefOf(&t.Team),
			Played: r.Played, Won: r.Won, Drawn: r.Drawn, Lost: r.Lost,
			GoalsFor: r.GoalsFor, GoalsAgainst: r.GoalsAgainst,
			Points: r.Points, StartingPoints: r.StartingPoints,
			Group: world.GroupName(c, r.GroupID),
		}
		if group != "" {
			row.Group = group
		}
		rows = append(rows, row)
	}
	return rows
}

// Standings are what a competition's own table is computed from. Where its teams bring
// something along from a parent, that includes the same of the parent.
func (p *Projector) Standings(v world.View, c *world.Competition) standings.Input {
	return p.standings(v, c, world.Set[sport.ID]{})
}

// standings is Standings; below are the competitions that this one is a parent
// of, so that a circle of parents ends.
func (p *Projector) standings(v world.View, c *world.Competition, below world.Set[sport.ID]) standings.Input {
	w := p.World
	in := standings.Input{
		Rules: c.Rules, Groups: c.Groups, Teams: p.entries(v, c), Matches: p.results(v, c),
		CardPoints: func(m *sport.Match) (home, away int) {
			if e := w.Listed(v, m.ID); e != nil {
				return e.HomeFairPlay, e.AwayFairPlay
			}
			return 0, 0
		},
	}
	if below.Add(c.ID); !standings.NeedsParent(c.Rules) {
		return in
	}
	id := c.ParentSeason()
	parent := w.Competitions.At(v, id)
	if parent == nil || below.Has(id.ID) { // a circle
		return in
	}
	in.Parent = &standings.Parent{Input: p.standings(v, parent, below)}
	if given := w.Tables.At(v, world.TableID{SeasonID: id, Table: sport.TableRegular}); given != nil {
		in.Parent.Given = standings.Given(*given, parent.Groups, in.Parent.Teams)
	}
	return in
}

// entries are the teams of a competition's season, hidden ones among them.
func (p *Projector) entries(v world.View, c *world.Competition) []standings.TeamEntry {
	var entries []standings.TeamEntry
	for id := range p.World.Entered.In(v, c.SeasonID()) {
		if t := p.World.Teams.At(v, id); t != nil {
			entries = append(entries, standings.TeamEntry{
				ID: t.ID, NameKey: p.Names.Name(t.Name), ClubID: t.OrganizationID, GroupID: t.GroupID,
				StartingPoints: t.StartingPoints, Seed: t.Seed, Withdrawn: c.Withdrew(t.ID),
			})
		}
	}
	return entries
}

// results are the matches that count for a competition's tables: all but those that are
// hidden by themselves. A table would betray them.
func (p *Projector) results(v world.View, c *world.Competition) []sport.Match {
	w := p.World
	var results []sport.Match
	for id := range w.Played.In(v, c.SeasonID()) {
		if m := w.Result(v, id); m != nil && m.Visibility == sport.Public {
			results = append(results, *m)
		}
	}
	return results
}

func (p *Projector) hasLive(v world.View, c *world.Competition) bool {
	w := p.World
	return w.Played.Any(v, c.SeasonID(), func(id sport.ID) bool {
		m := w.Result(v, id)
		return m != nil && m.Status == sport.Live && m.Visibility == sport.Public
	})
}

// ties are the pairings of a knockout, without those of hidden teams.
func (p *Projector) ties(v world.View, c *world.Competition) []records.Tie {
	ref := func(id sport.ID) (*records.TeamRef, bool) {
		t := p.World.Teams.At(v, id)
		if t == nil {
			return nil, id == ""
		}
		r := records.TeamRefOf(&t.Team)
		return &r, t.Public()
	}
	var ties []records.Tie
	for _, t := range standings.Ties(p.results(v, c), c.Rules.TieRules()) {
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
