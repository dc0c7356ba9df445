package webconsole

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

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
