package projection

import (
	"cmp"
	"slices"

	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

// sums projects what a competition's season adds up to: statistics, rankings, groups.
func (p *Projector) sums(v world.View, c *world.Competition) {
	in := p.season(v, c)
	rankings := statistics.Rank(in)
	if c.Rules.HidePlayers {
		rankings.Goals, rankings.Assists, rankings.Appearances, rankings.PlayerCards = nil, nil, nil, nil
	}
	p.scorers(v, c, records.RankGoals, rankings.Goals)
	p.scorers(v, c, records.RankAssists, rankings.Assists)
	p.scorers(v, c, records.RankAppearances, rankings.Appearances)
	p.cards(v, c, records.RankPlayerCards, rankings.PlayerCards)
	p.cards(v, c, records.RankTeamCards, rankings.TeamCards)
	p.Items.Put(v, records.StatisticsKey(c.ID, c.Tag()), p.statistics(v, statistics.OfCompetition(in), rankings))
	if len(c.Groups) > 0 {
		p.Items.Put(v, records.GroupsKey(c.ID, c.Tag()), p.groups(v, c, in.Matches))
	}
}

// season is what the sums of a season are computed from.
func (p *Projector) season(v world.View, c *world.Competition) statistics.Season {
	w := p.World
	in := statistics.Season{
		Rules:   c.Rules,
		NameKey: func(id sport.ID) []byte { return p.Names.Name(p.nameOf(v, id)) },
		Hidden:  func(id sport.ID) bool { return p.hidden(v, id) },
	}
	in.Teams = slices.Collect(w.Entered.In(v, c.SeasonID()))
	var ids []sport.ID
	for id := range w.Played.In(v, c.SeasonID()) {
		if e := w.Listed(v, id); e != nil && !e.Hidden {
			ids = append(ids, id)
			in.Matches = append(in.Matches, *world.DecodeOutcome(e))
		}
	}
	in.Contributions = w.Contributions(v, ids)
	return in
}

// nameOf is the name of a player or a team.
func (p *Projector) nameOf(v world.View, id sport.ID) string {
	if t := p.World.Teams.At(v, id); t != nil {
		return t.Name
	}
	if x := p.World.Players.At(v, id); x != nil {
		return x.Name
	}
	return p.World.Names[id].Name
}

// hidden reports whether a player or a team is not to be named.
func (p *Projector) hidden(v world.View, id sport.ID) bool {
	if t := p.World.Teams.At(v, id); t != nil {
		return !t.Public()
	}
	return p.refOf(v, id) == nil
}

// refOf names a player, from its record or from a list of the competition's
// players, which holds those that may be named.
func (p *Projector) refOf(v world.View, id sport.ID) *records.PlayerRef {
	if p.World.Players.At(v, id) != nil || p.World.Players.Fetched(id) {
		return p.World.PlayerRef(v, id)
	}
	x, ok := p.World.Names[id]
	if !ok {
		return nil
	}
	return &x.PlayerRef
}

// ranked calls put for the rows of a ranking whose team, and whose player where it is a
// player's, may be named; player is nil in the row of a team.
func (p *Projector) ranked(v world.View, rows []statistics.Row, put func(r statistics.Row, player *records.PlayerRef, team records.TeamRef)) {
	for _, r := range rows {
		var player *records.PlayerRef
		if r.PlayerID != "" {
			if player = p.refOf(v, r.PlayerID); player == nil {
				continue
			}
		}
		if t := p.World.Teams.At(v, r.TeamID); t != nil {
			put(r, player, records.TeamRefOf(&t.Team))
		}
	}
}

func (p *Projector) scorers(v world.View, c *world.Competition, by records.Ranking, rows []statistics.Row) {
	p.ranked(v, rows, func(r statistics.Row, player *records.PlayerRef, team records.TeamRef) {
		e := records.ScorerEntry{
			Rank: r.Rank, Player: *player, Team: team, Value: r.Value,
			Goals: r.Goals, PenaltyGoals: r.PenaltyGoals, Assists: r.Assists, Appearances: r.Appearances,
		}
		p.Lists.Scorers.Put(v, records.TopScorers(c.ID, c.Tag(), by), p.Lists.Scorers.Key(e), &e)
	})
}

func (p *Projector) cards(v world.View, c *world.Competition, of records.Ranking, rows []statistics.Row) {
	p.ranked(v, rows, func(r statistics.Row, player *records.PlayerRef, team records.TeamRef) {
		e := records.CardEntry{
			Rank: r.Rank, Player: player, Team: team, Yellow: r.Yellow, SecondYellow: r.SecondYellow, Red: r.Red,
			Total: r.Value, Appearances: r.Appearances, Played: r.Played,
		}
		p.Lists.Cards.Put(v, records.Cards(c.ID, c.Tag(), of), p.Lists.Cards.Key(e), &e)
	})
}

func (p *Projector) statistics(v world.View, s statistics.Competition, r statistics.Rankings) *records.CompetitionStatisticsRecord {
	return &records.CompetitionStatisticsRecord{
		Numbers: s.Numbers, BiggestWin: p.shownMatch(v, s.BiggestWin), HighestScoring: p.shownMatch(v, s.HighestScoring),
		LeadGoals: p.leaders(v, r.Goals), LeadAssists: p.leaders(v, r.Assists),
		LeadAppear: p.leaders(v, r.Appearances), LeadCards: p.leaders(v, r.PlayerCards),
	}
}

func (p *Projector) leaders(v world.View, rows []statistics.Row) (leaders []records.Leader) {
	p.ranked(v, statistics.Leaders(rows), func(r statistics.Row, player *records.PlayerRef, team records.TeamRef) {
		leaders = append(leaders, records.Leader{Rank: r.Rank, Player: *player, Team: team, Value: r.Value})
	})
	return leaders
}

// shownMatch is a match as responses show it inside other things.
func (p *Projector) shownMatch(v world.View, id sport.ID) *records.Match {
	e := p.World.Listed(v, id)
	if e == nil {
		return nil
	}
	m := e.Match
	m.Competition = nil
	return &m
}

func (p *Projector) groups(v world.View, c *world.Competition, matches []sport.Match) *records.GroupsRecord {
	completed := statistics.CompletedGroups(c.Groups, matches)
	teams := map[sport.ID][]*world.Team{}
	for id := range p.World.Entered.In(v, c.SeasonID()) {
		if t := p.World.Teams.At(v, id); t != nil && t.Public() {
			teams[t.GroupID] = append(teams[t.GroupID], t)
		}
	}
	groups := slices.Clone(c.Groups)
	slices.SortFunc(groups, func(a, b sport.Group) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.ID, b.ID))
	})
	record := &records.GroupsRecord{}
	for _, g := range groups {
		in := teams[g.ID]
		slices.SortFunc(in, func(a, b *world.Team) int {
			return slices.Compare(p.Names.Key(a.Name, a.ID), p.Names.Key(b.Name, b.ID))
		})
		group := records.GroupRecord{ID: g.ID, Name: g.Name, Order: g.Order, Completed: completed[g.ID]}
		for _, t := range in {
			group.Teams = append(group.Teams, records.TeamRefOf(&t.Team))
		}
		record.Groups = append(record.Groups, group)
	}
	return record
}
