package dataset

import (
	"fmt"
	"slices"

	"touchline/shared/sport"
)

// maxParents bounds additionalParentIds (D47).
const maxParents = 16

type organizationRecord = Record[sport.Organization]

// organizationFields is the record of organizations.ndjson.
var organizationFields = []field[organizationRecord]{
	{"id", identifying, func(l *line, r *organizationRecord) { r.ID, r.Key = l.id(sport.KindOrganization) }},
	{"type", required, func(l *line, r *organizationRecord) { r.Value.Type = enum(l, organizationTypes) }},
	{"name", required, func(l *line, r *organizationRecord) { r.Value.Name = l.text(maxName) }},
	{"logo", optional, func(l *line, r *organizationRecord) { r.Value.Logo = l.url() }},
	{"parentId", optional, func(l *line, r *organizationRecord) { r.Value.ParentID = l.ref(sport.KindOrganization) }},
	{"additionalParentIds", optional, func(l *line, r *organizationRecord) {
		list(l, maxParents, func(int) {
			r.Value.AdditionalParentIDs = append(r.Value.AdditionalParentIDs, l.ref(sport.KindOrganization))
		})
	}},
	{"description", optional, func(l *line, r *organizationRecord) { r.Value.Description = l.prose(maxDescription) }},
	{"season", optional, func(l *line, r *organizationRecord) { r.Value.Season = l.season() }},
	{"status", optional, func(l *line, r *organizationRecord) { r.Value.Status = enum(l, statuses) }},
	{"visibility", optional, func(l *line, r *organizationRecord) { r.Value.Visibility = enum(l, visibilities) }},
	{"plan", optional, func(l *line, r *organizationRecord) { r.Value.Plan = enum(l, plans) }},
	{"deleted", deletion, func(l *line, r *organizationRecord) { r.Deleted = l.truth() }},
}

func readOrganization(r *reader) {
	l := &r.line
	rec := &organizationRecord{Origin: l.origin}
	rec.Value.Status, rec.Value.Visibility, rec.Value.Plan = sport.Active, sport.Public, sport.PlanPro
	record(l, organizationFields, rec, &rec.Deleted)
	o := &rec.Value
	if o.ParentID != "" && o.ParentID == rec.ID {
		l.fault("parentId", "is the organization itself")
	}
	parents := o.AdditionalParentIDs
	o.AdditionalParentIDs = nil
	for i, id := range parents {
		switch {
		case id == "":
		case id == rec.ID:
			l.fault(fmt.Sprintf("additionalParentIds[%d]", i), "is the organization itself")
		case id != o.ParentID && !slices.Contains(o.AdditionalParentIDs, id):
			o.AdditionalParentIDs = append(o.AdditionalParentIDs, id)
		}
	}
	if rec.Deleted {
		rec.Value = sport.Organization{}
	}
	rec.Value.ID = rec.ID
	who := identity{kind: organizations, id: binaryOf(rec.ID)}
	r.claim(who, sport.KindOrganization, rec.ID)
	enter(r, &r.set.Organizations, rec, who)
}
