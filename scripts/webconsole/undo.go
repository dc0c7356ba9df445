package webconsole

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"touchline/scripts/webconsole/parts"
	"touchline/shared/loader"
	"touchline/shared/loader/history"
)

// past is the load that a path names, with all since; nil: there is no such, and
// the page says so.
func (s *Server) past(w http.ResponseWriter, r *http.Request) (*history.Past, []history.Past) {
	n, _ := strconv.Atoi(r.PathValue("number"))
	all, err := loader.Loads(r.Context(), s.options.Sports, history.Range{From: n})
	if err != nil {
		s.fault(w, r, err)
		return nil, nil
	}
	i := slices.IndexFunc(all, func(p history.Past) bool { return p.Number == n })
	if i < 0 {
		s.fail(w, r, http.StatusNotFound, "This load is not kept", "It is too old, or there was no such load. The list of the loads has those that are kept.")
		return nil, nil
	}
	return &all[i], all
}

// loadPage is the page of a past load.
type loadPage struct {
	Past   pastLoad
	Result outcome
}

func (s *Server) load(w http.ResponseWriter, r *http.Request) {
	past, all := s.past(w, r)
	if past == nil {
		return
	}
	b := loadPage{pastOf(*past, all), outcome{Report: past.Report}}
	s.render(w, r, http.StatusOK, "load", page{Title: loadName(past), Section: "loads", Crumbs: parts.Crumbs("Loads", "/loads"), Body: b})
}

func loadName(p *history.Past) string { return fmt.Sprintf("Load %d", p.Number) }

func (s *Server) undoPreview(w http.ResponseWriter, r *http.Request) {
	past, _ := s.past(w, r)
	if past == nil {
		return
	}
	report, _, err := s.options.Loader().Undo(r.Context(), loader.Options{DryRun: true, Diff: true, Load: past.Number})
	number := strconv.Itoa(past.Number)
	crumbs := parts.Crumbs("Loads", "/loads", loadName(past), "/loads/"+number)
	s.render(w, r, http.StatusOK, "undo", page{Title: "Undo load " + number, Section: "loads", Crumbs: crumbs, Body: s.resultOf(r.Context(), report, err)})
}

func (s *Server) undo(w http.ResponseWriter, r *http.Request) {
	past, _ := s.past(w, r)
	if past == nil {
		return
	}
	note, ok := reason(r)
	if !ok {
		http.Redirect(w, r, r.URL.RequestURI(), http.StatusSeeOther) //nolint:gosec // a path of the console
		return
	}
	ctx := context.WithoutCancel(r.Context())
	s.loading.Lock()
	defer s.loading.Unlock()
	report, _, err := s.options.Loader().Undo(ctx, loader.Options{Note: note, Load: past.Number})
	s.done(w, r, s.resultOf(ctx, report, err), loadName(past)+" is undone", "/loads")
}
