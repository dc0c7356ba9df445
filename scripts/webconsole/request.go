package webconsole

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"

	"github.com/google/uuid"

	"touchline/scripts/touchline/logs"
	"touchline/shared/accesslog"
)

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
	line, text, err := s.options.Request(r.Context(), id.String())
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
	s.render(w, r, http.StatusOK, "request", page{Title: logs.Asked(line), Body: b})
}
