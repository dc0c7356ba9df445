package projection

import (
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

func (p *Projector) match(id sport.ID) {
	for v, m := range p.World.Matches.Views(id) {
		if o := p.World.Outcome(v, id); o != nil {
			p.matchIn(v, m, o)
			p.details(v, m, o)
		}
	}
}

func (p *Projector) matchIn(v world.View, m *world.Match, o *world.Outcome) {
	c := p.World.Competitions.At(v, m.SeasonID())
	scope := p.matchScope(v, c, m.HomeTeamID, m.AwayTeamID)
	scope.Hidden = o.Entry.Hidden
	p.matchLists(v, m, c, o.Entry)
	record := &records.MatchRecord{
		Match: o.Entry.Match, Scope: scope, Visibility: m.Visibility,
		DetailHash: m.DetailHash, Squad: m.Squad, Key: m.Key, WinnerGiven: m.WinnerGiven,
	}
	if p.World.Ruled(v, m) != &m.Match {
		record.Played = records.PlayedOf(&m.Match)
	}
	p.Items.Put(v, records.MatchKey(m.ID), record)
	if len(m.DetailHash) > 0 {
		p.Items.Put(v, records.MatchDetailKey(m.ID), &records.DetailRecord{Packed: m.Detail, Hash: m.DetailHash})
	}
}

// matchScope says which keys see a match of a competition, nil for a friendly,
// and two teams, hidden or not (D24).
func (p *Projector) matchScope(v world.View, c *world.Competition, home, away sport.ID) records.Scope {
	w := p.World
	var scopes []records.Scope
	for _, id := range []sport.ID{home, away} {
		if t := w.Teams.At(v, id); t != nil {
			scopes = append(scopes, w.Organizations.At(v, t.OrganizationID).OwnerScope())
		}
	}
	if c != nil {
		scopes = append(scopes, w.Organizations.At(v, c.OrganizationID).OwnerScope())
	}
	return world.Union(scopes...)
}

// matchLists puts the match on the list of its competition, whose entries do not repeat the
// competition, and on those of its teams.
func (p *Projector) matchLists(v world.View, m *world.Match, c *world.Competition, ofTeam records.MatchEntry) {
	entry := ofTeam
	entry.Competition = nil
	key := records.KickoffKey(entry.Kickoff, m.ID)
	p.id(v, records.Everything(sport.KindMatch), m.ID)
	if c != nil {
		p.Lists.Matches.Put(v, records.TournamentMatches(c.ID, c.Tag()), key, &entry)
	}
	p.Lists.Matches.Put(v, records.TeamMatches(m.HomeTeamID), key, &ofTeam)
	p.Lists.Matches.Put(v, records.TeamMatches(m.AwayTeamID), key, &ofTeam)
	if c == nil || entry.Hidden {
		return
	}
	for _, x := range m.Squad {
		e := records.LineupEntry{Player: x, Match: m.ID}
		p.Lists.Lineups.Put(v, records.LineupPlayers(m.SeasonID()), records.IDKey(e.Player+e.Match), &e)
	}
}
