package loader

import (
	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

// parts projects what only a match's own routes show, its players' lists, and
// what it adds to the statistics.
func (p *projector) parts(v view, m *match, o *outcome) error {
	full, err := m.full()
	if err != nil {
		return err
	}
	if l := statistics.LineupsOf(full); l.Confirmed {
		p.items.put(v, records.LineupsKey(m.ID), "", "", &records.LineupsRecord{
			Home: p.squadRecord(v, l.Home), Away: p.squadRecord(v, l.Away),
		})
	}
	if len(full.Events) > 0 {
		p.items.put(v, records.EventsKey(m.ID), "", "", p.eventsRecord(v, full))
	}
	if s := full.Statistics; s != nil {
		p.items.put(v, records.FiguresKey(m.ID), "", "", &records.FiguresRecord{Home: s.Home, Away: s.Away, Periods: s.Periods})
	}
	for _, x := range o.all {
		e := p.world.performanceEntry(v, o, x)
		if player := p.world.players.at(v, x.PlayerID); player == nil || !p.visible(v, player) {
			e.Hidden = true
		}
		p.shelves.performances.put(v, records.PlayerMatches(x.PlayerID), records.KickoffKey(e.Kickoff, e.Match), &e)
	}
	return p.contribution(v, o)
}

// contribution keeps what a visible match adds where it will be added up: with
// its competition's season, or with the two teams of a friendly.
func (p *projector) contribution(v view, o *outcome) error {
	if o.entry.Hidden || o.counted.Empty() {
		return nil
	}
	facts, err := packContribution(o.counted)
	if err != nil {
		return err
	}
	e := &records.ContributionEntry{Match: o.entry.ID, Facts: facts}
	lists := []string{records.Contributions(o.season)}
	if o.season.ID == "" {
		lists = []string{records.FriendlyContributions(o.entry.Home.ID), records.FriendlyContributions(o.entry.Away.ID)}
	}
	for _, name := range lists {
		p.shelves.contributions.put(v, name, records.IDKey(e.Match), e)
	}
	return nil
}

// visible reports whether a player may be named (D40).
func (p *projector) visible(v view, x *player) bool {
	t := p.world.teams.at(v, x.TeamID)
	return x.Visibility == sport.Public && t != nil && t.public()
}

// playerRef names a player; nil: none, or one that is not to be named.
func (p *projector) playerRef(v view, id sport.ID) *records.PlayerRef {
	x := p.world.players.at(v, id)
	if x == nil || !p.visible(v, x) {
		return nil
	}
	return &records.PlayerRef{ID: x.ID, Name: x.Name, Number: x.Number, Position: x.Position, Photo: x.Photo}
}

func (p *projector) squadRecord(v view, s statistics.Squad) records.SquadRecord {
	return records.SquadRecord{
		Formation: s.Formation, Coach: s.Coach,
		Starting: p.lineupPlayers(v, s.Starting), Bench: p.lineupPlayers(v, s.Bench),
	}
}

func (p *projector) lineupPlayers(v view, entries []statistics.LineupEntry) []records.LineupPlayer {
	var players []records.LineupPlayer
	for _, e := range entries {
		if ref := p.playerRef(v, e.PlayerID); ref != nil {
			players = append(players, records.LineupPlayer{
				PlayerRef: *ref, Captain: e.Captain, Role: e.Position, Grid: e.Grid, In: e.MinuteIn, Out: e.MinuteOut,
			})
		}
	}
	return players
}

func (p *projector) eventsRecord(v view, full sport.Match) *records.EventsRecord {
	moments := statistics.Timeline(full.Events)
	events := make([]records.MatchEvent, len(moments))
	for i, m := range moments {
		events[i] = records.MatchEvent{
			ID: m.ID, Type: m.Type, Detail: m.Detail, Period: m.Period,
			Minute: m.Minute, Extra: m.ExtraMinute, Side: m.Side,
			Player: p.playerRef(v, m.PlayerID), Assist: p.playerRef(v, m.AssistID),
			PlayerIn: p.playerRef(v, m.PlayerInID), PlayerOut: p.playerRef(v, m.PlayerOutID),
			Score: m.Score,
		}
	}
	return &records.EventsRecord{Events: events}
}

// playerSeasons projects what a player's finished matches add up to, by season
// (D16, D39).
func (p *projector) playerSeasons(id sport.ID) error {
	for _, v := range []view{before, after} {
		x := p.world.players.at(v, id)
		if x == nil || !p.visible(v, x) {
			continue
		}
		own := p.world.teams.at(v, x.TeamID).Season
		bySeason := map[int][]records.PerformanceEntry{}
		for _, e := range p.world.playedBy(v, id) {
			if e.Status == sport.Finished {
				bySeason[e.Season] = append(bySeason[e.Season], e)
			}
		}
		for year, entries := range bySeason {
			if year != 0 {
				p.items.put(v, records.PlayerSeasonKey(id, records.SeasonTag(year)), "", "", p.playerRecord(v, x, year, entries))
			}
		}
		if with := ofOwnSeason(bySeason, own); len(with) > 0 {
			p.items.put(v, records.PlayerSeasonKey(id, records.OwnSeason), "", "", p.playerRecord(v, x, own, with))
		}
	}
	return nil
}

func (p *projector) playerRecord(v view, x *player, year int, entries []records.PerformanceEntry) *records.PlayerSeasonRecord {
	record := &records.PlayerSeasonRecord{Season: year, PlayerSeason: p.playerSeason(v, x, entries)}
	sights := p.sights(v, p.world.teams.at(v, x.TeamID), len(entries), func(i int) encounter {
		e := &entries[i]
		in := encounter{season: season{ID: e.Competition, Season: e.Season}}
		if m := p.world.matches.at(v, e.Match); m != nil {
			in.home, in.away = m.HomeTeamID, m.AwayTeamID
		}
		return in
	})
	for _, s := range sights {
		record.Guests = append(record.Guests, records.PlayerGuest{Scope: s.guests, PlayerSeason: p.playerSeason(v, x, seen(s, entries))})
	}
	return record
}

func (p *projector) playerSeason(v view, x *player, entries []records.PerformanceEntry) records.PlayerSeason {
	games := make([]statistics.PlayerGame, len(entries))
	for i, e := range entries {
		games[i] = statistics.PlayerGame{CompetitionID: e.Competition, Season: e.Season, Status: e.Status, Performance: performance(e)}
	}
	sum := statistics.OfPlayer(x.Position, games)
	record := records.PlayerSeason{Totals: playerTotals(sum.Totals)}
	for _, c := range sum.Competitions {
		in := p.world.competitions.at(v, season{ID: c.CompetitionID, Season: c.Season})
		t := p.world.teams.at(v, c.TeamID)
		if in != nil && t != nil {
			record.Competitions = append(record.Competitions, records.PlayerCompetition{
				Competition: competitionRef(in), Team: teamRef(t), Totals: playerTotals(c.Figures),
			})
		}
	}
	return record
}

func playerTotals(f statistics.Figures) records.PlayerTotals {
	return records.PlayerTotals{
		Appearances: f.Appearances, Starts: f.Starts, SubstitutedIn: f.SubstitutedIn, SubstitutedOut: f.SubstitutedOut,
		Minutes: f.Minutes, Goals: f.Goals, PenaltyGoals: f.PenaltyGoals, OwnGoals: f.OwnGoals, Assists: f.Assists,
		Yellow: f.Yellow, SecondYellow: f.SecondYellow, Red: f.Red, CleanSheets: f.CleanSheets,
	}
}
