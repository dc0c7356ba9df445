package loader

import (
	"cmp"
	"maps"
	"slices"

	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

// sums projects what the seasons of a competition add up to: statistics,
// rankings, groups. All affected seasons at once, as with tables.
func (p *projector) sums(seasons []season) {
	for _, v := range []view{before, after} {
		for _, id := range seasons {
			if c := p.world.competitions.at(v, id); c != nil {
				p.sumsOf(v, c)
			}
		}
	}
}

func (p *projector) sumsOf(v view, c *competition) {
	in := p.season(v, c)
	rankings := statistics.Rank(in)
	p.scorers(v, c, records.RankGoals, rankings.Goals)
	p.scorers(v, c, records.RankAssists, rankings.Assists)
	p.scorers(v, c, records.RankAppearances, rankings.Appearances)
	p.cards(v, c, rankings)
	p.items.put(v, records.StatisticsKey(c.ID, c.tag()), "", "", p.statistics(v, statistics.OfCompetition(in, rankings)))
	if len(c.Groups) > 0 {
		p.items.put(v, records.GroupsKey(c.ID, c.tag()), "", "", p.groups(v, c, in.Matches))
	}
}

// season is what the sums of a season are computed from.
func (p *projector) season(v view, c *competition) statistics.Season {
	w := p.world
	in := statistics.Season{
		NameKey: func(id sport.ID) []byte { return slices.Clone(p.names.name(p.nameOf(v, id))) },
		Hidden:  func(id sport.ID) bool { return p.hidden(v, id) },
	}
	w.entered.each(v, c.identity(), func(id sport.ID) { in.Teams = append(in.Teams, id) })
	var ids []sport.ID
	w.played.each(v, c.identity(), func(id sport.ID) {
		if e := w.listed(v, id); e != nil && !e.Hidden {
			ids = append(ids, id)
			in.Matches = append(in.Matches, *decodeOutcome(c.identity(), *e))
		}
	})
	in.Contributions = w.contributions(v, w.contributed[c.identity()], ids)
	return in
}

// nameOf is the name of a player or a team.
func (p *projector) nameOf(v view, id sport.ID) string {
	if t := p.world.teams.at(v, id); t != nil {
		return t.Name
	}
	if x := p.world.players.at(v, id); x != nil {
		return x.Name
	}
	return p.world.names[id].Name
}

// hidden reports whether a player or a team is not to be named.
func (p *projector) hidden(v view, id sport.ID) bool {
	if t := p.world.teams.at(v, id); t != nil {
		return !t.public()
	}
	return p.refOf(v, id) == nil
}

// refOf names a player, from its record or from a list of the competition's
// players, which holds those that may be named.
func (p *projector) refOf(v view, id sport.ID) *records.PlayerRef {
	if p.world.players.at(v, id) != nil || p.world.players.known(id) {
		return p.playerRef(v, id)
	}
	x, ok := p.world.names[id]
	if !ok {
		return nil
	}
	return &records.PlayerRef{ID: x.ID, Name: x.Name, Number: x.Number, Position: x.Position, Photo: x.Photo}
}

func (p *projector) scorers(v view, c *competition, by records.Ranking, rows []statistics.ScorerRow) {
	for _, r := range rows {
		ref, t := p.refOf(v, r.PlayerID), p.world.teams.at(v, r.TeamID)
		if ref == nil || t == nil {
			continue
		}
		e := records.ScorerEntry{
			Rank: r.Rank, Player: *ref, Team: teamRef(t), Value: r.Value,
			Goals: r.Goals, PenaltyGoals: r.PenaltyGoals, Assists: r.Assists, Appearances: r.Appearances,
		}
		p.shelves.scorers.put(v, records.TopScorers(c.ID, c.tag(), by), p.shelves.scorers.kind.Key(e), &e)
	}
}

func (p *projector) cards(v view, c *competition, rankings statistics.Rankings) {
	put := func(of records.Ranking, e records.CardEntry) {
		p.shelves.cards.put(v, records.Cards(c.ID, c.tag(), of), p.shelves.cards.kind.Key(e), &e)
	}
	for _, r := range rankings.PlayerCards {
		ref, t := p.refOf(v, r.PlayerID), p.world.teams.at(v, r.TeamID)
		if ref == nil || t == nil {
			continue
		}
		put(records.RankPlayerCards, records.CardEntry{
			Rank: r.Rank, Player: ref, Team: teamRef(t), Yellow: r.Yellow, SecondYellow: r.SecondYellow, Red: r.Red,
			Total: r.Total, Appearances: r.Appearances,
		})
	}
	for _, r := range rankings.TeamCards {
		if t := p.world.teams.at(v, r.TeamID); t != nil {
			put(records.RankTeamCards, records.CardEntry{
				Rank: r.Rank, Team: teamRef(t), Yellow: r.Yellow, SecondYellow: r.SecondYellow, Red: r.Red,
				Total: r.Total, Played: r.Played,
			})
		}
	}
}

func (p *projector) statistics(v view, s statistics.Competition) *records.CompetitionStatisticsRecord {
	t := s.Totals
	record := &records.CompetitionStatisticsRecord{
		Lineups: s.Coverage.Lineups, Events: s.Coverage.Events, Assists: s.Coverage.Assists, Figures: s.Coverage.MatchStatistics,
		Teams: t.Teams, Matches: t.Matches, Finished: t.Finished, Upcoming: t.Upcoming, Live: t.Live, Postponed: t.Postponed,
		Goals: t.Goals, PenaltyGoals: t.PenaltyGoals, OwnGoals: t.OwnGoals,
		Yellow: t.Yellow, SecondYellow: t.SecondYellow, Red: t.Red,
		HomeWins: s.Results.HomeWins, Draws: s.Results.Draws, AwayWins: s.Results.AwayWins,
		BiggestWin: p.shownMatch(v, s.BiggestWin), HighestScoring: p.shownMatch(v, s.HighestScoring),
		LeadGoals: p.leaders(v, s.Leaders.Goals), LeadAssists: p.leaders(v, s.Leaders.Assists),
		LeadAppear: p.leaders(v, s.Leaders.Appearances), LeadCards: p.leaders(v, s.Leaders.Cards),
	}
	if h := s.Averages.GoalsPerMatch; h != nil {
		n := int(*h)
		record.GoalsPerMatch = &n
	}
	if h := s.Averages.CardsPerMatch; h != nil {
		n := int(*h)
		record.CardsPerMatch = &n
	}
	return record
}

func (p *projector) leaders(v view, rows []statistics.Leader) []records.Leader {
	var leaders []records.Leader
	for _, r := range rows {
		ref, t := p.refOf(v, r.PlayerID), p.world.teams.at(v, r.TeamID)
		if ref != nil && t != nil {
			leaders = append(leaders, records.Leader{Rank: r.Rank, Player: *ref, Team: teamRef(t), Value: r.Value})
		}
	}
	return leaders
}

// shownMatch is a match as answers show it inside other things.
func (p *projector) shownMatch(v view, id sport.ID) *records.Match {
	e := p.world.listed(v, id)
	if e == nil {
		return nil
	}
	m := e.Match
	m.Competition = nil
	return &m
}

func (p *projector) groups(v view, c *competition, matches []sport.Match) *records.GroupsRecord {
	completed := statistics.CompletedGroups(c.Groups, matches)
	teams := map[sport.ID][]*team{}
	p.world.entered.each(v, c.identity(), func(id sport.ID) {
		if t := p.world.teams.at(v, id); t != nil && t.public() {
			teams[t.GroupID] = append(teams[t.GroupID], t)
		}
	})
	groups := slices.Clone(c.Groups)
	slices.SortFunc(groups, func(a, b sport.Group) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.ID, b.ID))
	})
	record := &records.GroupsRecord{}
	for _, g := range groups {
		in := teams[g.ID]
		slices.SortFunc(in, func(a, b *team) int {
			return slices.Compare(p.names.key(a.Name, a.ID), p.names.key(b.Name, b.ID))
		})
		group := records.GroupRecord{ID: g.ID, Name: g.Name, Order: g.Order, Completed: completed[g.ID]}
		for _, t := range in {
			group.Teams = append(group.Teams, teamRef(t))
		}
		record.Groups = append(record.Groups, group)
	}
	return record
}

// ofOwnSeason is what counts where no season is asked for: the entry's own
// season and friendlies without one, and everything where the entry has none
// either (D39), as in its list of matches. Seasons follow one another, so that
// the order is the same at every load.
func ofOwnSeason[G any](bySeason map[int][]G, own int) []G {
	if own != 0 {
		return slices.Concat(bySeason[own], bySeason[0])
	}
	var all []G
	for _, year := range slices.Sorted(maps.Keys(bySeason)) {
		all = append(all, bySeason[year]...)
	}
	return all
}

// teamSeasons projects what a team's finished matches add up to, by season.
func (p *projector) teamSeasons(id sport.ID) error {
	w := p.world
	for _, v := range []view{before, after} {
		t := w.teams.at(v, id)
		if t == nil || !t.public() {
			continue
		}
		bySeason := map[int][]statistics.TeamGame{}
		w.fixtures.each(v, id, func(m sport.ID) {
			e := w.listed(v, m)
			if e == nil || e.Hidden || e.Status != sport.Finished {
				return
			}
			game := p.teamGame(v, id, *e)
			bySeason[e.Season] = append(bySeason[e.Season], game)
		})
		for _, year := range slices.Sorted(maps.Keys(bySeason)) {
			if year != 0 {
				p.items.put(v, records.TeamSeasonKey(id, records.SeasonTag(year)), "", "", p.teamRecord(v, t, year, bySeason[year]))
			}
		}
		if with := ofOwnSeason(bySeason, t.Season); len(with) > 0 {
			p.items.put(v, records.TeamSeasonKey(id, records.OwnSeason), "", "", p.teamRecord(v, t, t.Season, with))
		}
	}
	return nil
}

func (p *projector) teamGame(v view, id sport.ID, e records.MatchEntry) statistics.TeamGame {
	w := p.world
	in := season{Season: e.Season}
	stored := w.friendlies[id]
	game := statistics.TeamGame{}
	if e.Competition != nil {
		in.ID = e.Competition.ID
		stored = w.contributed[in]
		if c := w.competitions.at(v, in); c != nil {
			game.Rules = c.Rules
		}
	}
	game.Match = *decodeOutcome(in, e)
	if all := w.contributions(v, stored, []sport.ID{e.ID}); len(all) > 0 {
		game.Contribution = all[0]
	}
	return game
}

func (p *projector) teamRecord(v view, t *team, year int, games []statistics.TeamGame) *records.TeamSeasonRecord {
	record := &records.TeamSeasonRecord{Season: year, TeamSeason: p.teamSeason(v, t.ID, games)}
	sights := p.sights(v, t, len(games), func(i int) encounter {
		m := &games[i].Match
		return encounter{season{ID: m.CompetitionID, Season: m.Season}, m.HomeTeamID, m.AwayTeamID}
	})
	for _, s := range sights {
		record.Guests = append(record.Guests, records.TeamGuest{Scope: s.guests, TeamSeason: p.teamSeason(v, t.ID, seen(s, games))})
	}
	return record
}

func (p *projector) teamSeason(v view, id sport.ID, games []statistics.TeamGame) records.TeamSeason {
	s := statistics.OfTeam(id, games)
	record := records.TeamSeason{
		Overall: teamTotals(s.Overall), Home: teamTotals(s.Home), Away: teamTotals(s.Away),
		BiggestWin: p.shownMatch(v, s.BiggestWin), BiggestLoss: p.shownMatch(v, s.BiggestLoss),
		Yellow: s.Cards.Yellow, SecondYellow: s.Cards.SecondYellow, Red: s.Cards.Red,
	}
	for _, o := range s.Form {
		record.Form = append(record.Form, o.Letter())
	}
	if s.Streak != nil {
		record.StreakType, record.StreakLength = string(s.Streak.Type), s.Streak.Length
	}
	for _, b := range s.GoalsByBand {
		record.GoalsFor = append(record.GoalsFor, b.For)
		record.GoalsAgainst = append(record.GoalsAgainst, b.Against)
	}
	for _, c := range s.Competitions {
		if in := p.world.competitions.at(v, season{ID: c.CompetitionID, Season: c.Season}); in != nil {
			record.ByCompetition = append(record.ByCompetition, records.TeamCompetition{
				Competition: competitionRef(in), Overall: teamTotals(c.Overall),
			})
		}
	}
	return record
}

func teamTotals(r statistics.Record) records.TeamTotals {
	return records.TeamTotals{
		Played: r.Played, Won: r.Won, Drawn: r.Drawn, Lost: r.Lost,
		GoalsFor: r.GoalsFor, GoalsAgainst: r.GoalsAgainst, Points: r.Points,
		CleanSheets: r.CleanSheets, FailedToScore: r.FailedToScore,
	}
}
