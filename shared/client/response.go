package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
)

// Response is an answer, read to its end.
type Response struct {
	Status int         // of HTTP
	Proto  string      // such as HTTP/1.1
	Header http.Header // as it came
	Body   []byte      // at most Config.MaxBody bytes; empty after HEAD
}

// Err returns the refusal as an *Error, nil for a success.
func (r *Response) Err() error {
	if r.Status >= 200 && r.Status < 300 {
		return nil
	}
	return errorOf(r)
}

// ErrAnswer is a success whose body is not what the contract says, or an answer
// whose body is longer than Config.MaxBody.
var ErrAnswer = errors.New("client: an answer that is not of the contract")

func (r *Response) isJSON() bool {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && media == "application/json"
}

// unusable is an ErrAnswer that says why and which answer.
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
