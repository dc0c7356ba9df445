package webconsole

import (
	"net/http"

	"touchline/scripts/edits"
	"touchline/scripts/webconsole/parts"
	"touchline/shared/sport"
)

// sheetBody is the page of a match's line-ups and events.
type sheetBody struct {
	*edits.Sheet
	Faults []string // that belong to no row
}

func (s *Server) showSheet(w http.ResponseWriter, r *http.Request, status int, sheet *edits.Sheet, faults ...string) {
	title := sheet.Home.Name + " – " + sheet.Away.Name
	crumbs := parts.Crumbs("Data", "/data", title, dataPath(sport.KindMatch, sheet.ID))
	s.render(w, r, status, "sheet", page{Title: "Line-ups and events", Section: "data", Crumbs: crumbs, Body: sheetBody{sheet, faults}})
}

func (s *Server) editSheet(w http.ResponseWriter, r *http.Request) {
	sheet, err := s.book().Sheet(r.Context(), sport.ID(r.PathValue("id")), s.options.Now())
	if err != nil {
		s.missing(w, r, err)
		return
	}
	s.showSheet(w, r, http.StatusOK, sheet)
}

// saveSheet checks what was entered, and shows what it would change.
func (s *Server) saveSheet(w http.ResponseWriter, r *http.Request) {
	sheet, err := s.book().Sheet(r.Context(), sport.ID(r.PathValue("id")), s.options.Now())
	if err != nil {
		s.missing(w, r, err)
		return
	}
	if r.PostFormValue("was") != sheet.Was {
		s.showSheet(w, r, http.StatusConflict, sheet, "Somebody else has changed the line-ups or the events meanwhile. Here is what is stored now: enter yours again.")
		return
	}
	sheet.Read(r.PostForm)
	record, changed := sheet.Record()
	if !changed {
		s.showSheet(w, r, http.StatusUnprocessableEntity, sheet, "Nothing was entered that differs from what is stored.")
		return
	}
	title := sheet.Home.Name + " – " + sheet.Away.Name
	p := s.propose(w, r, title, dataPath(sport.KindMatch, sheet.ID), sport.KindMatch, nil, record)
	if p == nil {
		return
	}
	faults := []string{p.Trouble}
	if p.Faults != nil {
		faults = nil
		for _, fault := range p.Faults.List {
			if other := sheet.Blame(fault.Field, fault.Message); other != "" {
				faults = append(faults, other)
			}
		}
	}
	s.showSheet(w, r, http.StatusUnprocessableEntity, sheet, faults...)
}
