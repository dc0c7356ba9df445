package groups_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
)

// contract is the endpoint table of read-api.md: path, scopes, parameters and
// whether the page window applies.
const contract = `
/v1/ping | |
/v1/{alias}/{id} | organizations:read | includeDescendants
/v1/{alias}/{id}/tree | organizations:read | depth includeDescendants
/v1/{alias}/{id}/associations | organizations:read | status includeDescendants sort page limit window
/v1/{alias}/{id}/clubs | organizations:read | associationId status includeDescendants sort page limit window
/v1/{alias}/{id}/competitions | competitions:read | associationId clubId teamId season gender status includeDescendants sort page limit window
/v1/{alias}/{id}/teams | teams:read | associationId clubId competitionId season status includeDescendants sort page limit window
/v1/{alias}/{id}/players | players:read | associationId clubId competitionId teamId season status includeDescendants sort page limit window
/v1/tournaments/{id} | competitions:read | season
/v1/tournaments/{id}/matches | matches:read | season from to status page limit
/v1/tournaments/{id}/standings | standings:read | season
/v1/tournaments/{id}/groups | competitions:read | season
/v1/tournaments/{id}/teams | teams:read | season page limit window
/v1/tournaments/{id}/players | players:read | season page limit window
/v1/tournaments/{id}/statistics | competitions:read players:read | season
/v1/tournaments/{id}/top-scorers | players:read | season type page limit
/v1/tournaments/{id}/cards | players:read | season scope page limit
/v1/matches/{id} | matches:read | season
/v1/matches/{id}/lineups | matches:read | season
/v1/matches/{id}/events | matches:read | season
/v1/matches/{id}/statistics | matchStatistics:read | season
/v1/teams/{id} | teams:read |
/v1/teams/{id}/players | players:read | page limit
/v1/teams/{id}/matches | matches:read | season from to status page limit
/v1/teams/{id}/statistics | teams:read | season
/v1/players/{id} | players:read |
/v1/players/{id}/statistics | players:read | season
/v1/players/{id}/matches | matches:read | season from to status page limit
`

func TestTheTableIsTheContracts(t *testing.T) {
	var got strings.Builder
	got.WriteString("\n")
	for o := range groups.Table(endpoints.Deps{}).All() {
		scopes := make([]string, len(o.Scopes))
		for i, s := range o.Scopes {
			scopes[i] = string(s)
		}
		var params []string
		for _, p := range o.Params {
			params = append(params, p.Name)
		}
		if o.Window {
			params = append(params, "window")
		}
		row := fmt.Sprintf("%s | %s | %s", o.Path, strings.Join(scopes, " "), strings.Join(params, " "))
		got.WriteString(strings.ReplaceAll(strings.TrimRight(row, " "), "|  |", "| |") + "\n")
	}
	if diff := cmp.Diff(contract, got.String()); diff != "" {
		t.Error(diff)
	}
}
