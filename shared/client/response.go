package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
)

// Response is a response, read to its end.
type Response struct {
	Status int         // HTTP status
	Proto  string      // such as HTTP/1.1
	Header http.Header // as received
	Body   []byte      // at most Config.MaxBody bytes; empty after HEAD
}

// Err returns the refusal as an *Error, nil for a success.
func (r *Response) Err() error {
	if r.Status >= 200 && r.Status < 300 {
		return nil
	}
	return errorOf(r)
}

// ErrAnswer says that the body of a success is not what the contract promises,
// or that the body of a response is longer than Config.MaxBody.
var ErrAnswer = errors.New("client: a response that breaks the contract")

func (r *Response) isJSON() bool {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && media == "application/json"
}

// unusable is an ErrAnswer that says why, and which response it is about.
func (r *Response) unusable(format string, args ...any) error {
	id := r.Header.Get("X-Request-Id")
	if id == "" {
		id = "without id"
	}
	return fmt.Errorf("%w: %s (request %s)", ErrAnswer, printable(fmt.Sprintf(format, args...)), printable(id))
}

// decode reads the body of a success into v.
func (r *Response) decode(v any) error {
	if err := r.Err(); err != nil {
		return err
	}
	if r.Status != http.StatusOK {
		return r.unusable("status %d", r.Status)
	}
	if !r.isJSON() {
		return r.unusable("content type %q", r.Header.Get("Content-Type"))
	}
	if err := json.Unmarshal(r.Body, v); err != nil {
		return r.unusable("%v", err)
	}
	return nil
}
