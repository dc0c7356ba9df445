package projection

import (
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

// details projects what only a match's own routes show, its entries in the lists of
// players, and what it adds to the statistics.
func (p *Projector) details(v world.View, m *world.Match, o *world.Outcome) {
	full := p.World.Full(v, m)
	if statistics.Published(*full) {
		spells := statistics.Spells(*full, p.World.Clock(v, m))
		p.Items.Put(v, records.LineupsKey(m.ID), &records.LineupsRecord{
			Home: p.squadRecord(v, m, full.Lineups.Home, spells), Away: p.squadRecord(v, m, full.Lineups.Away, spells),
		})
	}
	if len(full.Events) > 0 {
		p.Items.Put(v, records.EventsKey(m.ID), p.eventsRecord(v, m, full))
	}
	if s := full.Statistics; s != nil {
		p.Items.Put(v, records.FiguresKey(m.ID), &records.FiguresRecord{Home: s.Home, Away: s.Away, Periods: s.Periods})
	}
	for _, x := range o.All {
		e := p.World.PerformanceEntry(v, o, x)
		e.Hidden = e.Hidden || p.World.PlayerRef(v, x.PlayerID) == nil
		p.Lists.Performances.Put(v, records.PlayerMatches(x.PlayerID), records.KickoffKey(e.Kickoff, e.Match), &e)
	}
	p.contribution(v, o)
}

// contribution keeps what a visible match adds where it will be added up: with
// its competition's season, or with the two teams of a friendly.
func (p *Projector) contribution(v world.View, o *world.Outcome) {
	if o.Entry.Hidden || o.Counted.Empty() {
		return
	}
	e := records.NewContribution(p.World.Contribution(v, o))
	lists := []records.List[records.ContributionEntry]{records.Contributions(o.Season)}
	if o.Season.ID == "" {
		lists = []records.List[records.ContributionEntry]{records.FriendlyContributions(o.Entry.Home.ID), records.FriendlyContributions(o.Entry.Away.ID)}
	}
	for _, name := range lists {
		p.Lists.Contributions.Put(v, name, records.IDKey(e.Match), e)
	}
}

func (p *Projector) squadRecord(v world.View, m *world.Match, s sport.Squad, spells map[sport.ID]statistics.Spell) records.SquadRecord {
	if p.World.HidesPlayers(v, m.SeasonID()) {
		s.Coach = ""
	}
	return records.SquadRecord{
		Formation: s.Formation, Coach: s.Coach,
		Starting: p.lineupPlayers(v, m, s.Starting, spells, statistics.Spell{In: new(0)}),
		Bench:    p.lineupPlayers(v, m, s.Bench, spells, statistics.Spell{}),
	}
}

// lineupPlayers are those of a list of a line-up; unnamed is the spell of a player who is
// not named.
func (p *Projector) lineupPlayers(v world.View, m *world.Match, entries []sport.LineupEntry, spells map[sport.ID]statistics.Spell, unnamed statistics.Spell) []records.LineupPlayer {
	var players []records.LineupPlayer
	for _, e := range entries {
		ref, spell := &records.PlayerRef{}, unnamed
		if e.PlayerID != "" {
			spell = spells[e.PlayerID]
			ref = p.World.PlayerIn(v, m, e.PlayerID)
		}
		if ref == nil {
			continue
		}
		players = append(players, records.LineupPlayer{
			PlayerRef: *ref, Shirt: p.shirt(v, m, &e), Captain: e.Captain, Role: e.Position, Grid: e.Grid, In: spell.In, Out: spell.Out,
		})
	}
	return players
}

// shirt is the number of a player in a match where it is not the player's: as given, or
// in a finished match the one of its day (D61). In all other matches it is the player's, so
// that the player need not be fetched.
func (p *Projector) shirt(v world.View, m *world.Match, e *sport.LineupEntry) int {
	x := p.World.Players.At(v, e.PlayerID)
	if e.Number != 0 || x == nil || len(x.FormerNumbers) == 0 || p.World.Ruled(v, m).Status != sport.Finished {
		return e.Number
	}
	return x.NumberAt(m.Kickoff)
}

func (p *Projector) eventsRecord(v world.View, of *world.Match, full *sport.Match) *records.EventsRecord {
	hide := p.World.HidesPlayers(v, of.SeasonID())
	player := func(id sport.ID) *records.PlayerRef {
		if hide {
			return nil
		}
		return p.World.PlayerRef(v, id)
	}
	scores := statistics.RunningScores(full.Events)
	events := make([]records.MatchEvent, len(scores))
	for i, m := range full.Events {
		events[i] = records.MatchEvent{
			ID: m.ID, Type: m.Type, Detail: m.Detail, Period: m.Period,
			Minute: m.Minute, Extra: m.ExtraMinute, Minutes: m.Minutes, Side: m.Side,
			Player: player(m.PlayerID), Assist: player(m.AssistID),
			PlayerIn: player(m.PlayerInID), PlayerOut: player(m.PlayerOutID),
			Score: scores[i],
		}
	}
	return &records.EventsRecord{Events: events}
}
