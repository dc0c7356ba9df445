package dataset

import (
	"slices"
	"strings"

	"touchline/shared/sport"
)

// dropCircles removes from the set the organizations that close circles within it. An
// organization above itself would be in no tree and in every scope, so the hierarchy
// must be free of circles, over primary and additional parents.
func (s *Set) dropCircles(report func(Fault)) {
	for faults := s.circles(); len(faults) > 0; faults = s.circles() {
		for _, f := range faults {
			report(f)
		}
		s.Drop(faults)
	}
}

// circles returns a fault for each record that closes a circle.
func (s *Set) circles() (faults []Fault) {
	all, parents := make([]sport.ID, len(s.Organizations)), make(map[sport.ID][]sport.ID, len(s.Organizations))
	for i, rec := range s.Organizations {
		all[i], parents[rec.ID] = rec.ID, rec.Value.Parents() // of a deletion: none
	}
	for _, c := range circlesOf(all, parents) {
		faults = append(faults, s.circle(c))
	}
	return faults
}

// circle is the fault of the last record of a circle.
func (s *Set) circle(circle []sport.ID) Fault {
	const most = 10
	names := []string{}
	for _, id := range circle[:min(len(circle), most)] {
		names = append(names, Quoted(sport.KindOrganization, s.Given(id)))
	}
	if len(circle) > most {
		names = append(names, "…")
	}
	i := slices.IndexFunc(s.Organizations, func(o *Record[sport.Organization]) bool { return o.ID == circle[len(circle)-1] })
	last := s.Organizations[i]
	f := Fault{File: last.Origin.File, Line: last.Origin.Line, Field: "parentId", Message: "makes a circle of parents: " + strings.Join(names, ", ")}
	if last.Value.ParentID != circle[0] {
		f.Field = Reference{list: "additionalParentIds", index: slices.Index(last.Value.AdditionalParentIDs, circle[0])}.Field()
	}
	return f
}

// circlesOf are circles among organizations, given their parents: each from the one that
// the last one's parent is, child, parent, and so on. Once the last of each is gone, another
// call finds further circles, if any are left.
func circlesOf(organizations []sport.ID, parents map[sport.ID][]sport.ID) (circles [][]sport.ID) {
	onPath := make(map[sport.ID]bool, len(organizations)) // of those that were visited
	var path []sport.ID                                   // from an organization up
	var climb func(id sport.ID)
	climb = func(id sport.ID) {
		if _, visited := onPath[id]; visited {
			return
		}
		onPath[id] = true
		path = append(path, id)
		for _, parent := range parents[id] {
			if onPath[parent] {
				circles = append(circles, slices.Clone(path[slices.Index(path, parent):]))
			} else {
				climb(parent)
			}
		}
		path = path[:len(path)-1]
		onPath[id] = false
	}
	for _, id := range organizations {
		climb(id)
	}
	return circles
}
