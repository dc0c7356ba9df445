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

// keyListBody is the page of the keys.
type keyListBody struct {
	Keys   []keyRow
	Sought string // which keys are shown: see sought
	Pager  parts.Pager
}

// keyList shows the keys, the newest first. What cannot be read beside them is left out:
// whoever may read the keys alone gets those.
func (s *Server) keyList(w http.ResponseWriter, r *http.Request) {
	list, err := s.options.Keys.List(r.Context())
	if err != nil {
		s.fault(w, r, err)
		return
	}
	slices.SortStableFunc(list, func(a, b keys.Key) int { return b.CreatedAt.Compare(a.CreatedAt) })
	now, b := s.options.Now(), keyListBody{Sought: strings.TrimSpace(r.URL.Query().Get("organization"))}
	names, trouble := s.keyNames(r.Context(), list)
	used, failed := s.options.Usage(r.Context(), now)
	if trouble = cmp.Or(failed, trouble); trouble != nil {
		s.options.Report(trouble)
	}
	for _, k := range list {
		row := keyRow{Key: k, Name: names[k.Organization], State: keys.State(k, now)}
		if failed == nil {
			n := used[k.Organization]
			row.Used = &n
		}
		if row.sought(b.Sought) {
			b.Keys = append(b.Keys, row)
		}
	}
	at, found := parts.PageOf(r), len(b.Keys)
	first := min((at-1)*parts.PageSize, found)
	b.Keys = b.Keys[first:min(first+parts.PageSize, found)]
	b.Pager = parts.PagerOf(r, at, len(b.Keys), found)
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

// keyRow is a key in the list.
type keyRow struct {
	keys.Key
	Name  string // of its organization; empty: not in the data
	State string // as keys.State says
	Used  *int   // this month, by the organization over all its keys; nil: not known
}

// sought reports whether a text is in the name, the id or the own key of the organization,
// or in the label or the id of the key.
func (r *keyRow) sought(text string) bool {
	return r.Organization == dataset.ID(sport.KindOrganization, text) || slices.ContainsFunc([]string{r.Name, string(r.Organization), r.Label, r.ID}, func(of string) bool {
		return strings.Contains(strings.ToLower(of), strings.ToLower(text))
	})
}

// keyNames are those of the organizations of keys.
func (s *Server) keyNames(ctx context.Context, list []keys.Key) (map[sport.ID]string, error) {
	return database.NamesOf(ctx, s.options.Sports, keys.Organizations(list))
}
