package dataset

import (
	"slices"
	"strings"

	"touchline/shared/sport"
)

// An organization above itself would be in no tree and in every scope, so the
// hierarchy must be free of circles, over primary and additional parents.

// Circles returns a fault for each record of an organization that closes a
// circle. stored returns the parents of an organization that is not in the set,
// nil for none. Once the records at fault are dropped, another call finds
// further circles, if any are left. A circle of stored organizations alone is
// not reported.
func (s *Set) Circles(stored func(sport.ID) []sport.ID) []Fault {
	c := &circles{set: s, stored: stored, mark: map[sport.ID]mark{}}
	c.records = make(map[sport.ID]*organizationRecord, len(s.Organizations))
	for _, rec := range s.Organizations {
		c.records[rec.ID] = rec
	}
	for _, rec := range s.Organizations {
		if c.mark[rec.ID] == 0 {
			c.climb(rec.ID)
		}
	}
	return c.faults
}

type mark uint8

const (
	onPath mark = iota + 1
	done
)

// circles climbs from organizations to their parents, depth first.
type circles struct {
	set     *Set
	records map[sport.ID]*organizationRecord
	stored  func(sport.ID) []sport.ID
	mark    map[sport.ID]mark
	path    []sport.ID
	faults  []Fault
}

func (c *circles) climb(id sport.ID) {
	c.mark[id] = onPath
	c.path = append(c.path, id)
	for _, parent := range c.parents(id) {
		switch c.mark[parent] {
		case onPath:
			c.closed(c.path[slices.Index(c.path, parent):])
		case 0:
			c.climb(parent)
		}
	}
	c.path = c.path[:len(c.path)-1]
	c.mark[id] = done
}

func (c *circles) parents(id sport.ID) []sport.ID {
	if rec := c.records[id]; rec != nil {
		return rec.Value.Parents() // of a deletion: none
	}
	if c.stored == nil {
		return nil
	}
	return c.stored(id)
}

// closed reports a circle at its last record in the set; from there on up the
// path, and back to its beginning, it reads child, parent, and so on.
func (c *circles) closed(circle []sport.ID) {
	for i := len(circle) - 1; i >= 0; i-- {
		rec := c.records[circle[i]]
		if rec == nil {
			continue
		}
		parent := circle[(i+1)%len(circle)]
		f := Fault{File: rec.Origin.File, Line: rec.Origin.Line, Field: "parentId", Message: c.message(circle, i)}
		if rec.Value.ParentID != parent {
			f.Field = Reference{list: "additionalParentIds", index: slices.Index(rec.Value.AdditionalParentIDs, parent)}.Field()
		}
		c.faults = append(c.faults, f)
		return
	}
}

// message names the organizations of a circle, beginning above the one at from.
func (c *circles) message(circle []sport.ID, from int) string {
	const most = 10
	names := []string{}
	for i := range circle {
		if i == most {
			names = append(names, "…")
			break
		}
		names = append(names, Quoted(sport.KindOrganization, c.set.Given(circle[(from+1+i)%len(circle)])))
	}
	return "makes a circle of parents: " + strings.Join(names, ", ")
}

// dropCircles removes from the set the records that close circles within it.
func (s *Set) dropCircles(report func(Fault)) {
	for faults := s.Circles(nil); len(faults) > 0; faults = s.Circles(nil) {
		for _, f := range faults {
			report(f)
		}
		s.Drop(faults)
	}
}
