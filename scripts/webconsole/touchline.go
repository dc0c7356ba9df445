package webconsole

import (
	"context"
	"crypto/rand"
	"errors"
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
	Last int    // the number of the load with the last report of this session; 0: none
}

func (s *Server) touchline(w http.ResponseWriter, r *http.Request) {
	l, err := s.book().Live(r.Context(), sport.ID(r.PathValue("id")), s.options.Now())
	if err != nil {
		s.missing(w, r, err)
		return
	}
	crumbs := parts.Crumbs("Data", "/data", "The match", dataPath(sport.KindMatch, l.ID))
	s.render(w, r, http.StatusOK, "touchline", page{Title: l.Home.Name + " – " + l.Away.Name, Section: "data", Crumbs: crumbs, Body: touchlineBody{l, rand.Text()[:8], sessionOf(r).reports.Last(l.ID)}})
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
	what, of, _ := strings.Cut(r.PostFormValue("what"), " ") // what a button says, such as "periodEnd period1" or "points 3"
	points, err := strconv.Atoi(of)
	if err != nil {
		points = number("points")
	}
	patch, err := l.Patch(edits.Report{
		What: what, Period: sport.Period(of), Side: sport.Side(r.PostFormValue("side")), Minute: number("minute"),
		Player: r.PostFormValue("player"), Other: r.PostFormValue("other"),
		Score: sport.Score{Home: number("home"), Away: number("away")}, Mark: r.PostFormValue("mark"),
		Points: points,
	})
	if err != nil {
		say(w, r, "failed", "Nothing was changed: "+err.Error()+".", r.URL.Path)
		return
	}
	p, err := s.proposal(r.Context(), l.Home.Name+" – "+l.Away.Name, r.URL.Path, sport.KindMatch, patch)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	out := s.run(context.WithoutCancel(r.Context()), p, loader.Options{})
	if out.Report != nil {
		sessionOf(r).reports.Add(l.ID, out.Report.Number)
	}
	s.done(w, r, out, p.name+": reported", p.home())
}

// takeBack undoes a report of a match that this session has made: by its number, so that
// whatever was loaded since stays.
func (s *Server) takeBack(w http.ResponseWriter, r *http.Request) {
	id, back := sport.ID(r.PathValue("id")), "/touchline/"+r.PathValue("id")
	found := sessionOf(r)
	number, _ := strconv.Atoi(r.PostFormValue("load"))
	if number == 0 || number != found.reports.Last(id) {
		say(w, r, "failed", "Nothing was undone: this is not the last report that was made here. Look again.", back)
		return
	}
	s.loading.Lock()
	defer s.loading.Unlock()
	ctx := context.WithoutCancel(r.Context())
	report, _, err := s.options.Loader().Undo(ctx, loader.Options{Load: number, Note: "the report was wrong"})
	out := s.resultOf(ctx, report, err)
	if errors.As(err, new(*loader.ChangedError)) {
		out.Trouble = "Nothing was undone: the match was changed since. Correct the score or the events instead."
	}
	if out.Trouble == "" || errors.As(err, new(*loader.UndoneError)) {
		found.reports.Drop(id)
	}
	s.done(w, r, out, "The report is undone", back)
}
