package site

import (
	"mime"
	"net/http"
	"path"
	"strings"
)

// policy is the content security policy of every page. No page may send anything
// anywhere.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"

// Handler serves the files of a site to GET and HEAD, with the policy of each
// page in its headers; / is the overview.
func Handler(files map[string][]byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "Only GET and HEAD are served.", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = "index.html"
		}
		h := w.Header()
		h.Set("Content-Security-Policy", policy+"; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache") // another build may be served at the same address later
		text, there := files[name]
		if !there {
			http.Error(w, "There is no such page.", http.StatusNotFound)
			return
		}
		h.Set("Content-Type", contentType(name))
		_, _ = w.Write(text) // the reader may be gone
	})
}

// contentType is the media type of a file. Files that browsers neither run nor show are
// plain text.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html", ".css", ".js", ".svg", ".json", ".xml":
		return mime.TypeByExtension(path.Ext(name))
	}
	return "text/plain; charset=utf-8"
}
