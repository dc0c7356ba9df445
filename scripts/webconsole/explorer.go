package webconsole

import (
	"net/http"

	"touchline/scripts/webconsole/explorer"
)

func (s *Server) explorerRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /explorer", func(w http.ResponseWriter, r *http.Request) { s.explore(w, r, "layout") })
	m.HandleFunc("GET /explorer/preview", func(w http.ResponseWriter, r *http.Request) { s.explore(w, r, "preview") })
	m.HandleFunc("POST /explorer", func(w http.ResponseWriter, r *http.Request) { s.explore(w, r, "layout") })
}

func (s *Server) explore(w http.ResponseWriter, r *http.Request, part string) {
	if err := r.ParseForm(); err != nil {
		s.fail(w, r, http.StatusBadRequest, "That is no request", "Choose an operation.")
		return
	}
	x := &explorer.Explorer{Registry: s.options.Registry, Keys: s.keys, BaseURL: s.options.BaseURL, Now: s.options.Now, Report: s.options.Report}
	b, err := x.Body(r.Context(), r.Form)
	if err != nil {
		s.fault(w, r, err)
		return
	}
	if r.Method == http.MethodPost {
		x.Send(r.Context(), &b, r.PostFormValue("do") == "curl")
	}
	s.renderPart(w, r, http.StatusOK, "explorer", part, page{Title: "Explorer", Section: "explorer", Body: b})
}
