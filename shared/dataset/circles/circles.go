// Package circles finds circles of parents.
package circles

import (
	"slices"

	"touchline/shared/sport"
)

// Find returns circles among organizations, given their parents: each from the one that
// the last one's parent is, child, parent, and so on. Once the last of each is gone, another
// call finds further circles, if any are left.
func Find(organizations []sport.ID, parents func(sport.ID) []sport.ID) (circles [][]sport.ID) {
	onPath := make(map[sport.ID]bool, len(organizations)) // of those that were visited
	var path []sport.ID                                   // from an organization up
	var climb func(id sport.ID)
	climb = func(id sport.ID) {
		if _, visited := onPath[id]; visited {
			return
		}
		onPath[id] = true
		path = append(path, id)
		for _, parent := range parents(id) {
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
