package webconsole

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"touchline/scripts/requests"
	"touchline/scripts/webconsole/parts"
	"touchline/shared/accesslog"
	"touchline/shared/keys"
	"touchline/shared/sport"
)

// RequestLog is where the lines of requests are read from.
type RequestLog interface {
	// Recent returns the lines since a time, newest first, some thousands at
	// most. The error is fs.ErrNotExist if there is no log.
	Recent(ctx context.Context, from time.Time) ([]accesslog.Line, error)
	// Find returns the line of a request and its text; nil if there isn't one.
	Find(ctx context.Context, requestID string) (*accesslog.Line, []byte, error)
}

func (s *Server) requestRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /requests", func(w http.ResponseWriter, r *http.Request) { s.requests(w, r, "layout") })
	m.HandleFunc("GET /requests/live", func(w http.ResponseWriter, r *http.Request) { s.requests(w, r, "live") })
	m.HandleFunc("GET /requests/quotas", s.quotas)
	m.HandleFunc("GET /requests/{id}", s.request)
}

// maxShown is how many requests a page lists.
const maxShown = 100

// requestsBody is the page of the requests.
type requestsBody struct {
	Tabs    parts.Tabs
	Filter  filter
	Ranges  []string
	Keys    []parts.Choice
	Routes  []string
	Checks  []string
	Chart   parts.Chart
	Took    *parts.Took
	Lines   []shownLine
	Matched int
	Live    string // address of the part that refreshes itself
	Every   int    // seconds between refreshes
	Empty   string // why there is nothing to show
}

// shownLine is a request in the list.
type shownLine struct {
	accesslog.Line
	Asked, Took string
	Name        string // of the organization
}

// filter is which requests to show.
type filter struct{ Range, Key, Route, Status, Check string }

// ranges are how far back the page looks.
func ranges() map[string]time.Duration {
	return map[string]time.Duration{"15m": 15 * time.Minute, "1h": time.Hour, "24h": 24 * time.Hour, "7d": 7 * 24 * time.Hour}
}

func filterOf(r *http.Request) filter {
	q := r.URL.Query()
	f := filter{Range: q.Get("range"), Key: q.Get("key"), Route: q.Get("route"), Status: q.Get("status"), Check: q.Get("check")}
	if ranges()[f.Range] == 0 {
		f.Range = "24h"
	}
	return f
}

// path is the address of the requests that the filter selects.
func (f filter) path(base string) string {
	return parts.WithQuery(base, "range", f.Range, "key", f.Key, "route", f.Route, "status", f.Status, "check", f.Check)
}

func (f filter) selects(l *accesslog.Line) bool {
	class := f.Status == "refused" && l.Status >= 400 && l.Status < 500 || f.Status == "failed" && l.Status >= 500 ||
		f.Status == "served" && l.Status < 400 || f.Status == strconv.Itoa(l.Status)
	return (f.Status == "" || class) && (f.Key == "" || f.Key == l.KeyID) && (f.Route == "" || f.Route == l.Route) && (f.Check == "" || f.Check == l.RefusedBy)
}

func requestTabs(current string) parts.Tabs {
	return parts.Tabs{Label: "Requests", Tabs: []parts.Tab{
		{Name: "Requests", Path: "/requests", Current: current == "requests"}, {Name: "Quotas", Path: "/requests/quotas", Current: current == "quotas"},
	}}
}

func (s *Server) requests(w http.ResponseWriter, r *http.Request, part string) {
	f := filterOf(r)
	b := requestsBody{Tabs: requestTabs("requests"), Filter: f, Ranges: []string{"15m", "1h", "24h", "7d"}, Took: &parts.Took{}, Live: f.path("/requests/live"), Every: s.options.RefreshSeconds}
	now := s.options.Now()
	from := now.Add(-ranges()[f.Range])
	lines, err := s.options.Requests.Recent(r.Context(), from)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		b.Empty = "There is no log of requests: touchline serve writes one where it runs. Start the console in the same folder, or name the log with --log."
	case err != nil:
		if r.Context().Err() == nil {
			s.options.Report(err)
		}
		b.Empty = "The log of requests could not be read: the terminal of the console says why."
	}
	seenKeys, seenRoutes, seenChecks := map[string]bool{}, map[string]bool{}, map[string]bool{}
	b.Chart = parts.NewChart(from, now)
	names, _ := s.keys.Names(r.Context()) // a line without a name has its key
	for i := range lines {
		l := &lines[i]
		seenKeys[l.KeyID], seenRoutes[l.Route], seenChecks[l.RefusedBy] = true, true, true
		if !f.selects(l) {
			continue
		}
		b.Chart.Add(l)
		b.Took.Add(l)
		if b.Matched++; b.Matched <= maxShown {
			row := shownLine{Line: *l, Asked: requests.Asked(l), Took: requests.Milliseconds(l.DurationMicros)}
			if l.Organization != "" {
				row.Name = names[sport.ID(l.Organization)]
			}
			b.Lines = append(b.Lines, row)
		}
	}
	for _, id := range sortedKeys(seenKeys, f.Key) {
		b.Keys = append(b.Keys, parts.Choice{Value: id, Text: id})
	}
	b.Routes, b.Checks = sortedKeys(seenRoutes, f.Route), sortedKeys(seenChecks, f.Check)
	b.Chart.Finish()
	s.renderPart(w, r, http.StatusOK, "requests", part, page{Title: "Requests", Section: "requests", Body: b})
}

// sortedKeys are the values that occurred and the one chosen, except for the
// empty one.
func sortedKeys(seen map[string]bool, chosen string) []string {
	seen[chosen] = true
	var out []string
	for value := range seen {
		if value != "" {
			out = append(out, value)
		}
	}
	slices.Sort(out)
	return out
}

// requestBody is the page of a request.
type requestBody struct {
	Line       *accesslog.Line
	What, Todo []parts.Span
	Rows       []requests.Row
	JSON       string
}

func (s *Server) request(w http.ResponseWriter, r *http.Request) {
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		s.fail(w, r, http.StatusNotFound, "That is not the id of a request", "It is the X-Request-Id of a response.")
		return
	}
	line, text, err := s.options.Requests.Find(r.Context(), id.String())
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		s.options.Report(err)
		s.fail(w, r, http.StatusInternalServerError, "The log could not be read", "The terminal of the console says why.")
		return
	case line == nil:
		s.fail(w, r, http.StatusNotFound, "The log has no such request", "It keeps the newest requests only; on AWS lines arrive up to a minute late.")
		return
	}
	what, todo := requests.Meaning(line)
	b := requestBody{Line: line, What: parts.Spans(what), Todo: parts.Spans(todo)}
	for _, row := range requests.Rows(line) {
		if row.Name != "refused by" && row.Name != "to do" { // at the top
			b.Rows = append(b.Rows, row)
		}
	}
	var indented bytes.Buffer
	if json.Indent(&indented, text, "", "  ") == nil {
		b.JSON = indented.String()
	}
	s.render(w, r, http.StatusOK, "request", page{Title: requests.Asked(line), Section: "requests", Crumbs: parts.Crumbs("Requests", "/requests"), Body: b})
}

// quotasBody is the page of the quotas.
type quotasBody struct {
	Tabs  parts.Tabs
	Month string
	Uses  []keys.Use
	Prior string
	Later string
}

func (s *Server) quotas(w http.ResponseWriter, r *http.Request) {
	now := s.options.Now().UTC()
	month, err := time.Parse(keys.MonthForm, r.URL.Query().Get("month"))
	if err != nil || month.After(now) {
		month = time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	}
	list, err := s.keys.List(r.Context())
	if err != nil {
		s.fault(w, r, err)
		return
	}
	counts, err := s.options.Usage(r.Context(), month)
	if err != nil {
		s.fault(w, r, err)
		return
	}
	for _, k := range list {
		if k.Valid(now) {
			counts[k.Organization] += 0 // shown, used or not
		}
	}
	names, _ := s.keys.Names(r.Context()) // an organization without a name has its id
	uses, err := keys.Uses(r.Context(), counts, list, month, now, func(_ context.Context, id sport.ID) (string, error) { return names[id], nil })
	if err != nil {
		s.fault(w, r, err)
		return
	}
	b := quotasBody{Tabs: requestTabs("quotas"), Month: month.Format("January 2006"), Uses: uses,
		Prior: "/requests/quotas?month=" + month.AddDate(0, -1, 0).Format(keys.MonthForm)}
	if next := month.AddDate(0, 1, 0); !next.After(now) {
		b.Later = "/requests/quotas?month=" + next.Format(keys.MonthForm)
	}
	s.render(w, r, http.StatusOK, "quotas", page{Title: "Quotas in " + b.Month, Section: "requests", Body: b})
}
