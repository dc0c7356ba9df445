package client

import (
	"context"

	"touchline/shared/sport"
)

// TeamPath is /v1/teams/{id}.
type TeamPath struct {
	client *Client
	path   string
}

// Team addresses a team entry; for Matches it may be a club as well.
func (c *Client) Team(id sport.ID) TeamPath {
	return TeamPath{client: c, path: "/v1/teams/" + segment(id)}
}

// Get is /v1/teams/{id}.
func (t TeamPath) Get(ctx context.Context) (TeamDetail, error) {
	data, err := get[struct {
		Team TeamDetail `json:"team"`
	}](ctx, t.client, t.path, "")
	return data.Team, err
}

// Players is /v1/teams/{id}/players.
func (t TeamPath) Players() List[SquadPlayer] {
	return below(t.client, t.path+"/players", "", (*SquadPlayer).id)
}

// Matches is /v1/teams/{id}/matches. For a club these are the matches of its
// teams, possibly cut, which the Meta of a page says (D26).
func (t TeamPath) Matches(p MatchesParams) List[TeamMatch] {
	return below(t.client, t.path+"/matches", p.query(), (*TeamMatch).id)
}

// Statistics is /v1/teams/{id}/statistics.
func (t TeamPath) Statistics(ctx context.Context, p SeasonParams) (TeamStatistics, error) {
	return get[TeamStatistics](ctx, t.client, t.path+"/statistics", p.query())
}
