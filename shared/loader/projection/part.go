package projection

import (
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

// parts projects what only a match's own routes show, the lists of those players
// for whom it has to be, and what it adds to the statistics.
func (p *Projector) parts(v world.View, m *world.Match, o *world.Outcome, players world.Set[sport.ID]) error {
	full, err := p.World.Full(m)
	if err != nil {
		return err
	}
	if l := statistics.LineupsOf(*full); l.Confirmed && !p.World.Scoring(m.ID) {
		p.Items.Put(v, records.LineupsKey(m.ID), &records.LineupsRecord{
			Home: p.squadRecord(v, l.Home), Away: p.squadRecord(v, l.Away),
		})
	}
	if len(full.Events) > 0 {
		p.Items.Put(v, records.EventsKey(m.ID), p.eventsRecord(v, full))
	}
	if s := full.Statistics; s != nil {
		p.Items.Put(v, records.FiguresKey(m.ID), &records.FiguresRecord{Home: s.Home, Away: s.Away, Periods: s.Periods})
	}
	for _, x := range o.All {
		if _, ok := players[x.PlayerID]; !ok {
			continue
		}
		e := p.World.PerformanceEntry(v, o, x)
		e.Hidden = e.Hidden || p.World.PlayerRef(v, x.PlayerID) == nil
		p.Lists.Performances.Put(v, records.PlayerMatches(x.PlayerID), records.KickoffKey(e.Kickoff, e.Match), &e)
	}
	return p.contribution(v, o)
}

// contribution keeps what a visible match adds where it will be added up: with
// its competition's season, or with the two teams of a friendly.
func (p *Projector) contribution(v world.View, o *world.Outcome) error {
	if o.Entry.Hidden || o.Counted.Empty() {
		return nil
	}
	e := records.NewContribution(o.Counted)
	lists := []records.List[records.ContributionEntry]{records.Contributions(o.Season)}
	if o.Season.ID == "" {
		lists = []records.List[records.ContributionEntry]{records.FriendlyContributions(o.Entry.Home.ID), records.FriendlyContributions(o.Entry.Away.ID)}
	}
	for _, name := range lists {
		p.Lists.Contributions.Put(v, name, records.IDKey(e.Match), e)
	}
	return nil
}

func (p *Projector) squadRecord(v world.View, s statistics.Squad) records.SquadRecord {
	return records.SquadRecord{
		Formation: s.Formation, Coach: s.Coach,
		Starting: p.lineupPlayers(v, s.Starting), Bench: p.lineupPlayers(v, s.Bench),
	}
}

func (p *Projector) lineupPlayers(v world.View, entries []statistics.LineupEntry) []records.LineupPlayer {
	var players []records.LineupPlayer
	for _, e := range entries {
		if ref := p.World.PlayerRef(v, e.PlayerID); ref != nil {
			players = append(players, records.LineupPlayer{
				PlayerRef: *ref, Captain: e.Captain, Role: e.Position, Grid: e.Grid, In: e.MinuteIn, Out: e.MinuteOut,
			})
		}
	}
	return players
}

func (p *Projector) eventsRecord(v world.View, full *sport.Match) *records.EventsRecord {
	moments := statistics.Timeline(full.Events)
	events := make([]records.MatchEvent, len(moments))
	for i, m := range moments {
		events[i] = records.MatchEvent{
			ID: m.ID, Type: m.Type, Detail: m.Detail, Period: m.Period,
			Minute: m.Minute, Extra: m.ExtraMinute, Side: m.Side,
			Player: p.World.PlayerRef(v, m.PlayerID), Assist: p.World.PlayerRef(v, m.AssistID),
			PlayerIn: p.World.PlayerRef(v, m.PlayerInID), PlayerOut: p.World.PlayerRef(v, m.PlayerOutID),
			Score: m.Score,
		}
	}
	return &records.EventsRecord{Events: events}
}
