package webconsole

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"touchline/scripts/edits"
	"touchline/scripts/webconsole/parts"
	"touchline/shared/dataset"
	"touchline/shared/sport"
)

func (s *Server) editRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /edit/{kind}/new", s.newRecord)
	m.HandleFunc("POST /edit/{kind}/new", s.makeRecord)
	m.HandleFunc("GET /edit/{kind}/{id}", s.editRecord)
	m.HandleFunc("POST /edit/{kind}/{id}", s.saveRecord)
	m.HandleFunc("POST /edit/{kind}/{id}/delete", s.deleteRecord)
	m.HandleFunc("GET /edit/match/{id}/sheet", s.editSheet)
	m.HandleFunc("POST /edit/match/{id}/sheet", s.saveSheet)
}

// editBody is the page of a record's form.
type editBody struct {
	Form   *edits.Form
	Faults []string // that belong to no field
}

// kindIn is the kind that a path names; empty: there is no such.
func kindIn(r *http.Request) sport.Kind {
	kind := sport.Kind(r.PathValue("kind"))
	if !slices.Contains([]sport.Kind{sport.KindOrganization, sport.KindCompetition, sport.KindTeam, sport.KindPlayer, sport.KindMatch}, kind) {
		return ""
	}
	return kind
}

// dataPath is the page of a record.
func dataPath(kind sport.Kind, id sport.ID) string {
	folder := map[sport.Kind]string{sport.KindMatch: "matches"}[kind]
	if folder == "" {
		folder = string(kind) + "s"
	}
	return "/data/" + folder + "/" + url.PathEscape(string(id))
}

func (s *Server) showForm(w http.ResponseWriter, r *http.Request, status int, f *edits.Form, faults []string) {
	b := editBody{Form: f, Faults: faults}
	crumbs := parts.Crumbs("Data", "/data")
	if f.ID != "" {
		crumbs = append(crumbs, parts.Crumb{Name: f.Title(), Path: dataPath(f.Kind, f.ID)})
	}
	title := "Edit " + f.Title()
	if f.ID == "" {
		title = f.Title()
	}
	s.render(w, r, status, "edit", page{Title: title, Section: "data", Crumbs: crumbs, Body: b})
}

// form is the form of the record that a request names.
func (s *Server) form(r *http.Request) (*edits.Form, error) {
	season, _ := strconv.Atoi(r.URL.Query().Get("season"))
	return s.book().Form(r.Context(), kindIn(r), sport.ID(r.PathValue("id")), max(season, 0))
}

func (s *Server) editRecord(w http.ResponseWriter, r *http.Request) {
	f, err := s.form(r)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	s.showForm(w, r, http.StatusOK, f, nil)
}

// saveRecord checks what was entered, and shows what it would change.
func (s *Server) saveRecord(w http.ResponseWriter, r *http.Request) {
	f, err := s.form(r)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	title := f.Title()
	f.Read(r.PostForm)
	if f.Kind == sport.KindMatch {
		f.Rule(r.PostFormValue("ruling"))
	}
	if f.Stale() {
		s.showForm(w, r, http.StatusConflict, f, nil)
		return
	}
	if !f.Changes() {
		s.showForm(w, r, http.StatusUnprocessableEntity, f, []string{"Nothing was entered that differs from what is stored."})
		return
	}
	s.proposeRecord(w, r, f, f.Record(), title, dataPath(f.Kind, f.ID))
}

// proposeRecord proposes a record that a form has made, or shows the form with its faults.
func (s *Server) proposeRecord(w http.ResponseWriter, r *http.Request, f *edits.Form, record edits.Object, title, back string) {
	p, err := s.proposal(r.Context(), title, back, f.Kind, record)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	if s.propose(w, r, p) {
		return
	}
	faults := []string{p.Trouble}
	if p.Faults != nil {
		faults = f.Blame(p.Faults)
	}
	s.showForm(w, r, http.StatusUnprocessableEntity, f, faults)
}

// blank is the form of a new record: values come from the address.
func (s *Server) blank(r *http.Request) (*edits.Form, error) {
	q := r.URL.Query()
	season, _ := strconv.Atoi(q.Get("season"))
	competition := sport.ID(q.Get("competitionId"))
	kind := kindIn(r)
	if kind == "" || (kind == sport.KindMatch || kind == sport.KindTeam) && !sport.IsID(string(competition)) {
		return nil, edits.ErrNotFound
	}
	return s.book().NewForm(r.Context(), kind, competition, max(season, 0), q)
}

func (s *Server) newRecord(w http.ResponseWriter, r *http.Request) {
	f, err := s.blank(r)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	s.showForm(w, r, http.StatusOK, f, nil)
}

// makeRecord checks a new record, and shows what it would change.
func (s *Server) makeRecord(w http.ResponseWriter, r *http.Request) {
	f, err := s.blank(r)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	f.Read(r.PostForm)
	taken, err := s.book().Taken(r.Context(), f)
	if err != nil {
		s.fault(w, r, err)
		return
	}
	if taken {
		s.showForm(w, r, http.StatusUnprocessableEntity, f, []string{"Another " + string(f.Kind) + " has the key " + f.Key + "."})
		return
	}
	s.proposeRecord(w, r, f, f.Record(), f.Title()+" "+f.Key, afterNew(r, f))
}

// afterNew is the page to go to from a new record: where the next one is made.
func afterNew(r *http.Request, f *edits.Form) string {
	q := r.URL.Query()
	of := sport.ID(q.Get("competitionId"))
	switch {
	case f.Kind == sport.KindTeam:
		return parts.WithQuery(dataPath(sport.KindCompetition, of), "season", q.Get("season"))
	case f.Kind == sport.KindMatch:
		return parts.WithQuery("/fixtures/"+url.PathEscape(string(of)), "season", q.Get("season"), "round", f.Field("round").Value)
	case f.Kind == sport.KindPlayer && sport.IsID(q.Get("teamId")):
		return dataPath(sport.KindTeam, sport.ID(q.Get("teamId")))
	}
	return dataPath(f.Kind, dataset.ID(f.Kind, f.Key))
}

// deleteRecord shows what the deletion of a record would change.
func (s *Server) deleteRecord(w http.ResponseWriter, r *http.Request) {
	f, err := s.form(r)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	record := edits.Object{"id": f.Key, "deleted": true}
	if f.Kind == sport.KindCompetition {
		record["season"] = f.Season
	}
	s.proposeRecord(w, r, f, record, "Delete "+f.Title(), "/data")
}
