// Package data makes the console's pages of data: what the API returns about
// competitions and matches.
//
// A page asks the operations of the API directly, through an [Asker], as a key of the
// organization at the top with all scopes and descendants would. That reads the
// table past any cache, needs no key, and counts for no quota. The one page that the
// API does not have is the order of a table: what put each row above the next one,
// which package projection computes from the records. Statistics are computed from the
// same records, and are left to the API.
//
// Here is what pages show. The server of the console has the templates.
package data

import (
	"context"
	"net/http"
	"sync"
	"time"

	"touchline/scripts/webconsole/parts"
	"touchline/shared/keys"
	"touchline/shared/sport"
	"touchline/shared/store"
)

// Source is where the pages of data come from.
type Source struct {
	Sports *store.Table
	// Keys lists the keys, from whose organizations those at the top are found.
	Keys interface {
		List(ctx context.Context) ([]keys.Key, error)
	}
	Now func() time.Time
	// Report tells the operator about a fault whose cause is not for a page.
	Report func(error)

	mu    sync.Mutex
	above []sport.ID // the tops, which every organization leads to
	until time.Time  // for which they were found
}

// Page is what a page of data shows.
type Page struct {
	Title  string
	Crumbs []parts.Crumb
	Body   any // for the template
}

// Maker makes a page of what the API returns. Its error is a RefusedError where
// the API refuses.
type Maker func(ctx context.Context, a *Asker, r *http.Request) (Page, error)

// Address is a page's, and what makes it.
type Address struct {
	Path     string // a pattern of http.ServeMux
	Template string
	Make     Maker
}

// Addresses are those of all pages of data.
func Addresses() []Address {
	return []Address{
		{"/data", "federation", federation},
		{"/data/competitions/{id}", "competition", competition},
		{"/data/matches/{id}", "match", match},
	}
}
