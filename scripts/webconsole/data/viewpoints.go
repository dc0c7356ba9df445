package data

import (
	"cmp"
	"context"
	"slices"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// Viewpoint is an organization as whose key the data may be looked at.
type Viewpoint struct {
	ID   sport.ID
	Name string
	Keys int // that belong to it
	Top  bool
}

// Viewpoints are the organizations at the top of the hierarchy, and those that
// have keys. An organization at the top is found from below: from those with
// keys, and from the first that the table names.
func (s *Source) Viewpoints(ctx context.Context) ([]Viewpoint, error) {
	list, err := s.Keys.List(ctx)
	if err != nil {
		return nil, err
	}
	first, _, err := pagedlist.Read(ctx, s.get, records.IDKind(), pagedlist.Request[records.IDEntry]{
		List: string(records.Everything(sport.KindOrganization)), WithHidden: true, Limit: 1,
	})
	if err != nil {
		return nil, err
	}
	views := map[sport.ID]*Viewpoint{}
	var from []sport.ID
	for _, e := range first {
		from = append(from, e.ID)
	}
	for _, k := range list {
		from = append(from, k.Organization)
		if views[k.Organization] == nil {
			views[k.Organization] = &Viewpoint{ID: k.Organization}
		}
		views[k.Organization].Keys++
	}
	for _, id := range from {
		if err := s.climb(ctx, id, views); err != nil {
			return nil, err
		}
	}
	var out []Viewpoint
	for _, v := range views {
		if v.Name != "" {
			out = append(out, *v)
		}
	}
	slices.SortFunc(out, compareViews)
	return out, nil
}

// maxHeight bounds the climb from an organization: a hierarchy has few levels.
const maxHeight = 16

// climb notes the name of an organization that is looked for, and the top above
// it.
func (s *Source) climb(ctx context.Context, id sport.ID, views map[sport.ID]*Viewpoint) error {
	for range maxHeight {
		item, err := s.Sports.Get(ctx, records.OrganizationKey(id), false)
		if err != nil || item == nil {
			return err
		}
		o, err := store.Decode[records.OrganizationRecord](item)
		if err != nil {
			return err
		}
		if v := views[id]; v != nil {
			if v.Name = o.Name; v.Top {
				return nil
			}
			v.Top = o.ParentID == ""
		}
		if o.ParentID == "" {
			if views[id] == nil {
				views[id] = &Viewpoint{ID: id, Name: o.Name, Top: true}
			}
			return nil
		}
		id = o.ParentID
	}
	return nil
}

// get reads the items of a list.
func (s *Source) get(ctx context.Context, keys []store.Key, _ bool) (map[store.Key]store.Item, error) {
	return s.Sports.BatchGet(ctx, keys, true)
}

// compareViews puts the tops first, then by name.
func compareViews(a, b Viewpoint) int {
	if a.Top != b.Top {
		if a.Top {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
}
