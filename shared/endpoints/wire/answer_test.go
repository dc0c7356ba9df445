package wire_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"touchline/shared/endpoints/wire"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

const longest = -9_007_199_254_740_991 // of the integers that a dataset may have

// What a load allows a response to come to is never less than what it comes to,
// also as a string in JSON, which has a backslash before each quote.
func TestAnswersAreAsLongAsTheirBoundAtMost(t *testing.T) {
	texts := map[string]string{"wide": strings.Repeat("𝔸", 200), "quotes": strings.Repeat(`"\`, 100), "short": "A"}
	c := &records.CompetitionRef{ID: sport.IDFor(sport.KindCompetition, "c"), Name: texts["wide"], Logo: "https://" + strings.Repeat(`"`, 2000), Season: 2200}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			id := sport.IDFor(sport.KindTeam, "t")
			team := records.TeamRef{ID: id, Name: text, ShortName: text, Logo: "https://example.org/" + text}
			row := records.TableRow{
				Rank: longest, Team: team, Played: longest, Won: longest, Drawn: longest, Lost: longest,
				GoalsFor: longest, GoalsAgainst: math.MaxInt64 / 2, Points: longest, StartingPoints: longest, Group: text,
			}
			tie := records.Tie{
				Round: longest, Order: longest, Home: &team, Away: &team, Winner: sport.WinnerHome, MatchIDs: records.IDs{id, id, id},
				Aggregate: &sport.Score{Home: 99_999, Away: 99_999}, Penalties: &sport.Score{Home: 99_999, Away: 99_999},
			}
			table := &records.TableRecord{
				Rows:    []records.TableRow{row, row, row},
				Playoff: &records.Phase{Format: sport.FormatLeague, Rows: []records.TableRow{row}},
				Playout: &records.Phase{Format: sport.FormatKnockout, Ties: []records.Tie{tie, {Round: 1, Winner: sport.WinnerNone}}},
			}
			var everySeason []int
			for season := 1850; season <= 2200; season++ {
				everySeason = append(everySeason, season)
			}
			groups := &records.GroupsRecord{Groups: []records.GroupRecord{
				{ID: id, Name: text, Order: longest, Completed: true, Teams: []records.TeamRef{team, team}}, {ID: id, Name: text},
			}}
			organization := records.Organization{
				ID: id, Type: sport.Association, Name: text, Logo: "https://example.org/" + text, ParentID: id, Description: text, Season: 2200,
			}
			node := &wire.TreeNode{Organization: wire.OrganizationsFor(sport.Viewer{})(&organization), Children: []*wire.TreeNode{}}
			for what, answer := range map[string]struct {
				value any
				bound int
			}{
				"standings": {wire.StandingsOf(c, table), table.ResponseBytes()},
				"groups":    {wire.GroupsOf(c, everySeason, groups), groups.ResponseBytes()},
				"tree":      {node, organization.ResponseBytes()},
			} {
				body := encode(t, answer.value)
				payload, err := json.Marshal(body)
				if err != nil {
					t.Fatal(err)
				}
				// A function may return 6,291,556 bytes: a quarter more than a body.
				if len(body) > answer.bound || len(payload) > answer.bound*5/4 {
					t.Errorf("%s: %d bytes, %d as a string; the bound is %d", what, len(body), len(payload), answer.bound)
				}
			}
		})
	}
}
