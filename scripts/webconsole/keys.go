package webconsole

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"touchline/scripts/webconsole/data"
	"touchline/scripts/webconsole/parts"
	"touchline/shared/keys"
	"touchline/shared/store/records"
)

func (s *Server) keyRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /keys", s.keyList)
	m.HandleFunc("GET /keys/new", s.newKey)
	m.HandleFunc("POST /keys/new", s.createKey)
	m.HandleFunc("GET /keys/{id}", s.key)
	m.HandleFunc("POST /keys/{id}/set", s.setKey)
	m.HandleFunc("POST /keys/{id}/rotate", s.changeKey(s.rotate))
	m.HandleFunc("POST /keys/{id}/retire", s.changeKey(s.retire))
	m.HandleFunc("POST /keys/{id}/revoke", s.changeKey(s.revoke))
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

// newKeyBody is the page that makes a key.
type newKeyBody struct {
	Form  keyForm
	Known []data.Viewpoint // organizations to suggest
}

func (s *Server) newKey(w http.ResponseWriter, r *http.Request) {
	f := emptyKeyForm()
	f.Organization = r.URL.Query().Get("organization")
	s.showNewKey(w, r, http.StatusOK, f)
}

func (s *Server) showNewKey(w http.ResponseWriter, r *http.Request, status int, f keyForm) {
	views, err := s.viewpoints(r.Context())
	if err != nil {
		views = nil // only suggested
	}
	s.render(w, r, status, "newkey", page{Title: "Make a key", Section: "keys", Crumbs: parts.Crumbs("Keys", "/keys"), Body: newKeyBody{f, views}})
}

func (s *Server) createKey(w http.ResponseWriter, r *http.Request) {
	f, req := readKeyForm(r.PostForm)
	if f.Organization == "" {
		f.Faults[string(keys.FieldOrganization)] = "name the organization, by its id or your own key for it"
	} else if item, err := s.options.Sports.Get(r.Context(), records.OrganizationKey(req.Organization), true); err == nil && item == nil {
		f.Faults[string(keys.FieldOrganization)] = "there is no such organization in the data"
	}
	if _, err := keys.NewKey(req, s.options.Now()); err != nil && !f.blame(err) {
		s.fault(w, r, err)
		return
	}
	if len(f.Faults) > 0 {
		s.showNewKey(w, r, http.StatusUnprocessableEntity, f)
		return
	}
	issued, err := s.options.Registry.Create(r.Context(), req)
	if err != nil {
		s.fault(w, r, err)
		return
	}
	sessionOf(r).keep(issued.Key.ID, issued.Secret.Reveal())
	say(w, r, "done", "The key is made. It works at once.", "/keys/"+issued.Key.ID)
}

// keyBody is the page of a key.
type keyBody struct {
	Key     keyRow
	Secret  string // shown once; empty: none
	Form    keyForm
	History []keys.Event // the newest first
}

func (s *Server) key(w http.ResponseWriter, r *http.Request) {
	s.showKey(w, r, http.StatusOK, nil)
}

// showKey is the page of a key, with a refused form if one is given.
func (s *Server) showKey(w http.ResponseWriter, r *http.Request, status int, refused *keyForm) {
	k, err := s.options.Registry.Store.Get(r.Context(), r.PathValue("id"))
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
	b := keyBody{Key: keyRow{Key: k, Name: names[k.Organization], State: keys.State(k, s.options.Now())}, Form: keyFormOf(k), Secret: sessionOf(r).takeSecret(k.ID)}
	for _, e := range slices.Backward(k.History) {
		b.History = append(b.History, e)
	}
	if refused != nil {
		b.Form = *refused
	}
	title := "Key " + k.ID
	if k.Label != "" {
		title = k.Label
	}
	s.render(w, r, status, "key", page{Title: title, Section: "keys", Crumbs: parts.Crumbs("Keys", "/keys"), Body: b})
}

func (s *Server) setKey(w http.ResponseWriter, r *http.Request) {
	f, req := readKeyForm(r.PostForm)
	if len(f.Faults) > 0 {
		s.showKey(w, r, http.StatusUnprocessableEntity, &f)
		return
	}
	id, none := r.PathValue("id"), []string{}
	changes := keys.Changes{Scopes: &none, Descendants: &req.Descendants, Allowlist: &none, MonthlyQuota: new(int), Label: &req.Label}
	if len(req.Scopes) > 0 {
		changes.Scopes = &req.Scopes
	}
	if len(req.Allowlist) > 0 {
		changes.Allowlist = &req.Allowlist
	}
	if req.MonthlyQuota != nil {
		changes.MonthlyQuota = req.MonthlyQuota
	}
	// The form has the date only: an expiry on the same day is left as it is.
	if k, err := s.options.Registry.Store.Get(r.Context(), id); err == nil && keyFormOf(k).Expires != f.Expires {
		if changes.ExpiresAt = &(time.Time{}); req.ExpiresAt != nil {
			changes.ExpiresAt = req.ExpiresAt
		}
	}
	before, after, err := s.options.Registry.Set(r.Context(), id, changes)
	switch {
	case err != nil && f.blame(err):
		s.showKey(w, r, http.StatusUnprocessableEntity, &f)
		return
	case err != nil:
		s.keyFault(w, r, err)
		return
	}
	text, changed := "Nothing was changed.", []string(nil)
	for _, c := range keys.Differences(before, after) {
		changed = append(changed, c.Name+" from "+cmp.Or(c.Before, "none")+" to "+cmp.Or(c.After, "none"))
	}
	if changed != nil {
		text = "Changed, everywhere within 60 seconds: " + strings.Join(changed, "; ")
	}
	say(w, r, "done", text, "/keys/"+url.PathEscape(id))
}

// changeKey makes a change, says what it did, and shows the key.
func (s *Server) changeKey(change func(*http.Request, string) (string, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id := r.PathValue("id")
		text, err := change(r, id)
		if err != nil {
			s.keyFault(w, r, err)
			return
		}
		say(w, r, "done", text, "/keys/"+url.PathEscape(id))
	}
}

// errUnmeant says that the box that confirms a change was not ticked.
var errUnmeant = errors.New("the box was not ticked")

func (s *Server) rotate(r *http.Request, id string) (string, error) {
	issued, err := s.options.Registry.Rotate(r.Context(), id)
	if err != nil {
		return "", err
	}
	sessionOf(r).keep(id, issued.Secret.Reveal())
	return "The key has a second secret. The older one works until you retire it.", nil
}

func (s *Server) retire(r *http.Request, id string) (string, error) {
	var err error
	if secret := r.PostFormValue("secret"); secret != "" {
		_, err = s.options.Registry.RetireSecret(r.Context(), id, secret)
	} else {
		_, err = s.options.Registry.Retire(r.Context(), id)
	}
	return "The secret is retired. It stops working within 60 seconds.", err
}

func (s *Server) revoke(r *http.Request, id string) (string, error) {
	if r.PostFormValue("meant") == "" {
		return "", errUnmeant
	}
	_, err := s.options.Registry.Revoke(r.Context(), id)
	return "The key is revoked. It stops working within 60 seconds.", err
}

// keyFault says what to do about a refused change.
func (s *Server) keyFault(w http.ResponseWriter, r *http.Request, err error) {
	text := ""
	switch {
	case errors.Is(err, keys.ErrUnknown):
		s.fail(w, r, http.StatusNotFound, "There is no such key", "Choose one from the list of keys.")
		return
	case errors.Is(err, errUnmeant):
		text = "Nothing was changed: tick the box to revoke the key."
	case errors.Is(err, keys.ErrRotating):
		text = "The key has two secrets already: retire the older one first."
	case errors.Is(err, keys.ErrNotRotating), errors.Is(err, keys.ErrUnknownSecret):
		text = "The key has one secret only, which stays."
	case errors.Is(err, keys.ErrRevoked):
		text = "The key is revoked: make another one."
	default:
		s.fault(w, r, err)
		return
	}
	say(w, r, "failed", text, "/keys/"+url.PathEscape(r.PathValue("id")))
}
