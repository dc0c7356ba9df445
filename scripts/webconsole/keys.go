package webconsole

import (
	"cmp"
	"errors"
	"net/http"
	"slices"

	"touchline/scripts/webconsole/parts"
	"touchline/shared/keys"
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
	rows, found, trouble, err := s.keys.Page(r.Context(), b.Filter, n)
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
	k, err := s.keys.Store.Get(r.Context(), r.PathValue("id"))
	if errors.Is(err, keys.ErrUnknown) {
		s.fail(w, r, http.StatusNotFound, "There is no such key", "Choose one from the list of keys.")
		return
	}
	if err != nil {
		s.fault(w, r, err)
		return
	}
	names, err := s.keys.Names(r.Context())
	if err != nil {
		s.options.Report(err) // whoever may read the keys alone gets those
	}
	b := keyBody{Key: keyRow{Key: k, Name: names[k.Organization], State: keys.State(k, s.options.Now())}, Allowed: keys.Allowlist(k)}
	b.History = slices.Clone(k.History)
	slices.Reverse(b.History)
	s.render(w, r, http.StatusOK, "key", page{Title: cmp.Or(k.Label, "Key "+k.ID), Section: "keys", Crumbs: parts.Crumbs("Keys", "/keys"), Body: b})
}
