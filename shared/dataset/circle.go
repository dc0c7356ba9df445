package dataset

import (
	"slices"
	"strings"

	"touchline/shared/dataset/circles"
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
	for _, c := range circles.Find(all, func(id sport.ID) []sport.ID { return parents[id] }) {
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
	i := slices.IndexFunc(s.Organizations, func(o *organizationRecord) bool { return o.ID == circle[len(circle)-1] })
	last := s.Organizations[i]
	f := Fault{File: last.Origin.File, Line: last.Origin.Line, Field: "parentId", Message: "makes a circle of parents: " + strings.Join(names, ", ")}
	if last.Value.ParentID != circle[0] {
		f.Field = Reference{list: "additionalParentIds", index: slices.Index(last.Value.AdditionalParentIDs, circle[0])}.Field()
	}
	return f
}
