package client

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
