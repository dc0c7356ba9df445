package edits

import (
	"context"
	"fmt"

	"touchline/shared/dataset"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// maxHeight bounds the climb from an organization to the top.
const maxHeight = 16

// Within reports whether a record belongs to a competition of an organization, or of
// one below it: as it is stored, and by what the change gives it. Organizations
// themselves belong to nobody's competitions.
func (b Book) Within(ctx context.Context, organization sport.ID, kind sport.Kind, o Object) (bool, error) {
	x := &owners{ctx: ctx}
	x.w, x.fetch = b.open()
	id := given(kind, o, "id")
	switch kind {
	case sport.KindCompetition:
		x.competition(id)
		x.organization(given(sport.KindOrganization, o, "organizationId"))
		x.competition(given(sport.KindCompetition, o, "parentId"))
	case sport.KindTeam:
		x.team(id)
		x.competition(given(sport.KindCompetition, o, "competitionId"))
	case sport.KindPlayer:
		x.player(id)
		x.team(given(sport.KindTeam, o, "teamId"))
	case sport.KindMatch:
		x.match(id)
		x.competition(given(sport.KindCompetition, o, "competitionId"))
	}
	if x.fetch.Err() != nil || len(x.found) == 0 {
		return false, x.fetch.Err()
	}
	for _, of := range x.found {
		if in, err := x.below(of, organization); err != nil || !in {
			return false, err
		}
	}
	return true, nil
}

// given is the id of what a field of a record names, empty for none.
func given(kind sport.Kind, o Object, field string) sport.ID {
	if o[field] == nil || o[field] == "" {
		return ""
	}
	return dataset.ID(kind, fmt.Sprint(o[field]))
}

// owners are the organizations that run the competitions of a record; what is in none
// adds the empty id, which is below nothing.
type owners struct {
	ctx   context.Context
	w     *world.World
	fetch *world.Fetcher
	found []sport.ID
}

// read reads a record, if there is one and it can be read.
func (x *owners) read(read func(context.Context, []sport.ID), id sport.ID) bool {
	if id != "" {
		read(x.ctx, []sport.ID{id})
	}
	return id != "" && x.fetch.Err() == nil
}

func (x *owners) organization(id sport.ID) {
	if id != "" {
		x.found = append(x.found, id)
	}
}

func (x *owners) competition(id sport.ID) {
	if x.read(x.fetch.Competitions, id) {
		for year := range x.w.Seasons.In(world.Before, id) {
			x.found = append(x.found, x.w.Competitions.At(world.Before, world.SeasonID{ID: id, Season: year}).OrganizationID)
		}
	}
}

// in notes a stored record that may be in no competition.
func (x *owners) in(competition sport.ID) {
	if competition == "" {
		x.found = append(x.found, "")
	}
	x.competition(competition)
}

func (x *owners) team(id sport.ID) {
	if x.read(x.fetch.Teams, id) {
		if t := x.w.Teams.At(world.Before, id); t != nil {
			x.in(t.CompetitionID)
		}
	}
}

func (x *owners) player(id sport.ID) {
	if x.read(x.fetch.Players, id) {
		if p := x.w.Players.At(world.Before, id); p != nil {
			x.team(p.TeamID)
		}
	}
}

func (x *owners) match(id sport.ID) {
	if x.read(x.fetch.Matches, id) {
		if m := x.w.Matches.At(world.Before, id); m != nil {
			x.in(m.CompetitionID)
		}
	}
}

// below reports whether an organization is another one, or below it.
func (x *owners) below(id, top sport.ID) (bool, error) {
	for range maxHeight {
		if id == top {
			return true, nil
		}
		if !x.read(x.fetch.Organizations, id) {
			return false, x.fetch.Err()
		}
		o := x.w.Organizations.At(world.Before, id)
		if o == nil {
			return false, nil
		}
		id = o.ParentID
	}
	return false, nil
}
