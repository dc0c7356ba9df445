package webconsole

import (
	"crypto/rand"
	"crypto/subtle"
	"slices"
	"sync"
	"time"
)

// maxSessions bounds the browsers that are logged in at the same time; one more
// ends the oldest session.
const maxSessions = 32

// sessionTerm is how long a browser stays logged in: a day's work, so that one
// that was left open is not an operator's for good.
const sessionTerm = 12 * time.Hour

// session is a browser that is logged in.
type session struct {
	id   string // value of the cookie
	ends time.Time

	mu    sync.Mutex
	notes []note     // to be shown on the next page
	held  []*pending // what was checked but not applied, each of a tab, the newest last
}

// maxHeld bounds what is held of a session; one more drops the oldest.
const maxHeld = 8

// hold keeps what was checked.
func (s *session) hold(p *pending) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held = append(s.held, p); len(s.held) > maxHeld {
		s.held[0].remove()
		s.held = slices.Delete(s.held, 0, 1)
	}
}

// pending is what is held under an id, empty for the newest; nil: nothing is. Take says that
// it is held no longer.
func (s *session) pending(id string, take bool) *pending {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, p := range slices.Backward(s.held) {
		if id == "" || p.Held == id {
			if take {
				s.held = slices.Delete(s.held, i, i+1)
			}
			return p
		}
	}
	return nil
}

// names are what is held, the newest first.
func (s *session) names() (all []pending) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range slices.Backward(s.held) {
		all = append(all, *p)
	}
	return all
}

// end removes what is held.
func (s *session) end() {
	for p := s.pending("", true); p != nil; p = s.pending("", true) {
		p.remove()
	}
}

// note is a message about what was done.
type note struct {
	Kind string // done or failed
	Text string
}

func (s *session) say(kind, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes = append(s.notes, note{kind, text})
}

// takeNotes returns the messages that no page has shown yet.
func (s *session) takeNotes() []note {
	s.mu.Lock()
	defer s.mu.Unlock()
	notes := s.notes
	s.notes = nil
	return notes
}

// doorman admits browsers. newToken makes a token for one.
type doorman struct {
	now func() time.Time

	mu       sync.Mutex
	token    string // of the login to come; empty: no login
	sessions []*session
}

// newToken makes the token for the next login, which replaces the one before.
func (d *doorman) newToken() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.token = rand.Text()
	return d.token
}

// exchange returns a session for the token, which can be used once; nil for any
// other token.
func (d *doorman) exchange(token string) *session {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.token == "" || !same(d.token, token) {
		return nil
	}
	d.token = ""
	s := &session{id: rand.Text(), ends: d.now().Add(sessionTerm)}
	d.sessions = append(d.sessions, s)
	if len(d.sessions) > maxSessions {
		d.sessions[0].end()
		d.sessions = slices.Delete(d.sessions, 0, 1)
	}
	return s
}

// find returns the session of a cookie; nil if there isn't one. It always compares
// with every session.
func (d *doorman) find(id string) *session {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now()
	d.sessions = slices.DeleteFunc(d.sessions, func(s *session) bool {
		over := !now.Before(s.ends)
		if over {
			s.end()
		}
		return over
	})
	var found *session
	for _, s := range d.sessions {
		if same(s.id, id) {
			found = s
		}
	}
	return found
}

// same compares in a time that does not depend on where the two differ.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// close ends every session.
func (d *doorman) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.sessions {
		s.end()
	}
	d.token, d.sessions = "", nil
}
