package data

import (
	"cmp"
	"context"
	"slices"
	"time"

	"touchline/shared/keys"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// maxHeight bounds the climb from an organization: a hierarchy has few levels.
const maxHeight = 16

// The organizations from which those at the top are looked for, and how long what was found
// holds: 1,000 are read in half a second.
const (
	mostLooked = 1000
	topsHold   = time.Minute
)

// tops are the organizations at the top of the hierarchy, by name. They are found from
// below, a level of all of them at a time: once a minute from those with keys, and from the
// first that the table names.
func (s *Source) tops(ctx context.Context) ([]*records.OrganizationRecord, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from := slices.Clone(s.above)
	if now := s.Now(); len(from) == 0 || now.After(s.until) {
		list, err := s.Keys.List(ctx)
		if err != nil {
			return nil, err
		}
		first, _, err := pagedlist.Read(ctx, s.get, records.IDSchema(), pagedlist.Request[records.IDEntry]{
			List: string(records.Everything(sport.KindOrganization)), WithHidden: true, Limit: mostLooked,
		})
		if err != nil {
			return nil, err
		}
		from = slices.Clone(keys.Organizations(list))
		for _, e := range first {
			from = append(from, e.ID)
		}
		s.until = now.Add(topsHold)
	}
	var tops []*records.OrganizationRecord
	seen := map[sport.ID]bool{}
	for range maxHeight {
		var wanted []store.Key
		for _, id := range from {
			if !seen[id] {
				seen[id] = true
				wanted = append(wanted, records.OrganizationKey(id))
			}
		}
		if wanted == nil {
			break
		}
		items, err := s.Sports.BatchGet(ctx, wanted, false)
		if err != nil {
			return nil, err
		}
		from = nil
		for _, item := range items {
			o, err := store.Decode[records.OrganizationRecord](item)
			if err != nil {
				return nil, err
			}
			if o.ParentID == "" {
				tops = append(tops, o)
			} else {
				from = append(from, o.ParentID)
			}
		}
	}
	slices.SortFunc(tops, func(a, b *records.OrganizationRecord) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	s.above = nil
	for _, top := range tops {
		s.above = append(s.above, top.ID)
	}
	return tops, nil
}

// Changed has the tops looked for again, after a load.
func (s *Source) Changed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.above = nil
}

// get reads the items of a list.
func (s *Source) get(ctx context.Context, keys []store.Key, _ bool) (map[store.Key]store.Item, error) {
	return s.Sports.BatchGet(ctx, keys, false)
}
