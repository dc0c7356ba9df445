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
	for _, path := range []string{"/edit/{kind}/new", "/edit/{kind}/{id}"} {
		m.HandleFunc("GET "+path, s.formed(s.editRecord))
		m.HandleFunc("POST "+path, s.formed(s.saveRecord))
	}
	m.HandleFunc("POST /edit/{kind}/{id}/delete", s.formed(s.deleteRecord))
	m.HandleFunc("GET /edit/match/{id}/sheet", s.editSheet)
	m.HandleFunc("POST /edit/match/{id}/sheet", s.saveSheet)
}

// editBody is the page of a record's form.
type editBody struct {
	Form   *edits.Form
	Faults []string // that belong to no field
	Back   string   // the page to return to
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
	folder := string(kind) + "s"
	if kind == sport.KindMatch {
		folder = "matches"
	}
	return "/data/" + folder + "/" + url.PathEscape(string(id))
}

func (s *Server) showForm(w http.ResponseWriter, r *http.Request, status int, f *edits.Form, faults []string) {
	title, crumbs := f.Title(), parts.Crumbs("Data", "/data")
	if f.ID != "" {
		crumbs = append(crumbs, parts.Crumb{Name: title, Path: dataPath(f.Kind, f.ID)})
		title = "Edit " + title
	}
	s.render(w, r, status, "edit", page{Title: title, Section: "data", Crumbs: crumbs, Body: editBody{f, faults, cameFrom(r, f)}})
}

// formed has the form of the record that a request names, or of a new one, for a handler.
func (s *Server) formed(then func(http.ResponseWriter, *http.Request, *edits.Form)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		f, err := s.form(r)
		if err != nil {
			s.missing(w, r, err)
			return
		}
		then(w, r, f)
	}
}

// form is the form of a record; values of a new one come from the address.
func (s *Server) form(r *http.Request) (*edits.Form, error) {
	q, kind, id := r.URL.Query(), kindIn(r), sport.ID(r.PathValue("id"))
	season, _ := strconv.Atoi(q.Get("season"))
	if id != "" {
		return s.book().Form(r.Context(), kind, id, max(season, 0))
	}
	competition := sport.ID(q.Get("competitionId"))
	if kind == "" || (kind == sport.KindMatch || kind == sport.KindTeam) && !sport.IsID(string(competition)) {
		return nil, edits.ErrNotFound
	}
	return s.book().NewForm(r.Context(), kind, competition, max(season, 0), q)
}

func (s *Server) editRecord(w http.ResponseWriter, r *http.Request, f *edits.Form) {
	s.showForm(w, r, http.StatusOK, f, nil)
}

// saveRecord checks what was entered, and shows what it would change.
func (s *Server) saveRecord(w http.ResponseWriter, r *http.Request, f *edits.Form) {
	title, back, made, how := f.Title(), cameFrom(r, f), f.ID == "", r.PostFormValue("arrange")
	f.Read(r.PostForm)
	if f.Kind == sport.KindMatch && !made {
		f.Rule(r.PostFormValue("ruling"))
	}
	taken, err := false, error(nil)
	if made && how == "" {
		title, back = title+" "+f.Key, afterNew(r, f)
		taken, err = s.book().Taken(r.Context(), f)
	}
	switch {
	case err != nil:
		s.fault(w, r, err)
	case f.Stale():
		s.showForm(w, r, http.StatusConflict, f, nil)
	case how != "": // a row of a list is to be moved, or there are to be more
		f.Arrange(how)
		s.showForm(w, r, http.StatusOK, f, nil)
	case taken:
		s.showForm(w, r, http.StatusUnprocessableEntity, f, []string{"Another " + string(f.Kind) + " has the key " + f.Key + "."})
	case !f.Changes():
		s.showForm(w, r, http.StatusUnprocessableEntity, f, []string{"Nothing was entered that differs from what is stored."})
	default:
		s.proposeRecord(w, r, f, f.Record(), title, back)
	}
}

// proposeRecord proposes a record that a form has made, or shows the form with its faults.
func (s *Server) proposeRecord(w http.ResponseWriter, r *http.Request, f *edits.Form, record edits.Object, title, back string) {
	p := s.propose(w, r, title, back, f.Kind, nil, record)
	if p == nil {
		return
	}
	faults := []string{p.Trouble}
	if p.Faults != nil {
		faults = f.Blame(p.Faults)
	}
	s.showForm(w, r, http.StatusUnprocessableEntity, f, faults)
}

// cameFrom is the page that leads to a form: that of the record, or of what a new one
// belongs to.
func cameFrom(r *http.Request, f *edits.Form) string {
	q := r.URL.Query()
	of := map[sport.Kind]struct {
		kind  sport.Kind
		field string
	}{
		sport.KindOrganization: {sport.KindOrganization, "parentId"}, sport.KindCompetition: {sport.KindOrganization, "organizationId"},
		sport.KindTeam: {sport.KindCompetition, "competitionId"}, sport.KindPlayer: {sport.KindTeam, "teamId"},
	}[f.Kind]
	id := sport.ID(q.Get(of.field))
	switch {
	case f.ID != "":
		of.kind, id = f.Kind, f.ID
	case f.Kind == sport.KindMatch:
		return parts.WithQuery("/fixtures/"+url.PathEscape(q.Get("competitionId")), "season", q.Get("season"), "round", f.Field("round").Value)
	case !sport.IsID(string(id)):
		return "/data"
	}
	return parts.WithQuery(dataPath(of.kind, id), "season", q.Get("season"))
}

// afterNew is the page to go to from a new record: where the next one is made.
func afterNew(r *http.Request, f *edits.Form) string {
	if f.Kind == sport.KindOrganization || f.Kind == sport.KindCompetition || f.Kind == sport.KindPlayer && !sport.IsID(r.URL.Query().Get("teamId")) {
		return dataPath(f.Kind, dataset.ID(f.Kind, f.Key))
	}
	return cameFrom(r, f)
}

// deleteRecord shows what the deletion of a record would change.
func (s *Server) deleteRecord(w http.ResponseWriter, r *http.Request, f *edits.Form) {
	record := edits.Object{"id": f.Key, "deleted": true}
	if f.Kind == sport.KindCompetition {
		record["season"] = f.Season
	}
	s.proposeRecord(w, r, f, record, "Delete "+f.Title(), "/data")
}
