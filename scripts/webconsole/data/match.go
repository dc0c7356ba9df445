package data

import (
	"context"
	"net/http"
	"strconv"

	"touchline/scripts/webconsole/parts"
	"touchline/shared/endpoints/wire"
	"touchline/shared/sport"
)

// matchBody is the page of a match.
type matchBody struct {
	wire.MatchesReply
	Lineups wire.Lineups
	Events  wire.Events
	Ruling  string // empty: the match counts by its score
}

func match(ctx context.Context, a *Asker, r *http.Request) (Page, error) {
	id := r.PathValue("id")
	var b matchBody
	q := a.questions(ctx, r)
	one(q, &b.MatchesReply, "/v1/matches/%s", id)
	one(q, &b.Lineups, "/v1/matches/%s/lineups", id)
	one(q, &b.Events, "/v1/matches/%s/events", id)
	err := q.Wait()
	b.Ruling = rulingOf(&b.Match)
	return Page{Title: b.Match.Home.Name + " – " + b.Match.Away.Name, Crumbs: below(b.Competition), Body: b}, err
}

// rulingOf says how a match counts that a ruling decided (D59).
func rulingOf(m *wire.Match) string {
	is := sport.Match{Winner: m.Winner, Score: (*sport.Score)(&m.Score), Penalties: (*sport.Score)(m.Penalties)}
	home, away, ruled := is.Ruling()
	switch {
	case !ruled || m.Status != sport.Finished:
		return ""
	case home > away:
		return "awarded to " + m.Home.Name
	case home < away:
		return "awarded to " + m.Away.Name
	case home < 0:
		return "lost by both"
	}
	return "awarded as a draw"
}

// below is the way to a page of what a competition has; nil: of no competition.
func below(c *wire.Competition) []parts.Crumb {
	crumbs := parts.Crumbs("Data", "/data")
	if c != nil {
		crumbs = append(crumbs, parts.Crumb{Name: c.Name, Path: parts.WithQuery("/data/competitions/"+string(c.ID), "season", strconv.Itoa(c.Season))})
	}
	return crumbs
}
