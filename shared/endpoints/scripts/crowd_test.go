package scripts

import (
	"fmt"
	"strings"
	"testing/fstest"
)

// crowd is what is too much to write by hand: organizations on either side of
// each bound on a scope, and two clubs with many seasons.
//
//	over       a federation above 5,001 organizations with itself: big and its 4,999 clubs
//	fifty-one  a federation above fifty and its 49 clubs
//	tree       a federation above five-hundred and its 499 clubs, one with a club below
//
// Each of the three has a hidden club, too, which nobody counts, and a league that
// the first club of its association is entered in.
//
//	series     a league of the seasons 2005 to 2025, in which veteran played each
//	           year, steady from 2006 on
func crowd() fstest.MapFS {
	files := map[string]*strings.Builder{}
	add := func(file, format string, values ...any) {
		if files[file] == nil {
			files[file] = &strings.Builder{}
		}
		_, _ = fmt.Fprintf(files[file], format+"\n", values...)
	}
	for _, c := range []struct {
		above, association string
		clubs              int
	}{{"over", "big", 4999}, {"fifty-one", "fifty", 49}, {"tree", "five-hundred", 499}} {
		add("organizations", `{"id":%q,"type":"federation","name":%q}`, c.above, c.above)
		add("organizations", `{"id":%q,"type":"association","name":%q,"parentId":%q}`, c.association, c.association, c.above)
		add("organizations", `{"id":"%s-hidden","type":"club","name":"Hidden","parentId":%q,"visibility":"hidden"}`, c.above, c.association)
		add("competitions", `{"id":"%s-league","season":2025,"name":"League","organizationId":%q}`, c.above, c.above)
		add("teams", `{"id":"%s-team","name":"Team","shortName":"T","organizationId":"%s-0001","competitionId":"%s-league","season":2025}`, c.above, c.association, c.above)
		for i := 1; i <= c.clubs; i++ {
			club := fmt.Sprintf("%s-%04d", c.association, i)
			add("organizations", `{"id":%q,"type":"club","name":%q,"parentId":%q}`, club, club, c.association)
		}
	}
	add("organizations", `{"id":"five-hundred-below","type":"club","name":"Below","parentId":"five-hundred-0001"}`)
	for year := 2005; year <= 2025; year++ {
		add("competitions", `{"id":"series","season":%d,"name":"Series","organizationId":"south"}`, year)
		other, club := fmt.Sprint("steady-", year), "steady"
		if year == 2005 {
			other, club = "guests-2005", "guests"
		}
		const team = `{"id":%q,"name":"%s %d","shortName":"S","organizationId":%q,"competitionId":"series","season":%d}`
		add("teams", team, fmt.Sprint("veteran-", year), "Veteran", year, "veteran", year)
		add("teams", team, other, "Other", year, club, year)
		add("matches", `{"id":"series-%d","competitionId":"series","season":%d,"status":"finished","kickoffAt":"%d-08-01T18:00:00Z",`+
			`"homeTeamId":"veteran-%d","awayTeamId":%q,"score":{"home":1,"away":0}}`, year, year, year, year, other)
	}
	dataset := fstest.MapFS{}
	for name, text := range files {
		dataset[name+".ndjson"] = &fstest.MapFile{Data: []byte(text.String())}
	}
	return dataset
}
