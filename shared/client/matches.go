package client

import (
	"context"

	"touchline/shared/sport"
)

// MatchPath is /v1/matches/{id}.
type MatchPath struct {
	client *Client
	path   string
}

// Match addresses a match.
func (c *Client) Match(id sport.ID) MatchPath {
	return MatchPath{client: c, path: "/v1/matches/" + segment(id)}
}

// Get is /v1/matches/{id}. A season must be the current one of the match's
// competition (D16).
func (m MatchPath) Get(ctx context.Context, p SeasonParams) (MatchDetail, error) {
	return get[MatchDetail](ctx, m.client, m.path, p.query())
}

// Lineups is /v1/matches/{id}/lineups.
func (m MatchPath) Lineups(ctx context.Context, p SeasonParams) (Lineups, error) {
	return get[Lineups](ctx, m.client, m.path+"/lineups", p.query())
}

// Events is /v1/matches/{id}/events.
func (m MatchPath) Events(ctx context.Context, p SeasonParams) (Events, error) {
	return get[Events](ctx, m.client, m.path+"/events", p.query())
}

// Statistics is /v1/matches/{id}/statistics.
func (m MatchPath) Statistics(ctx context.Context, p SeasonParams) (MatchStatistics, error) {
	return get[MatchStatistics](ctx, m.client, m.path+"/statistics", p.query())
}
