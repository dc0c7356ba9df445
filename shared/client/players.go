package client

import (
	"context"

	"touchline/shared/sport"
)

// PlayerPath is /v1/players/{id}.
type PlayerPath struct {
	client *Client
	path   string
}

// Player addresses a player.
func (c *Client) Player(id sport.ID) PlayerPath {
	return PlayerPath{client: c, path: "/v1/players/" + segment(id)}
}

// Get is /v1/players/{id}.
func (p PlayerPath) Get(ctx context.Context) (PlayerDetail, error) {
	data, err := get[struct {
		Player PlayerDetail `json:"player"`
	}](ctx, p.client, p.path, "")
	return data.Player, err
}

// Statistics is /v1/players/{id}/statistics.
func (p PlayerPath) Statistics(ctx context.Context, params SeasonParams) (PlayerStatistics, error) {
	return get[PlayerStatistics](ctx, p.client, p.path+"/statistics", params.query())
}

// Matches is /v1/players/{id}/matches.
func (p PlayerPath) Matches(params MatchesParams) List[PlayerMatch] {
	return below(p.client, p.path+"/matches", params.query(), (*PlayerMatch).id)
}
