package client

import (
	"context"
	"net/http"
)

// Ping returns what the service says about the key and its clock.
func (c *Client) Ping(ctx context.Context) (Ping, error) {
	r, err := c.Raw(ctx, http.MethodGet, "/v1/ping")
	if err != nil {
		return Ping{}, err
	}
	var body struct {
		Data *Ping `json:"data"`
	}
	if err := r.decode(&body); err != nil {
		return Ping{}, err
	}
	if body.Data == nil {
		return Ping{}, r.unusable("no data")
	}
	return *body.Data, nil
}
