package world

import (
	"slices"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Guests of a team, each with descendants or without.
func (w *World) Guests(v View, t *Team) records.Scope {
	c := w.Competitions.At(v, t.SeasonID())
	if t.CompetitionID == "" || c == nil || !c.Public() {
		return records.Scope{}
	}
	host := w.Organizations.At(v, c.OrganizationID).OwnerScope()
	owner := w.Organizations.At(v, t.OrganizationID).OwnerScope()
	return records.Scope{Owners: without(host.Owners, owner.Owners), Reach: without(host.Reach, owner.Reach)}
}

func without(ids, others records.IDs) records.IDs {
	return slices.DeleteFunc(slices.Clone(ids), func(id sport.ID) bool { return slices.Contains(others, id) })
}
