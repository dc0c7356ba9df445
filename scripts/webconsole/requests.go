package webconsole

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"touchline/scripts/touchline/logs"
	"touchline/scripts/webconsole/parts"
	"touchline/shared/accesslog"
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
	m.HandleFunc("GET /requests", s.requests)
	m.HandleFunc("GET /requests/{id}", s.request)
}

// maxShown is how many requests a page lists.
const maxShown = 100

// requestsBody is the page of the requests.
type requestsBody struct {
	Filter  filter
	Ranges  []string
	Keys    []string
	Lines   []shownLine
	Matched int
	Empty   string // why there is nothing to show
}

// shownLine is a request in the list.
type shownLine struct {
	accesslog.Line
	Asked, Took string
	Name        string // of the organization
}

// filter is which requests to show.
type filter struct{ Range, Key, Status string }

// ranges are how far back the page looks.
func ranges() map[string]time.Duration {
	return map[string]time.Duration{"15m": 15 * time.Minute, "1h": time.Hour, "24h": 24 * time.Hour, "7d": 7 * 24 * time.Hour}
}

func filterOf(r *http.Request) filter {
	q := r.URL.Query()
	f := filter{Range: q.Get("range"), Key: q.Get("key"), Status: q.Get("status")}
	if ranges()[f.Range] == 0 {
		f.Range = "24h"
	}
	return f
}

func (f filter) selects(l *accesslog.Line) bool {
	class := f.Status == "refused" && l.Status >= 400 && l.Status < 500 || f.Status == "failed" && l.Status >= 500 ||
		f.Status == "served" && l.Status < 400 || f.Status == strconv.Itoa(l.Status)
	return (f.Status == "" || class) && (f.Key == "" || f.Key == l.KeyID)
}

func (s *Server) requests(w http.ResponseWriter, r *http.Request) {
	f := filterOf(r)
	b := requestsBody{Filter: f, Ranges: []string{"15m", "1h", "24h", "7d"}}
	lines, err := s.options.Requests.Recent(r.Context(), s.options.Now().Add(-ranges()[f.Range]))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		b.Empty = "There is no log of requests: touchline serve writes one where it runs. Start the console in the same folder, or name the log with --log."
	case err != nil:
		if r.Context().Err() == nil {
			s.options.Report(err)
		}
		b.Empty = "The log of requests could not be read: the terminal of the console says why."
	}
	seen := map[string]bool{f.Key: true}
	list, _ := s.options.Keys.List(r.Context()) // a line without a name has its key
	names, _ := s.keyNames(r.Context(), list)
	for i := range lines {
		l := &lines[i]
		seen[l.KeyID] = true
		if !f.selects(l) {
			continue
		}
		if b.Matched++; b.Matched <= maxShown {
			row := shownLine{Line: *l, Asked: logs.Asked(l), Took: logs.Milliseconds(l.DurationMicros)}
			if l.Organization != "" {
				row.Name = names[sport.ID(l.Organization)]
			}
			b.Lines = append(b.Lines, row)
		}
	}
	delete(seen, "")
	b.Keys = slices.Sorted(maps.Keys(seen))
	s.render(w, r, http.StatusOK, "requests", page{Title: "Requests", Section: "requests", Body: b})
}

// requestBody is the page of a request.
type requestBody struct {
	Line       *accesslog.Line
	What, Todo string // words between backquotes are code
	Rows       []logs.Row
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
	b := requestBody{Line: line}
	b.What, b.Todo = logs.Meaning(line)
	for _, row := range logs.Rows(line) {
		if row.Name != "refused by" && row.Name != "to do" { // at the top
			b.Rows = append(b.Rows, row)
		}
	}
	var indented bytes.Buffer
	if json.Indent(&indented, text, "", "  ") == nil {
		b.JSON = indented.String()
	}
	s.render(w, r, http.StatusOK, "request", page{Title: logs.Asked(line), Section: "requests", Crumbs: parts.Crumbs("Requests", "/requests"), Body: b})
}
