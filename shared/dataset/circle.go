package dataset

import (
	"slices"
	"strings"

	"touchline/shared/sport"
)

// An organization above itself would be in no tree and in every scope, so the
// hierarchy must be free of circles, over primary and additional parents.

// circles returns a fault for each record of an organization that closes a circle
// within the set. Once the records at fault are dropped, another call finds further
// circles, if any are left.
func (s *Set) circles() []Fault {
	c := &circles{set: s, mark: map[sport.ID]mark{}}
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
	mark    map[sport.ID]mark
	path    []sport.ID
	faults  []Fault
}

func (c *circles) climb(id sport.ID) {
	c.mark[id] = onPath
	c.path = append(c.path, id)
	if rec := c.records[id]; rec != nil {
		for _, parent := range rec.Value.Parents() { // of a deletion: none
			switch c.mark[parent] {
			case onPath:
				c.closed(c.path[slices.Index(c.path, parent):])
			case 0:
				c.climb(parent)
			}
		}
	}
	c.path = c.path[:len(c.path)-1]
	c.mark[id] = done
}

// closed reports a circle at its last record; from there on up the path, and back to
// its beginning, it reads child, parent, and so on.
func (c *circles) closed(circle []sport.ID) {
	rec, parent := c.records[circle[len(circle)-1]], circle[0]
	f := Fault{File: rec.Origin.File, Line: rec.Origin.Line, Field: "parentId", Message: c.message(circle)}
	if rec.Value.ParentID != parent {
		f.Field = Reference{list: "additionalParentIds", index: slices.Index(rec.Value.AdditionalParentIDs, parent)}.Field()
	}
	c.faults = append(c.faults, f)
}

// message names the organizations of a circle.
func (c *circles) message(circle []sport.ID) string {
	const most = 10
	names := []string{}
	for _, id := range circle[:min(len(circle), most)] {
		names = append(names, Quoted(sport.KindOrganization, c.set.Given(id)))
	}
	if len(circle) > most {
		names = append(names, "…")
	}
	return "makes a circle of parents: " + strings.Join(names, ", ")
}

// dropCircles removes from the set the records that close circles within it.
func (s *Set) dropCircles(report func(Fault)) {
	for faults := s.circles(); len(faults) > 0; faults = s.circles() {
		for _, f := range faults {
			report(f)
		}
		s.Drop(faults)
	}
}
