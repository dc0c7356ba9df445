package client

import (
	"context"
	"net/http"
	"time"

	"touchline/shared/sport"
)

// SeasonParams are the parameters of single resources of a competition, a match,
// a team or a player.
type SeasonParams struct {
	Season int // 0: the current one
}

// MatchesParams are the parameters of lists of matches. From and To bound the
// kickoff, both inclusive. Zero fields are not sent.
type MatchesParams struct {
	Season   int
	From, To time.Time
	Status   sport.MatchStatus
}

func (p SeasonParams) query() query { return query("").number("season", p.Season) }

func (p MatchesParams) query() query {
	return query("").number("season", p.Season).time("from", p.From).time("to", p.To).text("status", string(p.Status))
}

// Ping returns what the service says about the key and its clock.
func (c *Client) Ping(ctx context.Context) (Ping, error) { return get[Ping](ctx, c, "/v1/ping", "") }

func target(path string, q query) string {
	if q == "" {
		return path
	}
	return path + "?" + string(q)
}

// get requests a single resource.
func get[T any](ctx context.Context, c *Client, path string, q query) (T, error) {
	var none T
	r, err := c.Raw(ctx, http.MethodGet, target(path, q))
	if err != nil {
		return none, err
	}
	var body struct {
		Data *T `json:"data"`
	}
	if err := r.decode(&body); err != nil {
		return none, err
	}
	if body.Data == nil {
		return none, r.unusable("no data")
	}
	return *body.Data, nil
}

// below is a list of one resource.
func below[T any](c *Client, path string, q query, id func(*T) identity) List[T] {
	return List[T]{client: c, path: path, query: q, id: id}
}
