package loader

import (
	"context"
	"maps"
	"slices"

	"touchline/shared/sport"
)

func (s *spread) fromOrganizations(ctx context.Context) error {
	w := s.world
	changed := slices.Collect(maps.Keys(w.organizations.changed))
	s.organizations.add(changed...)
	parents := set[sport.ID]{}
	retitled := set[sport.ID]{}
	for _, id := range changed {
		was, is := w.organizations.at(before, id), w.organizations.at(after, id)
		for _, o := range []*organization{was, is} {
			if o != nil {
				parents.add(o.Parents()...)
			}
		}
		switch {
		case was == nil || is == nil || was.Visibility != is.Visibility || was.Type != is.Type ||
			!slices.Equal(was.Parents(), is.Parents()):
			s.moved.add(id)
		case was.Name != is.Name:
			retitled.add(id)
			s.retitled.add(id)
		case was.Logo != is.Logo:
			s.retitled.add(id)
		}
	}
	if err := s.descend(ctx, retitled, treeLevels-1, func(id sport.ID) { s.organizations.add(id) }); err != nil {
		return err
	}
	if err := s.descend(ctx, maps.Clone(s.moved), -1, func(id sport.ID) { s.moved.add(id) }); err != nil {
		return err
	}
	s.organizations.add(s.moved.keys()...)
	if err := s.fetch.withAncestors(ctx, append(s.organizations.keys(), parents.keys()...)); err != nil {
		return err
	}
	if err := s.fetch.childrenOf(ctx, append(s.moved.keys(), parents.keys()...)); err != nil {
		return err
	}
	s.reowned.add(s.moved.keys()...)
	if err := s.fetch.organizations(ctx, s.childrenKnown(parents)); err != nil {
		return err
	}
	s.resettle(parents)
	return s.fetch.ownedBy(ctx, append(s.reowned.keys(), s.retitled.keys()...))
}

// descend calls visit for everything below the given organizations in either
// view, so many levels deep; negative: to the bottom.
func (s *spread) descend(ctx context.Context, from set[sport.ID], levels int, visit func(sport.ID)) error {
	seen := set[sport.ID]{}
	for level := 0; len(from) > 0 && level != levels; level++ {
		if err := s.fetch.childrenOf(ctx, from.keys()); err != nil {
			return err
		}
		next := set[sport.ID]{}
		for id := range from {
			s.world.children.both(id, func(child sport.ID) {
				if _, twice := seen[child]; !twice {
					seen.add(child)
					next.add(child)
					visit(child)
				}
			})
		}
		from = next
	}
	return nil
}

func (s *spread) childrenKnown(parents set[sport.ID]) []sport.ID {
	children := set[sport.ID]{}
	for p := range parents {
		s.world.children.both(p, func(child sport.ID) { children.add(child) })
	}
	return children.keys()
}

// resettle computes anew, in the view after, what the hierarchy decides: the
// reach and ranges of what moved, from the top down, and whether a parent of
// what changed is still, or now, a leaf.
func (s *spread) resettle(parents set[sport.ID]) {
	w := s.world
	done := set[sport.ID]{}
	var settle func(id sport.ID)
	settle = func(id sport.ID) {
		o := w.organizations.at(after, id)
		if _, twice := done[id]; twice || o == nil {
			return
		}
		done.add(id)
		for _, p := range o.Parents() {
			if _, ok := s.moved[p]; ok {
				settle(p)
			}
		}
		renewed := *o
		renewed.reach = w.reach(after, o)
		renewed.leaf = w.isLeaf(after, id)
		w.organizations.changed[id] = &renewed
		renewed.cross = w.crossRanges(after, renewed.reach)
	}
	for id := range s.moved {
		settle(id)
	}
	for id := range parents {
		o := w.organizations.at(after, id)
		if o == nil {
			continue
		}
		if leaf := w.isLeaf(after, id); leaf != o.leaf {
			renewed := *o
			renewed.leaf = leaf
			w.organizations.changed[id] = &renewed
			s.organizations.add(id)
			s.reowned.add(id)
		}
	}
}
