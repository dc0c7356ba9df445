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

// circles returns a fault for each record that closes a circle. Once these are dropped,
// another call finds further circles, if any are left.
func (s *Set) circles() (faults []Fault) {
	records := make(map[sport.ID]*organizationRecord, len(s.Organizations))
	for _, rec := range s.Organizations {
		records[rec.ID] = rec
	}
	onPath := make(map[sport.ID]bool, len(records)) // of those that were visited
	var path []sport.ID                             // from an organization up
	var climb func(id sport.ID)
	climb = func(id sport.ID) {
		rec := records[id]
		if _, visited := onPath[id]; rec == nil || visited {
			return
		}
		onPath[id] = true
		path = append(path, id)
		for _, parent := range rec.Value.Parents() { // of a deletion: none
			if onPath[parent] {
				faults = append(faults, s.circle(rec, path[slices.Index(path, parent):]))
			} else {
				climb(parent)
			}
		}
		path = path[:len(path)-1]
		onPath[id] = false
	}
	for _, rec := range s.Organizations {
		climb(rec.ID)
	}
	return faults
}

// circle is the fault of the last record of a circle; from there on up the path, and back
// to its beginning, it reads child, parent, and so on.
func (s *Set) circle(last *organizationRecord, circle []sport.ID) Fault {
	const most = 10
	names := []string{}
	for _, id := range circle[:min(len(circle), most)] {
		names = append(names, Quoted(sport.KindOrganization, s.Given(id)))
	}
	if len(circle) > most {
		names = append(names, "…")
	}
	f := Fault{File: last.Origin.File, Line: last.Origin.Line, Field: "parentId", Message: "makes a circle of parents: " + strings.Join(names, ", ")}
	if last.Value.ParentID != circle[0] {
		f.Field = Reference{list: "additionalParentIds", index: slices.Index(last.Value.AdditionalParentIDs, circle[0])}.Field()
	}
	return f
}
