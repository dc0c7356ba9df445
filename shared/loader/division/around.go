package division

import (
	"iter"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/ids"
	"touchline/shared/sport"
)

// surroundings find what is around parts.
//
// A match is around each part that a team or a player of the match is of: it counts for
// them. These are around the part of the match, which shows them. With a match go its
// competition and its teams, and with a player the team.
type surroundings struct {
	set   *dataset.Set
	parts []Part
	of    Places // the part of each record

	competitions map[ids.Packed][]int32 // the places of the seasons of each
	teams        places
	players      places
}

// surround fills in what is around parts.
func surround(set *dataset.Set, parts []Part) {
	if len(parts) < 2 {
		return
	}
	s := &surroundings{
		set: set, parts: parts, competitions: map[ids.Packed][]int32{},
		teams: placesOf(slices.All(set.Teams)), players: placesOf(set.Players.All()),
	}
	for kind, n := range []int{len(set.Competitions), len(set.Teams), set.Players.Len(), set.Matches.Len(), len(set.Standings)} {
		*s.of.kinds()[kind] = slices.Repeat([]int32{none}, n)
	}
	for part := range parts {
		for kind, all := range parts[part].kinds() {
			of := *s.of.kinds()[kind]
			for _, place := range *all {
				of[place] = int32(part)
			}
		}
	}
	for place, x := range set.Competitions {
		id := ids.Pack(x.ID)
		s.competitions[id] = append(s.competitions[id], int32(place))
	}
	for place, x := range set.Matches.All() {
		if part := s.of.Matches[place]; part != none {
			s.match(part, int32(place), x.Value.Full()) //nolint:gosec // records are counted in millions
		}
	}
	for place, x := range set.Standings {
		part := s.of.Standings[place]
		for _, row := range x.Value.Rows {
			if team, known := s.teams.find(row.TeamID); known && part != none && s.of.Teams[team] != part {
				to := &s.parts[part].Around.Teams
				*to = append(*to, team)
			}
		}
	}
	for part := range parts {
		s.complete(int32(part))
	}
}

// match puts a match around the parts of its teams and players, and these around its
// own.
func (s *surroundings) match(part, match int32, m sport.Match) {
	around := &s.parts[part].Around
	for _, id := range []sport.ID{m.HomeTeamID, m.AwayTeamID} {
		if team, known := s.teams.find(id); known && s.counts(s.of.Teams[team], part, match) {
			around.Teams = append(around.Teams, team)
		}
	}
	for _, id := range m.Involved() {
		if player, known := s.players.find(id); known && s.counts(s.of.Players[player], part, match) {
			around.Players = append(around.Players, player)
		}
	}
}

// counts puts a match of a part around another one, and reports whether it is another.
func (s *surroundings) counts(other, part, match int32) bool {
	if other == none || other == part {
		return false
	}
	matches := &s.parts[other].Around.Matches
	if n := len(*matches); n == 0 || (*matches)[n-1] != match {
		*matches = append(*matches, match)
	}
	return true
}

// complete adds what goes with what is around a part.
func (s *surroundings) complete(part int32) {
	around := &s.parts[part].Around
	around.sort()
	team := func(id sport.ID) {
		if place, known := s.teams.find(id); known && s.of.Teams[place] != part {
			around.Teams = append(around.Teams, place)
		}
	}
	for _, place := range around.Matches {
		m := &s.set.Matches.At(int(place)).Value.Base
		team(m.HomeTeamID)
		team(m.AwayTeamID)
		for _, place := range s.competitions[ids.Pack(m.CompetitionID)] {
			if s.of.Competitions[place] != part {
				around.Competitions = append(around.Competitions, place)
			}
		}
	}
	for _, place := range around.Players {
		team(s.set.Players.At(int(place)).Value.TeamID)
	}
	around.sort()
}

// places are where records are, by their ids.
type places map[ids.Packed]int32

func placesOf[T dataset.Entity](records iter.Seq2[int, *dataset.Record[T]]) places {
	p := places{}
	for place, x := range records {
		if id := ids.Pack(x.ID); !p.has(id) {
			p[id] = int32(place) //nolint:gosec // records are counted in millions
		}
	}
	return p
}

func (p places) has(id ids.Packed) bool {
	_, known := p[id]
	return known
}

func (p places) find(id sport.ID) (place int32, known bool) {
	place, known = p[ids.Pack(id)]
	return place, known
}
