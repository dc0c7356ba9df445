package protocol

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"touchline/shared/signing"
)

// response is a response, read to its end.
type response struct {
	status int         // HTTP status
	proto  string      // such as HTTP/1.1
	header http.Header // as received
	body   []byte      // empty after HEAD
	sent   time.Time   // by the local clock
}

// clockTolerance is how far a timestamp may be from the Date of the response before a 401
// is attributed to the clock. A timestamp nearer than that was certainly accepted: the
// difference to signing.Skew allows for the time on the network, and for a Date from another
// clock than the one that the service checks timestamps with.
const clockTolerance = signing.Skew / 2

// err says what a refusal says, in a line; nil for a success, which is a 2xx with the
// version of the service: a page of another program is not one. It has no code where
// the response is not the service's own but that of a gateway, is a redirect, or has
// no body, as after HEAD.
func (r *response) err() error {
	version := r.header.Get("X-Service-Api-Version")
	switch ok := r.status >= 200 && r.status < 300; {
	case ok && version == "1":
		return nil
	case ok && version != "":
		return fmt.Errorf("the answer is of version %s of the API, and this command knows version 1", printable(version))
	case ok:
		return fmt.Errorf("%d, but the answer is not the service's: it has no X-Service-Api-Version. Is the address right?", r.status)
	}
	var document struct {
		Error struct {
			Code       string          `json:"code"`
			Message    string          `json:"message"`
			Reason     string          `json:"reason"`
			Details    json.RawMessage `json:"details"`
			RetryAfter json.RawMessage `json:"retryAfter"`
		} `json:"error"`
	}
	text := strings.TrimSpace(strconv.Itoa(r.status) + " " + http.StatusText(r.status))
	d := &document.Error
	if json.Unmarshal(r.body, &document) == nil && d.Code != "" {
		text = strconv.Itoa(r.status) + " " + printable(d.Code) + ": " + printable(d.Message)
		if d.Reason != "" {
			text += ", reason " + printable(d.Reason)
		}
		if len(d.Details) > 0 && string(d.Details) != "null" {
			text += ", details " + printable(string(d.Details))
		}
	}
	if to := r.header.Get("Location"); to != "" {
		text += ", to " + printable(to) + ": signatures are for one address, so no redirect is followed"
	}
	if seconds, err := strconv.ParseUint(cmp.Or(r.header.Get("Retry-After"), string(d.RetryAfter)), 10, 32); err == nil && seconds > 0 {
		text += ", try again in " + strconv.FormatUint(seconds, 10) + " s"
	}
	if date, err := http.ParseTime(r.header.Get("Date")); err == nil && r.status == http.StatusUnauthorized && date.Sub(r.sent).Abs() > clockTolerance {
		text += fmt.Sprintf(", and this machine's clock differs from the service's by %s: set it", date.Sub(r.sent).Abs().Round(time.Second))
	}
	if id := r.header.Get("X-Request-Id"); id != "" {
		text += " (request " + printable(id) + ")"
	}
	return errors.New(text)
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
