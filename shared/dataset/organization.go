package dataset

import (
	"fmt"
	"slices"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/ids"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// maxDescription bounds a description (D47), in characters after NFC.
const maxDescription = 2000

// maxParents bounds additionalParentIds (D47).
const maxParents = 16

// season reads a season: the year in which it starts (D33, D47).
func season(l *jsonl.Line) int { return l.Integer(1850, 2200) }

type organizationRecord = Record[sport.Organization]

// organizationFields is the record of organizations.ndjson.
var organizationFields = []jsonl.Field[organizationRecord]{
	jsonl.Identifying("id", func(l *jsonl.Line, r *organizationRecord) { r.ID, r.Key = l.ID(sport.KindOrganization) }),
	jsonl.Required("type", func(l *jsonl.Line, r *organizationRecord) { r.Value.Type = jsonl.Enum(l, organizationTypes) }),
	jsonl.Required("name", func(l *jsonl.Line, r *organizationRecord) { r.Value.Name = l.Text(jsonl.MaxName) }),
	jsonl.Optional("logo", func(l *jsonl.Line, r *organizationRecord) { r.Value.Logo = l.URL() }),
	jsonl.Optional("parentId", func(l *jsonl.Line, r *organizationRecord) { r.Value.ParentID = l.Ref(sport.KindOrganization) }),
	jsonl.Optional("additionalParentIds", func(l *jsonl.Line, r *organizationRecord) {
		l.List(maxParents, func(int) {
			r.Value.AdditionalParentIDs = append(r.Value.AdditionalParentIDs, l.Ref(sport.KindOrganization))
		})
	}),
	jsonl.Optional("description", func(l *jsonl.Line, r *organizationRecord) { r.Value.Description = l.Prose(maxDescription) }),
	jsonl.Optional("season", func(l *jsonl.Line, r *organizationRecord) { r.Value.Season = season(l) }),
	jsonl.Optional("status", func(l *jsonl.Line, r *organizationRecord) { r.Value.Status = jsonl.Enum(l, statuses) }),
	jsonl.Optional("visibility", func(l *jsonl.Line, r *organizationRecord) { r.Value.Visibility = jsonl.Enum(l, visibilities) }),
	jsonl.Optional("plan", func(l *jsonl.Line, r *organizationRecord) { r.Value.Plan = jsonl.Enum(l, plans) }),
	jsonl.Deletion("deleted", func(l *jsonl.Line, r *organizationRecord) { r.Deleted = l.Bool() }),
	jsonl.Deletion("erase", func(l *jsonl.Line, r *organizationRecord) { r.erase(l) }),
}

func readOrganization(r *reader) {
	l := r.line
	rec := &organizationRecord{Origin: l.Origin()}
	rec.Value.Status, rec.Value.Visibility, rec.Value.Plan = sport.Active, sport.Public, sport.PlanPro
	jsonl.Record(l, organizationFields, rec, &rec.Deleted)
	o := &rec.Value
	if o.ParentID != "" && o.ParentID == rec.ID {
		l.Fault("parentId", "is the organization itself")
	}
	parents := o.AdditionalParentIDs
	o.AdditionalParentIDs = nil
	for i, id := range parents {
		switch {
		case id == "":
		case id == rec.ID:
			l.Fault(fmt.Sprintf("additionalParentIds[%d]", i), "is the organization itself")
		case id != o.ParentID && !slices.Contains(o.AdditionalParentIDs, id):
			o.AdditionalParentIDs = append(o.AdditionalParentIDs, id)
		}
	}
	if rec.Deleted {
		rec.Value = sport.Organization{}
	}
	rec.Value.ID = rec.ID
	who := identity{Kind: files.Organizations, ID: ids.Pack(rec.ID)}
	r.claim(who, sport.KindOrganization, rec.ID)
	enter(r, (*list[sport.Organization])(&r.set.Organizations), rec, who)
}
