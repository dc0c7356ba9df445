package webconsole

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"touchline/scripts/edits"
	"touchline/shared/sport"
)

// Role says what a session may do. The zero value may do everything.
type Role struct {
	ReadOnly bool
	// Only is the organization whose competitions alone, and those of whoever is below
	// it, may be edited; empty: all. Such a session uploads and undoes nothing, and has no
	// part in keys.
	Only sport.ID
}

// String says who the address of a session is for.
func (o Role) String() string {
	switch {
	case o.ReadOnly:
		return "for reading only"
	case o.Only != "":
		return "for the competitions of " + string(o.Only)
	}
	return "for everything"
}

// allows reports whether a request may do what its path says. What the forms of records
// may change is decided by the record (proposal).
func (o Role) allows(r *http.Request) bool {
	path := r.URL.Path
	read := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch {
	case read || path == "/data/as":
		return true
	case o.ReadOnly:
		return false
	case o.Only == "":
		return true
	case path == "/loads/apply" || path == "/loads/drop": // of what was proposed
		return true
	}
	return strings.HasPrefix(path, "/edit/") || strings.HasPrefix(path, "/fixtures/") || strings.HasPrefix(path, "/touchline/")
}

// errForeign is the error of a record that the session may not edit.
var errForeign = errors.New("this session edits the competitions of one association only")

// mine is nil if the session may edit records.
func (s *Server) mine(ctx context.Context, kind sport.Kind, records ...edits.Object) error {
	only := sessionIn(ctx).role.Only
	if only == "" {
		return nil
	}
	for _, o := range records {
		in, err := s.book().Within(ctx, only, kind, o)
		if err != nil {
			return err
		}
		if !in {
			return errForeign
		}
	}
	return nil
}

// proposal is the dataset of records that a form has made, if the session may edit them.
func (s *Server) proposal(ctx context.Context, name, back string, kind sport.Kind, records ...edits.Object) (*pending, error) {
	if err := s.mine(ctx, kind, records...); err != nil {
		return nil, err
	}
	made, err := edits.Files(kind, records...)
	return &pending{name: name, back: back, made: made}, err
}
