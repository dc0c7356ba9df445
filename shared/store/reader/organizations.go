package reader

import (
	"context"

	"touchline/shared/problem"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// An organization's lists go in the steps of D1:
//
//   - search.go finds who is addressed, and what the list is filtered by (404);
//   - page.go counts over how many organizations it ranges (422);
//   - page.go and a file per list choose the prepared list that holds the page.
//
// Most requests have a list of their own in the Sports table, and nearly always the
// request alone tells which. So a page takes two round trips: the first reads the
// records and the head of the list, the second the page.

// OrganizationQuery says which organization is addressed and what of it is
// wanted. Filters only narrow, each by itself, and all of them hold for every
// item (read-api, Endpoint rules 5; D21). Ids are as sent, empty where not sent.
type OrganizationQuery struct {
	ID          string
	Type        sport.OrganizationType // the one that ID must have; empty: any
	Descendants bool                   // includeDescendants

	Association, Club, Competition, Team string

	ByName, Reverse bool // the order of a list, else by id, ascending (D15)
	Offset, Limit   int
}

func (q *OrganizationQuery) order() records.Order {
	if q.ByName {
		return records.ByName
	}
	return records.ByID
}

// Organization returns an organization. One below the key's own needs
// Descendants (D20).
func (r *Reader) Organization(ctx context.Context, v sport.Viewer, q OrganizationQuery) (*records.Organization, error) {
	x, err := r.single(ctx, v, q)
	if err != nil {
		return nil, err
	}
	return &x.organization.Organization, nil
}

func (r *Reader) single(ctx context.Context, v sport.Viewer, q OrganizationQuery, ahead ...store.Key) (*search, error) {
	x, err := r.search(ctx, v, q, ahead...)
	if err != nil {
		return nil, err
	}
	if x.organization.ID != v.Organization && !q.Descendants {
		return nil, problem.Missed(problem.MissingID)
	}
	return x, nil
}

// Tree is an organization and what is below it, breadth first and in name order.
type Tree struct {
	Root      *records.Organization
	Below     []records.TreeNode
	Truncated bool // cut to the nodes that come first (D23, D48)
}

// Tree returns up to depth levels below an organization, of nodes in all, the
// root included. The list of a tree is breadth first, so that its beginning holds
// the nodes nearest the root, and of each level those that come first (D23).
func (r *Reader) Tree(ctx context.Context, v sport.Viewer, q OrganizationQuery, depth, nodes int) (Tree, error) {
	x, err := r.single(ctx, v, q, headOf(records.TreeList(sport.ID(q.ID))))
	if err != nil {
		return Tree{}, err
	}
	t := Tree{Root: &x.organization.Organization}
	if !v.Descendants {
		return t, nil // the scope ends with the key's own organization (D20)
	}
	below := listed(records.TreeList(x.organization.ID), records.TreeSchema(), pagedlist.Request[records.TreeNode]{
		Limit: nodes - 1, Match: records.ByFacet(func(f records.Facet) bool { return f.Level <= depth }),
	})
	err = x.read(ctx, below)
	t.Below, t.Truncated = below.Entries, below.Total > nodes-1
	t.cut(records.MaxResponse)
	return t, err
}

// cut keeps the nodes that come first, as many as fit into a response.
func (t *Tree) cut(bytes int) {
	n := t.Root.ResponseBytes()
	for i := range t.Below {
		if n += t.Below[i].ResponseBytes(); n > bytes {
			t.Below, t.Truncated = t.Below[:i], true
			return
		}
	}
}

// Organizations returns a page of the organizations of a type, children of the
// addressed one or everything below it; status empty: any.
func (r *Reader) Organizations(ctx context.Context, v sport.Viewer, q OrganizationQuery, t sport.OrganizationType, status sport.Status) (Page[records.Organization], error) {
	order, variant := q.order(), records.Variant(status)
	f := family[records.Organization]{
		direct: func(id sport.ID) records.List[records.Organization] {
			return records.ChildrenList(t, id, order, variant)
		},
		below: func(r records.Range) records.List[records.Organization] {
			return records.OrganizationsBelow(t, r, order, variant)
		},
	}
	within := func(id, other sport.ID) records.List[records.Organization] {
		return records.ChildrenWithin(t, id, other, order, variant)
	}
	ahead := guess(r, f, v, q, q.Association)
	if q.Association != "" && !q.Descendants {
		ahead = append(ahead, headOf(within(sport.ID(q.ID), sport.ID(q.Association))))
	}
	x, err := r.searchList(ctx, v, q, ahead...)
	if err != nil {
		return Page[records.Organization]{}, err
	}
	s := selection[records.Organization]{schema: records.OrganizationSchema(nil)}
	switch {
	case !v.Descendants: // D20: on no list
	case q.Descendants || x.association == nil || isWithin(x.organization, x.association):
		s.list = listOf(x, f, x.association)
	default:
		// Those of the children that are below the association as well.
		s.list = within(x.organization.ID, x.association.ID)
	}
	return readPage(ctx, x, s)
}

// Teams returns a page of the team entries that the addressed organization, or
// with Descendants any below it, owns; season 0 and status empty: any.
func (r *Reader) Teams(ctx context.Context, v sport.Viewer, q OrganizationQuery, season int, status sport.Status) (Page[records.TeamEntry], error) {
	f := familyOf(records.Teams, q, q.Competition, records.Variant(status))
	x, err := r.searchList(ctx, v, q, guess(r, f, v, q, q.Association, q.Club)...)
	if err != nil {
		return Page[records.TeamEntry]{}, err
	}
	s := selection[records.TeamEntry]{
		schema: records.TeamSchema(nil), list: listOf(x, f, x.association, x.club), match: matchSeason(season, status),
	}
	if x.competition != nil && !q.Descendants && !x.organization.Leaf {
		s.where = x.owns
	}
	return readPage(ctx, x, s)
}

// owns reports whether the addressed organization itself owns a team of its
// span. A hidden one, which only its own key addresses, is not named in what it
// owns (D40).
func (x *search) owns(t records.TeamEntry) bool {
	return t.OrganizationID == x.organization.ID || t.OrganizationID == "" && x.organization.Hidden
}

// matchSeason selects teams and players by the season that their competition is
// in (D17) and by status; nil: by nothing.
func matchSeason(season int, status sport.Status) func(records.Facet) bool {
	if season == 0 && status == "" {
		return nil
	}
	return func(f records.Facet) bool {
		return (season == 0 || f.Season == season) && (status == "" || f.Status == string(status))
	}
}
