package webconsole

import (
	"context"
	"net"
	"net/http"
	"strings"
)

// policy lets a page load files from the console and send forms to it. It has no
// unsafe-inline: styles and scripts are in files.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// maxForm bounds a POST, except for uploads, in bytes.
const maxForm = 1 << 20

type sessionKey struct{}

// sessionOf is the session that a request comes from; nil: none.
func sessionOf(r *http.Request) *session {
	s, _ := r.Context().Value(sessionKey{}).(*session)
	return s
}

// redirect leads to a page. All paths are below one that no other program knows: browsers
// send the cookie to every port of a host, so that a page of another user of the machine on
// a port of theirs would get it, but only to this path.
func (s *Server) redirect(w http.ResponseWriter, r *http.Request, to string) {
	http.Redirect(w, r, s.root+to, http.StatusSeeOther) //nolint:gosec // below the root, on this machine
}

// cookieName contains the port, since browsers send a cookie to every port of a
// host, and a machine may run two consoles.
func cookieName(host string) string {
	_, port, _ := net.SplitHostPort(host)
	return "touchline-console-" + port
}

// guard sets the headers of every response and refuses requests that do not come
// from a page of this console.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer") // which would tell the path
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if !s.ours(r.Host) {
			http.Error(w, "This is the Touchline console of another address.", http.StatusForbidden)
			return
		}
		if !sameOrigin(r) {
			http.Error(w, "Another page sent this request: open the console's own address.", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ours reports whether a Host header is an address of this console: the one it
// listens on, or localhost with its port.
func (s *Server) ours(host string) bool {
	_, port, err := net.SplitHostPort(s.options.Addr)
	return err == nil && (host == s.options.Addr || strings.EqualFold(host, "localhost:"+port))
}

// sameOrigin reports whether a request comes from a page of this console, or
// from somebody who has typed its address. Browsers of recent years send
// Sec-Fetch-Site with every request; all of them send Origin with a POST.
func sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" && !arrival(r) {
		return false
	}
	switch origin := r.Header.Get("Origin"); {
	case origin == "null": // of our own forms, which send no referrer
		return r.Header.Get("Sec-Fetch-Site") == "same-origin"
	case origin != "":
		return origin == "http://"+r.Host
	default:
		return r.Method == http.MethodGet || r.Method == http.MethodHead
	}
}

// arrival reports whether a request follows the first address, which may be a
// link on a page elsewhere, such as a terminal in the browser.
func arrival(r *http.Request) bool {
	return r.Method == http.MethodGet && r.URL.Path == loginPath && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// loggedIn lets requests through that have the cookie of a session, and reads their forms.
func (s *Server) loggedIn(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var found *session
		if cookie, err := r.Cookie(cookieName(r.Host)); err == nil {
			found = s.door.find(cookie.Value)
		}
		if found == nil {
			s.fail(w, r, http.StatusForbidden, "You are not logged in", "Open the address that the console printed last in its terminal. Each address works once.")
			return
		}
		r = r.WithContext(context.WithValue(r.Context(), sessionKey{}, found))
		if s.options.ReadOnly && r.Method == http.MethodPost {
			s.fail(w, r, http.StatusForbidden, "You may not do that here", "This console was started with --read-only.")
			return
		}
		if r.Method == http.MethodPost && r.URL.Path != uploadPath {
			r.Body = http.MaxBytesReader(w, r.Body, maxForm)
			if err := r.ParseForm(); err != nil {
				s.fail(w, r, http.StatusBadRequest, "That is no form of the console", "Load the page again and repeat what you did.")
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// loginPath is the path of the first address.
const loginPath = "/login"

// login exchanges the token of the first address for a cookie.
func (s *Server) login(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet { // a HEAD of a program that looks at links
		w.WriteHeader(http.StatusNoContent)
		return
	}
	name := cookieName(r.Host)
	if cookie, err := r.Cookie(name); err == nil && s.door.find(cookie.Value) != nil {
		s.redirect(w, r, "/")
		return
	}
	found := s.door.exchange(r.URL.Query().Get("token"))
	if found == nil {
		s.fail(w, r, http.StatusForbidden, "This address was used before", "Open the address that the console printed last in its terminal. Each address works once.")
		return
	}
	//nolint:gosec // not Secure: the console is reached over http on this machine only
	http.SetCookie(w, &http.Cookie{Name: name, Value: found.id, Path: s.root + "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	s.options.Announce(s.Address())
	if arrival(r) && r.Header.Get("Sec-Fetch-Site") == "cross-site" {
		// Browsers do not send a strict cookie with a redirect that began on a
		// page elsewhere.
		s.render(w, r, http.StatusOK, "arrived", page{Title: "Logged in"})
		return
	}
	s.redirect(w, r, "/")
}
