package webconsole

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"touchline/scripts/webconsole/data"
	"touchline/shared/keys"
)

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
			if _, err := s.keys.Store.Get(r.Context(), text); !errors.Is(err, keys.ErrUnknown) {
				http.Redirect(w, r, "/keys/"+url.PathEscape(text), http.StatusSeeOther)
				return
			}
		}
		next(w, r)
	}
}

// near are the records that may have been meant by a path whose record is not there.
func (s *Server) near(r *http.Request) []data.Record {
	found, err := s.source().Near(r)
	if err != nil {
		s.options.Report(err)
	}
	return found
}
