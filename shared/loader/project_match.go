package loader

import (
	"touchline/shared/sport"
	"touchline/shared/store"
)

func (p *projector) match(id sport.ID) {
	for _, v := range []view{before, after} {
		if m := p.world.matches.at(v, id); m != nil {
			p.matchIn(v, m)
		}
	}
}

func (p *projector) matchIn(v view, m *match) {
	home, away := p.world.teams.at(v, m.HomeTeamID), p.world.teams.at(v, m.AwayTeamID)
	if home == nil || away == nil {
		return // a broken reference, refused before anything is projected
	}
	var c *competition
	scopes := []store.Scope{
		p.world.organizations.at(v, home.OrganizationID).ownerScope(),
		p.world.organizations.at(v, away.OrganizationID).ownerScope(),
	}
	if m.CompetitionID != "" {
		if c = p.world.competitions.at(v, m.season()); c == nil {
			return
		}
		scopes = append(scopes, p.world.organizations.at(v, c.OrganizationID).ownerScope())
	}
	scope := union(scopes...)
	scope.Hidden = m.hidden(c, home, away)

	entry := store.MatchEntry{Match: matchEntry(m, c, home, away), Hidden: scope.Hidden, Private: m.Visibility != sport.Public}
	p.matchLists(v, m, c, entry)

	record := &store.MatchRecord{
		Match: entry.Match, Scope: scope, Visibility: m.Visibility,
		DetailHash: m.detailHash, Squad: m.squad,
	}
	if c != nil {
		ref := competitionRef(c)
		record.Competition = &ref
	}
	p.items.put(v, store.MatchKey(m.ID), sport.KindMatch, m.ID, record)
	if len(m.detailHash) > 0 {
		p.items.put(v, store.MatchDetailKey(m.ID), "", "", &store.DetailRecord{Parts: m.detail, Hash: m.detailHash})
	}
}

// hidden reports whether the match is outside every scope: by itself, or since
// it cannot be shown without something that is (D40).
func (m *match) hidden(c *competition, home, away *team) bool {
	return m.Visibility != sport.Public || !home.public() || !away.public() || c != nil && !c.public()
}

func (p *projector) matchLists(v view, m *match, c *competition, entry store.MatchEntry) {
	key := store.KickoffKey(entry.Kickoff, m.ID)
	p.id(v, store.Everything(sport.KindMatch), m.ID)
	variants := []store.Variant{store.All, store.Variant(m.Status)}
	if entry.Hidden {
		variants = variants[:1] // the loader's, for the table and for what follows from a change
	}
	ofTeam := entry
	if c != nil {
		ref := competitionRef(c)
		ofTeam.Competition = &ref
	}
	for _, variant := range variants {
		if c != nil {
			p.shelves.matches.put(v, store.TournamentMatches(c.ID, c.tag(), variant), key, &entry)
		}
		p.shelves.matches.put(v, store.TeamMatches(m.HomeTeamID, variant), key, &ofTeam)
		p.shelves.matches.put(v, store.TeamMatches(m.AwayTeamID, variant), key, &ofTeam)
	}
	if c == nil || entry.Hidden {
		return
	}
	for _, x := range m.squad {
		e := store.LineupEntry{Player: x, Match: m.ID}
		p.shelves.lineups.put(v, store.LineupPlayers(m.season()), store.IDKey(e.Player+e.Match), &e)
	}
}

func matchEntry(m *match, c *competition, home, away *team) store.Match {
	return store.Match{
		ID: m.ID, Status: m.Status, Kickoff: m.Kickoff.UnixMilli(),
		Home: teamRef(home), Away: teamRef(away),
		Score: m.Score, Penalties: m.Penalties,
		Leg: m.Leg, TwoLegs: m.TwoLegs, Winner: m.Winner, Round: m.Round,
		GroupID: m.GroupID, GroupName: groupName(c, m.GroupID),
		ExtraTime: m.ExtraTime, Season: m.Season,
	}
}
