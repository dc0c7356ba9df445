package client_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"touchline/shared/client"
	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/route"
	"touchline/shared/sport"
)

// Every operation of the route table can be called with each of its parameters,
// in a way that it accepts.
func TestEveryOperationHasAMethodForEveryParameter(t *testing.T) {
	f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) { refuse(w, 404, `"code":"notFound"`) })
	c := f.client()
	askForAll(t, c)

	table := groups.Table(endpoints.Deps{})
	asked := map[string][]string{} // parameters, by path of the operation
	for _, target := range f.sent() {
		path, query, _ := strings.Cut(target, "?")
		operation, _, ok := table.Match(path)
		if !ok {
			t.Errorf("no operation for %s", target)
			continue
		}
		if _, err := operation.Decode(query); err != nil {
			t.Errorf("%s: %v", target, err)
		}
		names := asked[operation.Path]
		for part := range strings.SplitSeq(query, "&") {
			name, _, _ := strings.Cut(part, "=")
			names = append(names, name)
		}
		asked[operation.Path] = names
	}
	operations := 0
	for operation := range table.All() {
		operations++
		names, ok := asked[operation.Path]
		if !ok {
			t.Errorf("%s is not asked for", operation.Path)
		}
		for _, p := range operation.Params {
			if !slices.Contains(names, p.Name) {
				t.Errorf("%s: %s is not sent", operation.Path, p.Name)
			}
		}
	}
	if operations != 28 {
		t.Errorf("%d operations", operations)
	}
	for _, alias := range route.Aliases() {
		if !slices.ContainsFunc(f.sent(), func(s string) bool { return strings.HasPrefix(s, "/v1/"+string(alias)+"/") }) {
			t.Errorf("no method for %s", alias)
		}
	}
}

// asked fails the test on an error other than that of the response.
func asked[T any](t *testing.T) func(T, error) {
	return func(_ T, err error) {
		t.Helper()
		if err == nil || err.Error() == "" {
			t.Error("no refusal")
		}
	}
}

func paged[T any](t *testing.T, l client.List[T]) {
	t.Helper()
	asked[client.Page[T]](t)(l.Page(t.Context(), 2, 50))
}

func askForAll(t *testing.T, c *client.Client) {
	t.Helper()
	ctx, x, season := t.Context(), id(1), client.SeasonParams{Season: 2025}
	matches := client.MatchesParams{Season: 2025, From: noon(), To: noon().Add(time.Nanosecond), Status: sport.Live}
	asked[client.Ping](t)(c.Ping(ctx))

	for _, o := range []client.OrganizationPath{c.Federation(x), c.Association(x), c.Club(x), c.Organization(x)} {
		asked[client.Organization](t)(o.Get(ctx, client.OrganizationParams{IncludeDescendants: true}))
		asked[client.Tree](t)(o.Tree(ctx, client.TreeParams{Depth: 3, IncludeDescendants: true}))
		paged(t, o.Associations(client.AssociationsParams{Status: sport.Active, IncludeDescendants: true, Sort: client.SortName}))
		paged(t, o.Clubs(client.ClubsParams{AssociationID: x, Status: sport.Inactive, IncludeDescendants: true, Sort: client.SortIDDesc}))
		paged(t, o.Competitions(client.CompetitionsParams{
			AssociationID: x, ClubID: x, TeamID: x, Season: 2025, Gender: sport.Women,
			Status: client.CompetitionActive, IncludeDescendants: true, Sort: client.SortID,
		}))
		paged(t, o.Teams(client.TeamsParams{
			AssociationID: x, ClubID: x, CompetitionID: x, Season: 2025,
			Status: sport.Active, IncludeDescendants: true, Sort: client.SortNameDesc,
		}))
		paged(t, o.Players(client.PlayersParams{
			AssociationID: x, ClubID: x, CompetitionID: x, TeamID: x, Season: 2025,
			Status: sport.Active, IncludeDescendants: true, Sort: client.SortName,
		}))
	}

	n := c.Tournament(x)
	asked[client.CompetitionDetail](t)(n.Get(ctx, season))
	paged(t, n.Matches(matches))
	asked[client.Standings](t)(n.Standings(ctx, season))
	asked[client.Groups](t)(n.Groups(ctx, season))
	paged(t, n.Teams(season))
	paged(t, n.Players(season))
	asked[client.CompetitionStatistics](t)(n.Statistics(ctx, season))
	for _, by := range []client.ScorersType{client.ByGoals, client.ByAssists, client.ByAppearances} {
		paged(t, n.TopScorers(client.TopScorersParams{Season: 2025, Type: by}))
	}
	paged(t, n.PlayerCards(season))
	paged(t, n.TeamCards(season))

	asked[client.MatchDetail](t)(c.Match(x).Get(ctx, season))
	asked[client.Lineups](t)(c.Match(x).Lineups(ctx, season))
	asked[client.Events](t)(c.Match(x).Events(ctx, season))
	asked[client.MatchStatistics](t)(c.Match(x).Statistics(ctx, season))

	asked[client.TeamDetail](t)(c.Team(x).Get(ctx))
	paged(t, c.Team(x).Players())
	paged(t, c.Team(x).Matches(matches))
	asked[client.TeamStatistics](t)(c.Team(x).Statistics(ctx, season))

	asked[client.PlayerDetail](t)(c.Player(x).Get(ctx))
	asked[client.PlayerStatistics](t)(c.Player(x).Statistics(ctx, season))
	paged(t, c.Player(x).Matches(matches))
}
