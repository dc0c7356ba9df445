package organizations

import (
	"context"

	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// children is the family of the organizations of a type: the children of one,
// or all below it.
func children(t sport.OrganizationType, sort route.Sort, status sport.Status) family {
	by, variant := orderOf(sort), records.Variant(status)
	return family{
		direct: func(id sport.ID) string { return records.ChildrenList(t, id, by, variant) },
		below:  func(r records.Range) string { return records.OrganizationsBelow(t, r, by, variant) },
		within: func(id, other sport.ID) string { return records.ChildrenWithin(t, id, other, by, variant) },
	}
}

// associations is /v1/{alias}/{id}/associations.
func (e Endpoints) associations(ctx context.Context, call route.Call, p associationsParams) (route.List[wire.Organization], error) {
	return e.organizations(ctx, call, children(sport.Association, p.Sort, p.Status), filters{}, p.listParams)
}

// clubs is /v1/{alias}/{id}/clubs.
func (e Endpoints) clubs(ctx context.Context, call route.Call, p clubsParams) (route.List[wire.Organization], error) {
	return e.organizations(ctx, call, children(sport.Club, p.Sort, p.Status), filters{association: p.AssociationID}, p.listParams)
}

func (e Endpoints) organizations(ctx context.Context, call route.Call, f family, by filters, p listParams) (route.List[wire.Organization], error) {
	guesses := e.guess(f, call, p, by.association)
	if by.association != "" && !p.IncludeDescendants {
		guesses = append(guesses, p.guess(f.within(sport.ID(call.ID), sport.ID(by.association))))
	}
	q, err := e.askList(ctx, call, by, p.IncludeDescendants, guesses...)
	if err != nil {
		return route.List[wire.Organization]{}, err
	}
	s := q.children(f)
	if q.alone() {
		s.list = "" // D20
	}
	page, total, err := readPage(ctx, q, records.OrganizationKind(nil), s, p)
	if err != nil {
		return route.List[wire.Organization]{}, err
	}
	items := make([]wire.Organization, 0, len(page))
	for i := range page {
		items = append(items, q.show(&page[i]))
	}
	return route.NewList(items, p.Paging, total), nil
}

// children selects the organizations. The children of one, narrowed by an
// association that it is not below, are those below the association as well.
func (q *question) children(f family) selection[records.Organization] {
	if q.deep || q.association == nil || within(q.organization, q.association) {
		return selection[records.Organization]{list: q.list(f, q.association)}
	}
	return selection[records.Organization]{list: f.within(q.organization.ID, q.association.ID)}
}
