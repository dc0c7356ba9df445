package affected

import (
	"context"
	"maps"
	"slices"

	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

func (s *finder) fromOrganizations(ctx context.Context) {
	w := s.world
	changed := w.Organizations.Changes()
	s.Organizations.Add(changed...)
	var parents, retitled world.Set[sport.ID]
	for _, id := range changed {
		was, is := w.Organizations.At(world.Before, id), w.Organizations.At(world.After, id)
		for o := range w.Organizations.Both(id) {
			parents.Add(o.Parents()...)
		}
		switch {
		case was == nil || is == nil || was.Visibility != is.Visibility || was.Type != is.Type ||
			!slices.Equal(was.Parents(), is.Parents()):
			s.moved.Add(id)
		case was.Name != is.Name:
			retitled.Add(id)
			s.teamsOf.Add(id)
		case was.Logo != is.Logo:
			s.teamsOf.Add(id)
		}
	}
	s.descend(ctx, retitled, world.TreeLevels-1, func(id sport.ID) { s.Organizations.Add(id) })
	s.descend(ctx, maps.Clone(s.moved), -1, func(id sport.ID) { s.moved.Add(id) })
	s.Organizations.Add(s.moved.Keys()...)
	s.fetch.WithAncestors(ctx, append(s.Organizations.Keys(), parents.Keys()...))
	s.fetch.ChildrenOf(ctx, append(s.moved.Keys(), parents.Keys()...))
	s.ownedBy.Add(s.moved.Keys()...)
	s.fetch.Organizations(ctx, slices.Collect(w.Children.Both(parents.Keys()...)))
	s.updateHierarchy(parents)
	s.fetch.OwnedBy(ctx, append(s.ownedBy.Keys(), s.teamsOf.Keys()...))
}

// descend calls visit for everything below the given organizations in either
// view, so many levels deep; negative: to the bottom.
func (s *finder) descend(ctx context.Context, from world.Set[sport.ID], levels int, visit func(sport.ID)) {
	var seen world.Set[sport.ID]
	for level := 0; len(from) > 0 && level != levels; level++ {
		s.fetch.ChildrenOf(ctx, from.Keys())
		var next world.Set[sport.ID]
		for id := range from {
			for child := range s.world.Children.Both(id) {
				if !seen.Has(child) {
					seen.Add(child)
					next.Add(child)
					visit(child)
				}
			}
		}
		from = next
	}
}

// updateHierarchy computes again, in the view after, what depends on the
// hierarchy: the reach and ranges of what moved, from the top down, and whether
// a parent of what changed is a leaf.
func (s *finder) updateHierarchy(parents world.Set[sport.ID]) {
	w := s.world
	var done world.Set[sport.ID]
	var settle func(id sport.ID)
	settle = func(id sport.ID) {
		o := w.Organizations.At(world.After, id)
		if o == nil || done.Has(id) {
			return
		}
		done.Add(id)
		for _, p := range o.Parents() {
			if s.moved.Has(p) {
				settle(p)
			}
		}
		renewed := *o
		renewed.Reach = w.Reach(world.After, o)
		renewed.Leaf = w.IsLeaf(world.After, id)
		renewed.Unseen = w.Unseen(world.After, o)
		w.Organizations.Change(id, &renewed)
		renewed.Cross = w.CrossRanges(world.After, renewed.Reach)
	}
	for id := range s.moved {
		settle(id)
	}
	for id := range parents {
		o := w.Organizations.At(world.After, id)
		if o == nil {
			continue
		}
		if leaf := w.IsLeaf(world.After, id); leaf != o.Leaf {
			renewed := *o
			renewed.Leaf = leaf
			w.Organizations.Change(id, &renewed)
			s.Organizations.Add(id)
			s.ownedBy.Add(id)
		}
	}
}
