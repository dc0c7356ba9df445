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
	first, _, err := pagedlist.Read(ctx, s.get, records.IDSchema(), pagedlist.Request[records.IDEntry]{
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
	if err := s.climb(ctx, from, views); err != nil {
		return nil, err
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

// climb notes the names of the organizations that are looked for, and the tops above
// them. It goes up a level of all of them at a time.
func (s *Source) climb(ctx context.Context, from []sport.ID, views map[sport.ID]*Viewpoint) error {
	seen := map[sport.ID]bool{}
	for range maxHeight {
		var keys []store.Key
		for _, id := range from {
			if !seen[id] {
				seen[id] = true
				keys = append(keys, records.OrganizationKey(id))
			}
		}
		if len(keys) == 0 {
			return nil
		}
		items, err := s.Sports.BatchGet(ctx, keys, false)
		if err != nil {
			return err
		}
		from = from[:0]
		for _, item := range items {
			o, err := store.Decode[records.OrganizationRecord](item)
			if err != nil {
				return err
			}
			if o.ParentID != "" {
				from = append(from, o.ParentID)
			} else if views[o.ID] == nil {
				views[o.ID] = &Viewpoint{ID: o.ID}
			}
			if v := views[o.ID]; v != nil {
				v.Name, v.Top = o.Name, o.ParentID == ""
			}
		}
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
