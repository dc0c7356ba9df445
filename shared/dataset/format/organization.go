package format

import (
	"fmt"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// maxDescription bounds a description (D47), in characters after NFC.
const maxDescription = 2000

// maxParents bounds additionalParentIds (D47).
const maxParents = 16

// Values that several kinds have.
var (
	season     = jsonl.Integer(1850, 2200) // the year in which it starts (D33, D47)
	gender     = jsonl.OneOf(sport.Genders())
	status     = jsonl.Default(jsonl.OneOf(sport.Statuses()), sport.Active)
	visibility = jsonl.Default(jsonl.OneOf(sport.Visibilities()), sport.Public)
)

type organizationRecord = dataset.Record[sport.Organization]

// organizationFields is the record of organizations.ndjson.
var organizationFields = []jsonl.Field[organizationRecord]{
	jsonl.ID("id", sport.KindOrganization, func(r *organizationRecord) (*sport.ID, *string) { return &r.ID, &r.Key }),
	jsonl.Required("type", jsonl.OneOf(sport.OrganizationTypes()), func(r *organizationRecord) *sport.OrganizationType { return &r.Value.Type }),
	jsonl.Required("name", jsonl.Text(jsonl.MaxName), func(r *organizationRecord) *string { return &r.Value.Name }),
	jsonl.Optional("logo", jsonl.URL(), func(r *organizationRecord) *string { return &r.Value.Logo }),
	jsonl.Optional("parentId", jsonl.Ref(sport.KindOrganization), func(r *organizationRecord) *sport.ID { return &r.Value.ParentID }),
	jsonl.Optional("additionalParentIds", jsonl.ListOf(maxParents, jsonl.Ref(sport.KindOrganization), nil),
		func(r *organizationRecord) *[]sport.ID { return &r.Value.AdditionalParentIDs }),
	jsonl.Optional("description", jsonl.String(func(l *jsonl.Line) string { return l.Prose(maxDescription) }), func(r *organizationRecord) *string { return &r.Value.Description }),
	jsonl.Optional("season", season, func(r *organizationRecord) *int { return &r.Value.Season }),
	jsonl.Optional("status", status, func(r *organizationRecord) *sport.Status { return &r.Value.Status }),
	jsonl.Optional("visibility", visibility, func(r *organizationRecord) *sport.Visibility { return &r.Value.Visibility }),
	jsonl.Optional("plan", jsonl.Default(jsonl.OneOf(sport.Plans()), sport.PlanPro), func(r *organizationRecord) *sport.Plan { return &r.Value.Plan }),
	jsonl.Deletion("deleted", func(r *organizationRecord) *bool { return &r.Deleted }),
	jsonl.Deletion("erase", func(r *organizationRecord) *bool { return &r.Erased }),
}

func readOrganization(r *reader) {
	l := r.line
	rec := &organizationRecord{Origin: l.Origin()}
	rec.Value.Status, rec.Value.Plan = sport.Active, sport.PlanPro
	jsonl.ReadRecord(l, organizationFields, rec, &rec.Deleted)
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
	enterID(r, rec, &rec.Value.ID)
}
