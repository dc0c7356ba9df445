package pipeline

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"touchline/shared/signing"
)

// Finish writes the line of the exchange to the log. A front door calls it once,
// when nothing changes the answer any more and before it is given away: a
// function is frozen as soon as it has answered.
func (x *Exchange) Finish() {
	e := &x.entry
	e.At = x.p.Now()
	e.Took = e.At.Sub(x.now)
	e.RequestID, e.GatewayRequestID, e.LambdaRequestID = x.id, idOf(x.request.GatewayID), idOf(x.request.InvocationID)
	e.Method = x.request.Method
	if x.operation != nil {
		e.Route = x.operation.Path
	}
	if x.credential != nil {
		e.KeyID, e.Organization = x.credential.ID, string(x.credential.Organization)
	}
	e.Dropped = x.dropped()
	e.Spent, e.Cold = &x.spent, x.cold
	if e.Status >= http.StatusInternalServerError && x.cause != nil {
		e.Cause = x.hide(x.cause.Error())
		if p, ok := errors.AsType[*panicError](x.cause); ok {
			e.Stack = p.stack
		}
	}
	x.p.Log.Write(e)
}

// dropped says what ran ahead of checks that were not reached.
func (x *Exchange) dropped() string {
	by := x.entry.Check.Number
	switch {
	case x.ahead == nil, by == 0, by == organizationCheck, by >= idsCheck:
		return "" // without the standing no data are read
	case x.ahead.withData:
		return "data"
	case by < organizationCheck:
		return "standing"
	}
	return ""
}

// The checks that are the first to need what goAhead began: the standing of the
// key's organization, and the data. Their numbers are D1's.
const (
	organizationCheck = 14
	idsCheck          = 19
)

// maxID is the longest id of a gateway's or Lambda's that a line has.
const maxID = 64

// idOf is an id that a front door gave a request, where it looks like one.
func idOf(id string) string {
	strange := func(c rune) bool {
		return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && !strings.ContainsRune("-_=+/:", c)
	}
	if len(id) > maxID || strings.ContainsFunc(id, strange) {
		return ""
	}
	return id
}

// hidden replaces what a line must not hold.
const hidden = "[hidden]"

// minHidden is the length in bytes below which a text is part of words.
const minHidden = 4

// hide takes what the caller sent out of a text: a cause is made by whoever
// failed, and may hold anything.
func (x *Exchange) hide(text string) string {
	sent := []string{x.request.SourceIP, x.request.Path, x.path.ID, x.request.Query, x.request.Method}
	for part := range strings.SplitSeq(x.request.Query, "&") {
		name, value, _ := strings.Cut(part, "=")
		sent = append(sent, value)
		if plain, err := url.PathUnescape(value); err == nil {
			sent = append(sent, plain)
		}
		if !x.hasParameter(name) {
			sent = append(sent, name)
		}
	}
	for _, name := range []string{signing.HeaderKey, signing.HeaderTimestamp, signing.HeaderNonce, signing.HeaderSignature} {
		value, _ := x.request.Headers.get(name)
		sent = append(sent, value)
	}
	// The longest first: it may hold others.
	slices.SortFunc(sent, func(a, b string) int { return len(b) - len(a) })
	for _, s := range sent {
		if len(s) >= minHidden && s != x.entry.KeyID {
			text = strings.ReplaceAll(text, s, hidden)
		}
	}
	return text
}
