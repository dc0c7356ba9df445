package webconsole

import (
	"errors"
	"fmt"
	"net/http"

	"touchline/scripts/webconsole/data"
)

func (s *Server) dataRoutes(m *http.ServeMux) {
	s.source = &data.Source{Sports: s.options.Sports, Keys: s.options.Keys, Now: s.options.Now, Report: s.options.Report}
	for _, a := range data.Addresses() {
		m.HandleFunc("GET "+a.Path, s.data(a.Template, a.Make))
	}
}

// data makes a page of what the API returns.
func (s *Server) data(name string, make data.Maker) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		a, err := s.source.Asker(r.Context())
		if err != nil {
			s.fault(w, r, err)
			return
		}
		if a == nil {
			s.render(w, r, http.StatusOK, "empty", page{Title: "There is no data yet", Section: "data"})
			return
		}
		made, err := make(r.Context(), a, r)
		refused, ok := errors.AsType[data.RefusedError](err)
		switch {
		case ok && refused.Status == http.StatusNotFound:
			s.fail(w, r, http.StatusNotFound, "Not found", "There is no such record, or it is hidden.")
		case ok:
			s.fail(w, r, refused.Status, "The API refused", "The terminal of the console says why, where it is a fault.")
		case err != nil:
			s.fault(w, r, err)
		default:
			s.render(w, r, http.StatusOK, name, page{Title: made.Title, Section: "data", Crumbs: made.Crumbs, Body: made.Body})
		}
	}
}

// fault reports an error to the terminal, and says to the browser that there was
// one.
func (s *Server) fault(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() == nil {
		s.options.Report(fmt.Errorf("%s %s: %w", r.Method, r.URL.Path, err))
	}
	s.fail(w, r, http.StatusInternalServerError, "That did not work", "The database could not be read. The terminal of the console says why.")
}
