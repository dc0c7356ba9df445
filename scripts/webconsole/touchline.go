package webconsole

import (
	"context"
	"crypto/rand"
	"net/http"
	"strconv"
	"strings"

	"touchline/scripts/edits"
	"touchline/scripts/webconsole/parts"
	"touchline/shared/loader"
	"touchline/shared/sport"
)

func (s *Server) touchlineRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /touchline/{id}", s.touchline)
	m.HandleFunc("POST /touchline/{id}", s.reported)
	m.HandleFunc("POST /touchline/{id}/undo", s.takeBack)
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
	what, period, _ := strings.Cut(r.PostFormValue("what"), " ")
	patch, err := l.Patch(edits.Report{
		What: what, Period: sport.Period(period), Side: sport.Side(r.PostFormValue("side")), Minute: number("minute"),
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

// takeBack undoes the last report of a match, which has to be the last load of all: a
// later one of something else stays.
func (s *Server) takeBack(w http.ResponseWriter, r *http.Request) {
	id, back := sport.ID(r.PathValue("id")), "/touchline/"+r.PathValue("id")
	l, err := s.book().Live(r.Context(), id, s.options.Now())
	if err == nil {
		err = s.mine(r.Context(), sport.KindMatch, edits.Object{"id": l.Key})
	}
	if err != nil {
		s.missing(w, r, err)
		return
	}
	s.loading.Lock()
	defer s.loading.Unlock()
	all, err := loader.Loads(r.Context(), s.options.Sports)
	if err != nil {
		s.fault(w, r, err)
		return
	}
	if why := notLast(all, id); why != "" {
		sessionOf(r).say("failed", "Nothing was undone: "+why)
		http.Redirect(w, r, back, http.StatusSeeOther) //nolint:gosec // a path of the console
		return
	}
	ctx := context.WithoutCancel(r.Context())
	report, _, err := s.options.Loader().Undo(ctx, loader.Options{Note: "the last report was wrong"})
	s.done(w, r, s.resultOf(ctx, report, err), "The last report is undone", back)
}

// notLast says why the last load is no report of a match; empty: it is one.
func notLast(all []loader.Past, match sport.ID) string {
	if len(all) == 0 || all[0].Report == nil {
		return "no report is kept. Correct the score or the events instead."
	}
	last := all[0]
	if last.Undoes > 0 {
		return "the last report is undone already. To go further back, correct the score or the events."
	}
	changes := last.Report.Changes
	if len(changes) != 1 || last.More > 0 || changes[0].Kind != sport.KindMatch || changes[0].ID != match {
		return "something else was saved after the last report of this match. Correct the score or the events instead."
	}
	return ""
}
