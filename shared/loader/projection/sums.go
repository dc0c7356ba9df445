package projection

import (
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

// playerSums is what a player's finished matches add up to, by season (D16, D39),
// as the player's record holds it. What is too long for that is put as an item of
// its own. Sums that the load does not change are those that are stored.
func (p *Projector) playerSums(v world.View, x *world.Player, t *world.Team) records.PlayerSums {
	if !p.affected.PlayerSums.Has(x.ID) {
		return x.Sums
	}
	if !p.World.Visible(v, x) {
		return records.PlayerSums{}
	}
	bySeason := map[int][]records.PerformanceEntry{}
	for _, e := range p.World.PlayedBy(v, x.ID) {
		if e.Status == sport.Finished {
			bySeason[e.Season] = append(bySeason[e.Season], e)
		}
	}
	ref := func(e *records.PerformanceEntry) matchRef {
		in := matchRef{season: world.SeasonID{ID: e.Competition, Season: e.Season}}
		if m := p.World.Matches.At(v, e.Match); m != nil {
			in.home, in.away = m.HomeTeamID, m.AwayTeamID
		}
		return in
	}
	seasons := seasonsOf(bySeason, t.Season, func(entries []records.PerformanceEntry) *records.Seen[records.PlayerSeason] {
		return seen(p, v, t, entries, ref, func(entries []records.PerformanceEntry) records.PlayerSeason { return p.playerSeason(v, x, entries) })
	})
	sums := records.SumsOf(seasons)
	if sums.Apart {
		p.Items.Put(v, records.PlayerSeasonsKey(x.ID), seasons)
	}
	return sums
}

func (p *Projector) playerSeason(v world.View, x *world.Player, entries []records.PerformanceEntry) records.PlayerSeason {
	games := make([]statistics.PlayerGame, len(entries))
	for i, e := range entries {
		games[i] = statistics.PlayerGame{CompetitionID: e.Competition, Season: e.Season, TeamID: e.Team, Figures: statistics.Figures(e.PlayerTotals)}
	}
	sum := statistics.OfPlayer(x.Position, games)
	record := records.PlayerSeason{Totals: records.PlayerTotals(sum.Totals)}
	for _, c := range sum.Competitions {
		in := p.World.Competitions.At(v, world.SeasonID{ID: c.CompetitionID, Season: c.Season})
		t := p.World.Teams.At(v, c.TeamID)
		if in != nil && t != nil {
			record.Competitions = append(record.Competitions, records.PlayerCompetition{
				Competition: records.CompetitionRefOf(&in.Competition), Team: records.TeamRefOf(&t.Team), Totals: records.PlayerTotals(c.Figures),
			})
		}
	}
	return record
}
