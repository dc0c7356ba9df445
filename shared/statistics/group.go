package statistics

import "touchline/shared/sport"

// CompletedGroups reports which groups of a competition's season are completed:
// those that have matches, all of them finished or postponed (D42). It reads
// GroupID and Status of a match.
func CompletedGroups(groups []sport.Group, matches []sport.Match) map[sport.ID]bool {
	has, open := map[sport.ID]bool{}, map[sport.ID]bool{}
	for _, m := range matches {
		has[m.GroupID] = true
		if m.Status != sport.Finished && m.Status != sport.Postponed {
			open[m.GroupID] = true
		}
	}
	completed := make(map[sport.ID]bool, len(groups))
	for _, g := range groups {
		completed[g.ID] = has[g.ID] && !open[g.ID]
	}
	return completed
}
