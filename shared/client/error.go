package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Code is the error.code of a refusal. It is also an error, by which errors.Is
// finds a refusal with that code:
//
//	if errors.Is(err, client.NotFound) { … }
type Code string

// The codes of the contract (read-api, Errors).
const (
	BadRequest              Code = "badRequest"
	Unauthorized            Code = "unauthorized"
	Forbidden               Code = "forbidden"
	ScopeMissing            Code = "scopeMissing"
	ProRequired             Code = "proRequired"
	NotFound                Code = "notFound"
	MethodNotAllowed        Code = "methodNotAllowed"
	ScopeTooLarge           Code = "scopeTooLarge"
	RateLimited             Code = "rateLimited"
	QuotaExceeded           Code = "quotaExceeded"
	InternalError           Code = "internalError"
	IntegrationsUnavailable Code = "integrationsUnavailable"
	ServiceUnavailable      Code = "serviceUnavailable"
)

// Error is the code itself.
func (c Code) Error() string { return printable(string(c)) }

// Error is a response other than a success.
type Error struct {
	Status int // HTTP status, never 200 to 299
	// Code is empty if the response does not come from the service itself but
	// from a gateway, is a redirect, or is a response to HEAD, which has no
	// body.
	Code    Code
	Message string // empty without Code
	Reason  string // empty: not given
	Details Details
	// RetryAfter is how long to wait, in whole seconds; 0: not given.
	RetryAfter time.Duration
	RequestID  string // X-Request-Id, to be quoted in reports; empty: not given
}

// Details says more about a refusal. What was not given is nil or empty.
type Details struct {
	Field         *string  `json:"field"`         // the offending parameter
	Limit         *int     `json:"limit"`         // the bound of page or limit
	Max           *int     `json:"max"`           // the bound on organizations in scope
	RequiresOneOf []string `json:"requiresOneOf"` // filters, one of which is needed to narrow the scope
	// Raw is the JSON object as received, including unknown fields.
	Raw json.RawMessage `json:"-"`
}

// Error says everything except what the caller knows: method, path, key.
func (e *Error) Error() string {
	text := strings.TrimSpace(strconv.Itoa(e.Status) + " " + http.StatusText(e.Status))
	if e.Code != "" {
		text = fmt.Sprintf("%d %s: %s", e.Status, printable(string(e.Code)), printable(e.Message))
	}
	if e.Reason != "" {
		text += ", reason " + printable(e.Reason)
	}
	if len(e.Details.Raw) > 0 {
		text += ", details " + printable(string(e.Details.Raw))
	}
	if e.RetryAfter > 0 {
		text += fmt.Sprintf(", try again in %d s", e.RetryAfter/time.Second)
	}
	if e.RequestID != "" {
		text += " (request " + printable(e.RequestID) + ")"
	}
	return text
}

// Unwrap returns the code, if there is one.
func (e *Error) Unwrap() error {
	if e.Code == "" {
		return nil
	}
	return e.Code
}

// longest is how much of a foreign text an error shows, in bytes.
const longest = 300

// printable is s without characters that a terminal would act on, and no longer
// than a line.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
	if len(s) > longest {
		s = strings.ToValidUTF8(s[:longest], "") + "…"
	}
	return s
}

// errorOf reads a refusal. The status of r is not that of a success.
func errorOf(r *Response) *Error {
	var document struct {
		Error struct {
			Code       Code            `json:"code"`
			Message    string          `json:"message"`
			Reason     string          `json:"reason"`
			Details    json.RawMessage `json:"details"`
			RetryAfter json.RawMessage `json:"retryAfter"`
		} `json:"error"`
	}
	e := &Error{Status: r.Status, RequestID: r.Header.Get("X-Request-Id")}
	after := ""
	if json.Unmarshal(r.Body, &document) == nil && document.Error.Code != "" {
		d := &document.Error
		e.Code, e.Message, e.Reason, e.Details = d.Code, d.Message, d.Reason, detailsOf(d.Details)
		after = string(d.RetryAfter)
	}
	if header := r.Header.Get("Retry-After"); header != "" {
		after = header
	}
	e.RetryAfter = seconds(after)
	return e
}

// detailsOf reads details. If they are malformed, only Raw is set.
func detailsOf(raw json.RawMessage) Details {
	if len(raw) == 0 || string(raw) == "null" {
		return Details{}
	}
	var d Details
	if json.Unmarshal(raw, &d) != nil {
		d = Details{}
	}
	d.Raw = raw
	return d
}

// maxSeconds is the longest RetryAfter, some 31 years: nine digits.
const maxSeconds = 999_999_999

// seconds reads a whole number of seconds, at most maxSeconds; anything else is
// 0.
func seconds(s string) time.Duration {
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange) && !strings.HasPrefix(s, "-"):
		n = maxSeconds
	case err != nil || n < 0:
		return 0
	}
	return time.Duration(min(n, maxSeconds)) * time.Second
}
