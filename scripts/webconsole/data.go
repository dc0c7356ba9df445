package webconsole

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"touchline/scripts/webconsole/data"
	"touchline/shared/keys"
	"touchline/shared/sport"
)

// viewerCookie holds the organization as whose key data is looked at.
const viewerCookie = "touchline-console-as"

// viewerPath is where it is chosen.
const viewerPath = "/data/as"

func (s *Server) dataRoutes(m *http.ServeMux) {
	m.HandleFunc("POST "+viewerPath, s.chooseViewer)
	for _, a := range data.Addresses() {
		handler := s.data(a.Template, a.Make)
		if a.Path == data.SearchPath {
			handler = s.pasted(handler)
		}
		m.HandleFunc("GET "+a.Path, handler)
	}
}

// source is where the pages of data come from.
func (s *Server) source() *data.Source {
	return &data.Source{Sports: s.options.Sports, Keys: s.options.Keys, Now: s.options.Now, Report: s.options.Report}
}

// chooseViewer keeps the organization as whose key data is looked at.
func (s *Server) chooseViewer(w http.ResponseWriter, r *http.Request) {
	if as := r.PostFormValue("as"); sport.IsID(as) {
		//nolint:gosec // not Secure: the console is reached over http on this machine only
		http.SetCookie(w, &http.Cookie{Name: viewerCookie, Value: as, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	}
	http.Redirect(w, r, "/data", http.StatusSeeOther)
}

// viewer is the organization chosen, else the first.
func viewer(r *http.Request, views []data.Viewpoint) data.Viewpoint {
	if cookie, err := r.Cookie(viewerCookie); err == nil {
		for _, v := range views {
			if string(v.ID) == cookie.Value {
				return v
			}
		}
	}
	return views[0]
}

// data makes a page of what the API returns.
func (s *Server) data(name string, make data.Maker) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		views, err := s.source().Viewpoints(r.Context())
		if err != nil {
			s.fault(w, r, err)
			return
		}
		if len(views) == 0 {
			s.render(w, r, http.StatusOK, "empty", page{Title: "There is no data yet", Section: "data"})
			return
		}
		a := s.source().Asker(viewer(r, views).ID)
		made, err := make(r.Context(), a, r)
		p := page{
			Title: made.Title, Crumbs: made.Crumbs, Body: made.Body,
			Section: "data", Asked: a.Exchanges(), Views: views, Viewer: viewer(r, views),
		}
		refused, ok := errors.AsType[data.RefusedError](err)
		switch {
		case ok && refused.Status == http.StatusNotFound:
			p.Title, p.Body = "Not found", trouble{Todo: "There is no such record, or a key of " + p.Viewer.Name + " may not see it."}
			s.render(w, r, http.StatusNotFound, "trouble", p)
		case ok:
			p.Title, p.Body = "The API refused", trouble{Todo: "Its response is below."}
			s.render(w, r, http.StatusOK, "trouble", p)
		case err != nil:
			s.fault(w, r, err)
		case made.Elsewhere != "":
			http.Redirect(w, r, made.Elsewhere, http.StatusSeeOther)
		default:
			s.render(w, r, http.StatusOK, name, p)
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

// pasted leads to the page of the request, or of the key, whose id is looked for; any other
// text is looked for among the data.
func (s *Server) pasted(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		text := strings.TrimSpace(r.URL.Query().Get("q"))
		if id, err := uuid.Parse(text); err == nil {
			http.Redirect(w, r, "/requests/"+id.String(), http.StatusSeeOther) //nolint:gosec // of a UUID that was parsed
			return
		}
		if keys.IsID(text) {
			if _, err := s.options.Keys.Get(r.Context(), text); !errors.Is(err, keys.ErrUnknown) {
				http.Redirect(w, r, "/keys/"+url.PathEscape(text), http.StatusSeeOther)
				return
			}
		}
		next(w, r)
	}
}
