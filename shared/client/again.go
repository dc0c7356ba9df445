package client

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"net/http"
	"time"

	"touchline/shared/signing"
)

// Pauses between attempts if the service does not ask for one: the first is
// doubled each time, up to the last.
const (
	firstPause = 250 * time.Millisecond
	lastPause  = 8 * time.Second
)

// again decides whether to make another attempt, and after which pause.
func (c *Client) again(ctx context.Context, r *Response, err error, attempt int) (time.Duration, bool) {
	if attempt >= c.config.Attempts || ctx.Err() != nil || !worthRepeating(r, err) {
		return 0, false
	}
	pause := backoff(attempt, random())
	if r != nil {
		pause = max(pause, errorOf(r).RetryAfter)
	}
	if pause > c.config.MaxWait {
		return 0, false
	}
	if deadline, ok := ctx.Deadline(); ok && !c.config.Now().Add(pause).Before(deadline) {
		return 0, false
	}
	return pause, true
}

// worthRepeating reports whether the same request may succeed the next time.
// Requests only read, so repeating one is safe.
func worthRepeating(r *Response, err error) bool {
	if err != nil {
		return !errors.Is(err, ErrAnswer)
	}
	switch r.Status {
	case http.StatusTooManyRequests, http.StatusInternalServerError,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// backoff is the pause after an attempt, from 1: between half and all of
// firstPause, doubled for each earlier attempt. share is in [0, 1).
func backoff(attempt int, share float64) time.Duration {
	full := lastPause
	if doublings := attempt - 1; doublings < 5 {
		full = firstPause << doublings
	}
	return full/2 + time.Duration(share*float64(full/2))
}

// random is a number in [0, 1), so that clients that failed together do not come
// back together.
func random() float64 {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return float64(binary.LittleEndian.Uint32(b[:])) / (1 << 32)
}

// clockTolerance is how far a timestamp may be from the Date of the response
// before a 401 is attributed to the clock. A timestamp nearer than that was
// certainly accepted: the difference to signing.Skew allows for the time on the
// network, and for a Date from another clock than the one that the service
// checks timestamps with.
const clockTolerance = signing.Skew / 2

// correct sets the clock by the Date of a 401 to a request signed at sent, and
// reports whether the clock may have been the reason.
func (c *Client) correct(r *Response, sent time.Time) bool {
	if r.Status != http.StatusUnauthorized {
		return false
	}
	date, err := http.ParseTime(r.Header.Get("Date"))
	if err != nil || date.Sub(sent).Abs() <= clockTolerance {
		return false
	}
	c.offset.Store(int64(date.Sub(c.config.Now())))
	return true
}
