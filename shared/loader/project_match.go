package loader

import (
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

func (p *projector) match(id sport.ID) error {
	if err := p.fixtures(id); err != nil {
		return err
	}
	for _, v := range []view{before, after} {
		m := p.world.matches.at(v, id)
		o, err := p.world.outcome(v, id)
		if err != nil {
			return err
		}
		if m == nil || o == nil {
			continue
		}
		p.matchIn(v, m, o)
		if err := p.parts(v, m, o); err != nil {
			return err
		}
	}
	return nil
}

func (p *projector) matchIn(v view, m *match, o *outcome) {
	var c *competition
	if m.CompetitionID != "" {
		c = p.world.competitions.at(v, m.season())
	}
	scope := p.world.matchScope(v, c, m.HomeTeamID, m.AwayTeamID)
	scope.Hidden = o.entry.Hidden
	p.matchLists(v, m, c, o.entry)
	p.items.put(v, records.MatchKey(m.ID), sport.KindMatch, m.ID, &records.MatchRecord{
		Match: o.entry.Match, Scope: scope, Visibility: m.Visibility,
		DetailHash: m.detailHash, Squad: m.squad,
	})
	if len(m.detailHash) > 0 {
		// With the record, not before it: a load that is done again needs what the
		// match was made of.
		p.items.put(v, records.MatchDetailKey(m.ID), sport.KindMatch, m.ID, &records.DetailRecord{Parts: m.detail, Hash: m.detailHash})
	}
}

// matchScope says which keys see a match of a competition, nil for a friendly,
// and two teams, hidden or not (D24).
func (w *world) matchScope(v view, c *competition, home, away sport.ID) records.Scope {
	var scopes []records.Scope
	for _, id := range []sport.ID{home, away} {
		if t := w.teams.at(v, id); t != nil {
			scopes = append(scopes, w.organizations.at(v, t.OrganizationID).ownerScope())
		}
	}
	if c != nil {
		scopes = append(scopes, w.organizations.at(v, c.OrganizationID).ownerScope())
	}
	return union(scopes...)
}

// hidden reports whether the match is outside every scope: by itself, or since
// it cannot be shown without something that is (D40).
func (m *match) hidden(c *competition, home, away *team) bool {
	return m.Visibility != sport.Public || !home.public() || !away.public() || c != nil && !c.public()
}

// matchLists puts the match on the lists of its competition, which has one
// summary for all, and of its teams.
func (p *projector) matchLists(v view, m *match, c *competition, ofTeam records.MatchEntry) {
	entry := ofTeam
	entry.Competition = nil
	key := records.KickoffKey(entry.Kickoff, m.ID)
	p.id(v, records.Everything(sport.KindMatch), m.ID)
	variants := []records.Variant{records.All, records.Variant(m.Status)}
	if entry.Hidden {
		variants = variants[:1] // the loader's, for the table and for what follows from a change
	}
	for _, variant := range variants {
		if c != nil {
			p.shelves.matches.put(v, records.TournamentMatches(c.ID, c.tag(), variant), key, &entry)
		}
		p.shelves.matches.put(v, records.TeamMatches(m.HomeTeamID, variant), key, &ofTeam)
		p.shelves.matches.put(v, records.TeamMatches(m.AwayTeamID, variant), key, &ofTeam)
	}
	if c == nil || entry.Hidden {
		return
	}
	for _, x := range m.squad {
		e := records.LineupEntry{Player: x, Match: m.ID}
		p.shelves.lineups.put(v, records.LineupPlayers(m.season()), records.IDKey(e.Player+e.Match), &e)
	}
}

func matchEntry(m *match, c *competition, home, away *team) records.Match {
	return records.Match{
		ID: m.ID, Status: m.Status, Kickoff: m.Kickoff.UnixMilli(),
		Home: teamRef(home), Away: teamRef(away),
		Score: m.Score, Penalties: m.Penalties,
		Leg: m.Leg, TwoLegs: m.TwoLegs, Winner: m.Winner, Round: m.Round,
		GroupID: m.GroupID, GroupName: groupName(c, m.GroupID),
		ExtraTime: m.ExtraTime, Season: m.Season,
	}
}
