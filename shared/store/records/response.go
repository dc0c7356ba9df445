package records

import "strings"

// MaxResponse is the length in bytes of the longest response (D48). Most are short
// because the values in them are (D47). Those that show every team of a season or
// hundreds of organizations are bounded by what they come to: see ResponseBytes.
const MaxResponse = 5_000_000

// The lengths that what is in a response has at most, without the texts in them.
const (
	rowBytes          = 360 // a row of a table
	tieBytes          = 260 // a pairing, its teams and matches aside
	teamBytes         = 90
	groupBytes        = 110
	organizationBytes = 200    // with the list of its children
	beginningBytes    = 10_000 // what comes before the first: the competition
	seasonsBytes      = 2_500  // the seasons from 1850 to 2200
)

// textBytes is the length of a text in a response. A quote and a backslash count
// as the four bytes that they take where a Lambda function returns the response
// as a string in JSON.
func textBytes(texts ...string) int {
	n := 0
	for _, s := range texts {
		n += len(s) + 3*(strings.Count(s, `"`)+strings.Count(s, `\`))
	}
	return n
}

func (t *TeamRef) responseBytes() int {
	if t == nil {
		return len("null")
	}
	return teamBytes + textBytes(t.Name, t.ShortName, t.Logo)
}

// ResponseBytes is a bound for the length of the response that shows the tables,
// whatever numbers the results put into them.
func (r *TableRecord) ResponseBytes() int {
	n := beginningBytes + rowsBytes(r.Rows)
	for _, p := range []*Phase{r.Playoff, r.Playout} {
		if p == nil {
			continue
		}
		n += rowsBytes(p.Rows)
		for i := range p.Ties {
			t := &p.Ties[i]
			n += tieBytes + t.Home.responseBytes() + t.Away.responseBytes() + 30*len(t.MatchIDs)
		}
	}
	return n
}

func rowsBytes(rows []TableRow) int {
	n := 0
	for i := range rows {
		n += rowBytes + rows[i].Team.responseBytes() + textBytes(rows[i].Group)
	}
	return n
}

// ResponseBytes is a bound for the length of the response that shows the groups.
func (r *GroupsRecord) ResponseBytes() int {
	n := beginningBytes + seasonsBytes
	for i := range r.Groups {
		g := &r.Groups[i]
		n += groupBytes + textBytes(g.Name)
		for j := range g.Teams {
			n += g.Teams[j].responseBytes()
		}
	}
	return n
}

// ResponseBytes is a bound for the length of the organization in a response.
func (o *Organization) ResponseBytes() int {
	return organizationBytes + textBytes(o.Name, o.Logo, o.Description)
}
