package index

// commonShare makes a facet common that at least a third of the visible entries
// have: the window covers as many of these alone, for reads that select by it.
// To reach them takes three times the entries at most, if they are spread evenly,
// so that is how far a window grows.
const commonShare = 3

// A Coverage counts entries from an end of a list until a window covers enough: so
// many visible entries, and as many of each common facet, or all of its entries.
type Coverage struct {
	wanted  int
	visible int
	common  Counts // how many of each are still to come
}

// NewCoverage begins to count what a window is to cover of a list with these counts.
func NewCoverage(wanted int, all Counts) *Coverage {
	c := &Coverage{wanted: wanted}
	for _, fc := range all {
		if !fc.Facet.Hidden && fc.N*commonShare >= all.Visible() {
			c.common = append(c.common, FacetCount{Facet: fc.Facet, N: min(fc.N, c.wanted)})
		}
	}
	return c
}

// Add reports whether the entries added so far are enough.
func (c *Coverage) Add(more Counts) bool {
	c.visible += more.Visible()
	enough := true
	for i := range c.common {
		for _, fc := range more {
			if fc.Facet == c.common[i].Facet {
				c.common[i].N -= fc.N
			}
		}
		enough = enough && c.common[i].N <= 0
	}
	return c.visible >= c.wanted && (enough || c.visible >= c.wanted*commonShare)
}

// Window is as many of the rows, from either end, as cover enough.
func (c *Coverage) Window(rows []Row, fromEnd bool) []Row {
	for i := range rows {
		from, to := 0, i+1
		at := i
		if fromEnd {
			at = len(rows) - 1 - i
			from, to = at, len(rows)
		}
		if c.Add(rows[at].Counts) {
			return rows[from:to]
		}
	}
	return rows
}
