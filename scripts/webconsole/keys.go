package webconsole

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"touchline/scripts/touchline/database"
	"touchline/scripts/webconsole/parts"
	"touchline/shared/dataset"
	"touchline/shared/keys"
	"touchline/shared/sport"
)

func (s *Server) keyRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /keys", s.keyList)
	m.HandleFunc("GET /keys/{id}", s.key)
}

// keyListBody is the page of the keys.
type keyListBody struct {
	Keys   []keyRow
	Filter keyFilter
	States []string
	Scopes []keys.Scope
	Pager  parts.Pager
	Any    bool // there are keys, selected or not
}

func (s *Server) keyList(w http.ResponseWriter, r *http.Request) {
	q, n := r.URL.Query(), parts.PageOf(r)
	b := keyListBody{
		Filter: keyFilter{Text: q.Get("organization"), State: q.Get("state"), Scope: q.Get("scope")},
		States: keyStates(), Scopes: keys.AllScopes(),
	}
	rows, found, trouble, err := s.keyPage(r.Context(), b.Filter, n)
	if err != nil {
		s.fault(w, r, err)
		return
	}
	if trouble != nil {
		s.options.Report(trouble) // whoever may read the keys alone gets those
	}
	b.Keys, b.Pager = rows, parts.PagerOfSize(r, n, keysOfPage, len(rows), found)
	b.Any = found > 0 || b.Filter != keyFilter{}
	s.render(w, r, http.StatusOK, "keys", page{Title: "Keys", Section: "keys", Body: b})
}

// keyBody is the page of a key.
type keyBody struct {
	Key     keyRow
	Allowed []string     // addresses and prefixes; none: every address
	History []keys.Event // the newest first
}

func (s *Server) key(w http.ResponseWriter, r *http.Request) {
	k, err := s.options.Keys.Get(r.Context(), r.PathValue("id"))
	if errors.Is(err, keys.ErrUnknown) {
		s.fail(w, r, http.StatusNotFound, "There is no such key", "Choose one from the list of keys.")
		return
	}
	if err != nil {
		s.fault(w, r, err)
		return
	}
	names, err := s.keyNames(r.Context(), []keys.Key{k})
	if err != nil {
		s.options.Report(err) // whoever may read the keys alone gets those
	}
	b := keyBody{Key: keyRow{Key: k, Name: names[k.Organization], State: keys.State(k, s.options.Now())}, Allowed: keys.Allowlist(k)}
	b.History = slices.Clone(k.History)
	slices.Reverse(b.History)
	s.render(w, r, http.StatusOK, "key", page{Title: cmp.Or(k.Label, "Key "+k.ID), Section: "keys", Crumbs: parts.Crumbs("Keys", "/keys"), Body: b})
}

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

// keyNames are those of the organizations of keys.
func (s *Server) keyNames(ctx context.Context, list []keys.Key) (map[sport.ID]string, error) {
	return database.NamesOf(ctx, s.options.Sports, keys.Organizations(list))
}

// keyPage is a page of the keys that a filter selects, the newest first, from 1, and how
// many there are. What cannot be read but the keys is left out, and said with trouble.
func (s *Server) keyPage(ctx context.Context, f keyFilter, page int) (rows []keyRow, found int, trouble, err error) {
	list, err := s.options.Keys.List(ctx)
	if err != nil {
		return nil, 0, nil, err
	}
	slices.SortStableFunc(list, func(a, b keys.Key) int { return b.CreatedAt.Compare(a.CreatedAt) })
	names, trouble := s.keyNames(ctx, list)
	now := s.options.Now()
	for _, k := range list {
		row := keyRow{Key: k, Name: names[k.Organization], State: keys.State(k, now)}
		if f.selects(&row) {
			rows = append(rows, row)
		}
	}
	found = len(rows)
	first := min((max(page, 1)-1)*keysOfPage, found)
	rows = rows[first:min(first+keysOfPage, found)]
	counts, failed := s.options.Usage(ctx, now)
	if failed != nil {
		return rows, found, failed, nil
	}
	for i := range rows {
		n := counts[rows[i].Organization]
		rows[i].Used = &n
	}
	return rows, found, trouble, nil
}
