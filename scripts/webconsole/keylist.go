package webconsole

import (
	"context"
	"slices"
	"strings"
	"time"

	"touchline/scripts/touchline/database"
	"touchline/shared/dataset"
	"touchline/shared/keys"
	"touchline/shared/sport"
	"touchline/shared/store"
)

// keysOfPage is how many keys a page shows.
const keysOfPage = 50

// keyRow is a key in the list.
type keyRow struct {
	keys.Key
	Name  string // of its organization; empty: not in the data
	State string // as keys.State says
	Used  *int   // this month, by the organization over all its keys; nil: not known
}

// keyFilter selects keys.
type keyFilter struct {
	Text  string // in the name, the id or the own key of the organization, or in the label or the id of the key
	State string // active, rotating, expired or revoked; empty: any
	Scope string // that the key has; empty: any
}

// keyStates are the values of keyFilter.State.
func keyStates() []string { return []string{"active", "rotating", "expired", "revoked"} }

// selects reports whether a key is one of those meant.
func (f keyFilter) selects(r *keyRow) bool {
	if f.State == "rotating" && r.State != "active, rotating" || f.State != "" && f.State != "rotating" && !strings.HasPrefix(r.State, f.State) {
		return false
	}
	if f.Scope != "" && !slices.Contains(r.Scopes, keys.Scope(f.Scope)) {
		return false
	}
	text := strings.ToLower(strings.TrimSpace(f.Text))
	if text == "" || r.Organization == dataset.ID(sport.KindOrganization, strings.TrimSpace(f.Text)) {
		return true
	}
	return slices.ContainsFunc([]string{r.Name, string(r.Organization), r.Label, r.ID}, func(of string) bool {
		return strings.Contains(strings.ToLower(of), text)
	})
}

// keyBook reads the keys: what they are, what their organizations are called and have used.
// A table of keys can be read only whole, so what was read is kept for some seconds, and
// names are read for the organizations that have keys, a hundred a call.
type keyBook struct {
	Store  keys.Store
	Sports *store.Table
	// Usage returns the requests of each organization in the UTC month of a time.
	Usage func(ctx context.Context, month time.Time) (map[sport.ID]int, error)
	Now   func() time.Time

	all   kept[[]keys.Key]
	names kept[map[sport.ID]string]
	used  kept[map[sport.ID]int]
}

// List is every key, the newest first.
func (b *keyBook) List(ctx context.Context) ([]keys.Key, error) {
	return b.all.Get(b.Now(), func() ([]keys.Key, error) {
		list, err := b.Store.List(ctx)
		slices.SortStableFunc(list, func(a, b keys.Key) int { return b.CreatedAt.Compare(a.CreatedAt) })
		return list, err
	})
}

// Names are those of the organizations that have keys.
func (b *keyBook) Names(ctx context.Context) (map[sport.ID]string, error) {
	list, err := b.List(ctx)
	if err != nil {
		return nil, err
	}
	return b.names.Get(b.Now(), func() (map[sport.ID]string, error) {
		return database.NamesOf(ctx, b.Sports, keys.Organizations(list))
	})
}

// Page is a page of the keys that a filter selects, from 1, and how many there are.
// What cannot be read but the keys is left out, and said with trouble.
func (b *keyBook) Page(ctx context.Context, f keyFilter, page int) (rows []keyRow, found int, trouble, err error) {
	list, err := b.List(ctx)
	if err != nil {
		return nil, 0, nil, err
	}
	names, trouble := b.Names(ctx)
	now := b.Now()
	for _, k := range list {
		row := keyRow{Key: k, Name: names[k.Organization], State: keys.State(k, now)}
		if f.selects(&row) {
			rows = append(rows, row)
		}
	}
	found = len(rows)
	first := min((max(page, 1)-1)*keysOfPage, found)
	rows = rows[first:min(first+keysOfPage, found)]
	counts, failed := b.used.Get(now, func() (map[sport.ID]int, error) { return b.Usage(ctx, now) })
	if failed != nil {
		return rows, found, failed, nil
	}
	for i := range rows {
		n := counts[rows[i].Organization]
		rows[i].Used = &n
	}
	return rows, found, trouble, nil
}
