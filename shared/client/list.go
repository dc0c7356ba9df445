package client

import (
	"context"
	"iter"
	"net/http"

	"touchline/shared/sport"
)

// Page is one page of a list (read-api, Pagination envelope).
type Page[T any] struct {
	Data    []T  `json:"data"`
	Page    int  `json:"page"`  // from 1
	Limit   int  `json:"limit"` // items on a full page
	Total   int  `json:"total"` // items on all pages
	HasMore bool `json:"hasMore"`
	// Competition is set in a tournament's matches, top scorers and cards; else
	// it is nil.
	Competition *Competition `json:"competition,omitempty"`
	// Meta is nil in lists without it.
	Meta *Meta `json:"meta,omitempty"`
}

// Meta says what a list is of, and whether it was cut (D26).
type Meta struct {
	Kind                 string `json:"kind,omitempty"` // of top scorers and cards: what they are ranked by; of a team's matches: club or team
	Truncated            bool   `json:"truncated,omitempty"`
	CompetitionsIncluded int    `json:"competitionsIncluded,omitempty"` // if truncated
}

// Bounds of pages (read-api, Limits).
const (
	maxLimit = 100    // items on a page
	window   = 10_000 // page * limit, on the lists that have a window
)

// List is a list that can be requested. Nothing is sent before Page or All.
type List[T any] struct {
	client *Client
	path   string
	query  query // without page, limit and what is in breadth
	id     func(*T) identity
	// breadth is set on an organization's lists.
	breadth breadth
}

// Page requests one page, from 1, with limit items, 1 to 100; 0 leaves either to
// the service's defaults, 1 and 25. A page beyond the end is empty. The lists of
// organizations, and a tournament's teams and players, return a BadRequest if
// page times limit is above 10,000.
func (l List[T]) Page(ctx context.Context, page, limit int) (Page[T], error) {
	target := l.path
	q := l.breadth.query().and(l.query).number("page", page).number("limit", limit)
	if q != "" {
		target += "?" + string(q)
	}
	r, err := l.client.Raw(ctx, http.MethodGet, target)
	if err != nil {
		return Page[T]{}, err
	}
	var p Page[T]
	if err := r.decode(&p); err != nil {
		return Page[T]{}, err
	}
	switch {
	case p.Data == nil:
		return Page[T]{}, r.unusable("a list without data")
	case page != 0 && p.Page != page, limit != 0 && (p.Limit != limit || len(p.Data) > limit):
		return Page[T]{}, r.unusable("page %d of limit %d with %d items, not page %d of limit %d", p.Page, p.Limit, len(p.Data), page, limit)
	case p.HasMore && len(p.Data) == 0:
		return Page[T]{}, r.unusable("an empty page %d that has more", p.Page)
	}
	return p, nil
}

// All yields the items of all pages, as the package comment describes under
// Lists. An error, which comes with a zero item, is the last. What comes with
// the items (Competition, Meta) is only available from Page.
func (l List[T]) All(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		w := walk[T]{list: l, yield: yield}
		if l.breadth.narrowable() {
			w.seen.keep = true
			w.entered = map[sport.ID]bool{}
		}
		w.read(ctx, l, l.breadth.organization)
	}
}
