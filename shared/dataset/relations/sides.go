package relations

import (
	"fmt"

	"touchline/shared/dataset"
	"touchline/shared/dataset/details"
	"touchline/shared/dataset/ids"
	"touchline/shared/sport"
)

// sides warns of players who are on the other side of a match than its line-ups, or its
// events, say.
func (o *oddities) sides(m *dataset.Record[dataset.Match]) {
	if !m.Value.HasDetails() {
		return
	}
	full := m.Value.Full()
	place := map[sport.ID]sport.Side{}
	if full.Lineups != nil {
		for i, entries := range details.EntriesOf(full.Lineups) {
			side := []sport.Side{sport.SideHome, sport.SideHome, sport.SideAway, sport.SideAway}[i]
			for j, e := range entries.List {
				if place[e.PlayerID] = side; o.sideOf(e.PlayerID, &full) == side.Other() {
					o.name(m.Origin, fmt.Sprintf("%s[%d].playerId", entries.Field, j), "%s is of the other side's team", o.called(sport.KindPlayer, e.PlayerID))
				}
			}
		}
	}
	for i := range full.Events {
		e := &full.Events[i]
		scorer := e.Side
		if e.Detail == sport.GoalOwn {
			scorer = e.Side.Other()
		}
		for _, x := range []struct {
			field string
			id    sport.ID
			side  sport.Side
		}{{"playerId", e.PlayerID, scorer}, {"assistId", e.AssistID, e.Side}, {"playerInId", e.PlayerInID, e.Side}, {"playerOutId", e.PlayerOutID, e.Side}} {
			if x.id == "" || x.side == "" {
				continue
			}
			is := place[x.id]
			if is == "" {
				is = o.sideOf(x.id, &full)
			}
			switch field := fmt.Sprintf("events[%d].%s", i, x.field); {
			case is != x.side.Other():
			case e.Detail == sport.GoalOwn && x.field == "playerId":
				o.name(m.Origin, field, "%s is of the side that the own goal counts for: whoever scores one plays for the other", o.called(sport.KindPlayer, x.id))
			default:
				o.name(m.Origin, field, "%s is of the other side", o.called(sport.KindPlayer, x.id))
			}
		}
	}
}

// sideOf is the side of a match whose team, or else whose club, a player belongs to; empty:
// it is not known.
func (o *oddities) sideOf(player sport.ID, m *sport.Match) sport.Side {
	id := o.teamOf(player)
	switch id {
	case "":
		return ""
	case m.HomeTeamID:
		return sport.SideHome
	case m.AwayTeamID:
		return sport.SideAway
	}
	team, home, away := o.team(id), o.team(m.HomeTeamID), o.team(m.AwayTeamID)
	if team == nil || home == nil || away == nil || team.OrganizationID == "" || home.OrganizationID == away.OrganizationID {
		return ""
	}
	switch team.OrganizationID {
	case home.OrganizationID:
		return sport.SideHome
	case away.OrganizationID:
		return sport.SideAway
	}
	return ""
}

// teamOf is the team of a player, empty for one who is not known.
func (o *oddities) teamOf(player sport.ID) sport.ID {
	if player == "" {
		return ""
	}
	if o.players == nil {
		o.players = make(map[ids.Packed]ids.Packed, o.set.Players.Len())
		for _, p := range o.set.Players.All() {
			if !p.Deleted {
				o.players[ids.Pack(p.ID)] = ids.Pack(p.Value.TeamID)
			}
		}
	}
	if team, ok := o.players[ids.Pack(player)]; ok {
		return team.ID()
	}
	if o.stored.Player != nil {
		if p := o.stored.Player(player); p != nil {
			return p.TeamID
		}
	}
	return ""
}
