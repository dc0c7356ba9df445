package webconsole

import (
	"context"
	"crypto/rand"
	"net/http"
	"strconv"

	"touchline/scripts/edits"
	"touchline/scripts/webconsole/parts"
	"touchline/shared/loader"
	"touchline/shared/sport"
)

func (s *Server) touchlineRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /touchline/{id}", s.touchline)
	m.HandleFunc("POST /touchline/{id}", s.reported)
}

// touchlineBody is the page of a match for a person beside the pitch.
type touchlineBody struct {
	*edits.Live
	Mark string // of the next report
}

func (s *Server) touchline(w http.ResponseWriter, r *http.Request) {
	l, err := s.book().Live(r.Context(), sport.ID(r.PathValue("id")), s.options.Now())
	if err != nil {
		s.missing(w, r, err)
		return
	}
	crumbs := parts.Crumbs("Data", "/data", "The match", dataPath(sport.KindMatch, l.ID))
	s.render(w, r, http.StatusOK, "touchline", page{Title: l.Home.Name + " – " + l.Away.Name, Section: "data", Crumbs: crumbs, Body: touchlineBody{l, rand.Text()[:8]}})
}

// reported loads a report at once: there is no time for a look at the differences, and
// an undo takes it back.
func (s *Server) reported(w http.ResponseWriter, r *http.Request) {
	l, err := s.book().Live(r.Context(), sport.ID(r.PathValue("id")), s.options.Now())
	if err != nil {
		s.missing(w, r, err)
		return
	}
	number := func(name string) int {
		n, _ := strconv.Atoi(r.PostFormValue(name))
		return n
	}
	patch, err := l.Patch(edits.Report{
		What: r.PostFormValue("what"), Side: sport.Side(r.PostFormValue("side")), Minute: number("minute"),
		Player: r.PostFormValue("player"), Other: r.PostFormValue("other"),
		Score: sport.Score{Home: number("home"), Away: number("away")}, Mark: r.PostFormValue("mark"),
	})
	found := sessionOf(r)
	if err != nil {
		found.say("failed", "Nothing was changed: "+err.Error()+".")
		http.Redirect(w, r, r.URL.Path, http.StatusSeeOther) //nolint:gosec // a path of the console
		return
	}
	p, err := s.proposal(r.Context(), l.Home.Name+" – "+l.Away.Name, r.URL.Path, sport.KindMatch, patch)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	s.done(w, r, s.run(context.WithoutCancel(r.Context()), p, loader.Options{}), p.name+": reported", p.home())
}
