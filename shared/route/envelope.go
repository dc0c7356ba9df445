package route

import (
	"bytes"
	"encoding/json"
)

// JSON is a reply as it is sent: without HTML escaping and without a line feed at its
// end (D32).
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Data wraps a single resource. A reply with further fields embeds it.
type Data[T any] struct {
	Data T `json:"data"`
}

// List is a page of a list (read-api, Pagination envelope). NewList makes it.
// A list with a competition or meta is a ListIn.
type List[T any] struct {
	Data    []T         `json:"data"` // never null
	Page    json.Number `json:"page" min:"1" doc:"As asked for."`
	Limit   int         `json:"limit" min:"1" max:"100" doc:"As asked for."`
	Total   int         `json:"total" doc:"Items on all pages."`
	HasMore bool        `json:"hasMore" doc:"Whether page * limit is below total."`
}

// NewList is the envelope of the items of one page out of total.
func NewList[T any](items []T, p Paging, total int) List[T] {
	if items == nil {
		items = []T{}
	}
	return List[T]{Data: items, Page: p.Page, Limit: p.Limit, Total: total, HasMore: p.end() < total}
}

// ListOf is the envelope of the entries of one page out of total, each as show
// shows it.
func ListOf[E, T any](entries []E, show func(*E) T, p Paging, total int) List[T] {
	items := make([]T, 0, len(entries))
	for i := range entries {
		items = append(items, show(&entries[i]))
	}
	return NewList(items, p, total)
}

// ListIn is a List of T with the competition C or with meta, each left out where
// nil.
type ListIn[C, T any] struct {
	List[T]
	Competition *C    `json:"competition,omitempty"`
	Meta        *Meta `json:"meta,omitempty"`
}

// Meta says of which kind a list is and whether it was cut (read-api,
// Pagination envelope; D26).
type Meta struct {
	Kind                 string `json:"kind,omitempty" enum:"club,team,goals,assists,appearances,player" doc:"What the list is of."`
	Truncated            bool   `json:"truncated,omitempty" doc:"Only there, and true, where the answer was cut."`
	CompetitionsIncluded int    `json:"competitionsIncluded,omitempty" doc:"How many of a club's competitions the list covers, where it was cut."`
}
