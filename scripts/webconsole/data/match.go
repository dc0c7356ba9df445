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
	events  wire.Events
	Ruling  string // empty: the match counts by its score
}

// happening is an event in the course of a match.
type happening struct {
	wire.Event
	Minute string // 45+2
	What   string // in words
}

func match(ctx context.Context, a *Asker, r *http.Request) (Page, error) {
	id := r.PathValue("id")
	var b matchBody
	q := a.questions(ctx, r)
	one(q, &b.MatchesReply, "/v1/matches/%s", id)
	one(q, &b.Lineups, "/v1/matches/%s/lineups", id)
	one(q, &b.events, "/v1/matches/%s/events", id)
	err := q.Wait()
	b.Ruling = rulingOf(&b.Match)
	return Page{Title: b.Match.Home.Name + " – " + b.Match.Away.Name, Crumbs: below(b.Competition), Body: b}, err
}

// Events are those of the match.
func (b matchBody) Events() []happening {
	var all []happening
	for _, e := range b.events.Events {
		all = append(all, happeningOf(e))
	}
	return all
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

func happeningOf(e wire.Event) happening {
	h := happening{Event: e, Minute: strconv.Itoa(e.Minute), What: parts.Words(e.Type)}
	if e.ExtraMinute != nil {
		h.Minute += "+" + strconv.Itoa(*e.ExtraMinute)
	}
	if e.Detail != nil && *e.Detail != "" {
		switch detail := parts.Words(*e.Detail); e.Type {
		case "card":
			h.What = detail + " card"
		case "period":
			h.What = detail
		case "goal":
			if detail != "regular" {
				h.What += ", " + detail
			}
		default:
			h.What += ", " + detail
		}
	}
	return h
}
