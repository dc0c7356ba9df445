package scripts

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"touchline/shared/keys"
	"touchline/shared/pipeline"
	"touchline/shared/pipeline/pipelinetest"
	"touchline/shared/route"
)

// documented sends requests to a pipeline and checks every response against the
// document.
type documentedService struct {
	*pipelinetest.Service
	document *Document
	requests int
}

func newDocumented(t *testing.T, operations ...route.Operation) *documentedService {
	s := &documentedService{Service: pipelinetest.New(t, operations...), document: newDocument(t)}
	s.NewRequestID = uuid.NewString
	return s
}

// exchange sends a request signed with a nonce of its own, changed by edit.
func (s *documentedService) exchange(t *testing.T, method, target string, edit func(*pipeline.Request)) Exchange {
	t.Helper()
	s.requests++
	path, query, _ := strings.Cut(target, "?")
	r := pipeline.Request{
		Method: method, Path: path, Query: query, SourceIP: pipelinetest.Caller,
		Headers: pipelinetest.Sign(s.Time, method, path, query, fmt.Sprint("n", s.requests)),
	}
	if edit != nil {
		edit(&r)
	}
	x := Exchange{Method: method, Target: target, Sent: r.Headers, Header: http.Header{}}
	answer := s.Serve(t.Context(), r)
	x.Status, x.Body = answer.Status, answer.Body
	for _, h := range answer.Headers {
		x.Header.Add(h.Name, h.Value)
	}
	return x
}

// noKeys is a store of keys that always fails.
type noKeys struct{ pipeline.Credentials }

func (noKeys) Lookup(context.Context, string) (*keys.Credential, error) {
	return nil, errors.New("no answer")
}
