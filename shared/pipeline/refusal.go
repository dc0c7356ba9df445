package pipeline

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"

	"touchline/shared/accesslog"
	"touchline/shared/keys"
	"touchline/shared/meter"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/signing"
)

// whyParameters names the parameter at fault where the route has one of that
// name: any other name is the caller's own text.
func (x *exchange) whyParameters() accesslog.Why {
	d := x.argsFault.Details
	if !x.hasParameter(*d.Field) {
		return accesslog.Why{Word: accesslog.ParameterUnknown}
	}
	why := accesslog.Why{Word: accesslog.ParameterInvalid, Parameter: *d.Field, Rule: string(x.argsFault.Rule)}
	// A caller is told the window with every fault of page (D8), of which only one
	// is about it.
	if d.Limit != nil && (*d.Field != "page" || x.argsFault.Rule == problem.RuleWindow) {
		why.Limit = *d.Limit
	}
	return why
}

func (x *exchange) hasParameter(name string) bool {
	return x.operation != nil && slices.ContainsFunc(x.operation.Params, func(p route.Param) bool { return p.Name == name })
}

// fault is the refusal of a check that could not be made because of the store, or of us.
func fault(code problem.Code, of meter.Store, cause error) *refusal {
	return &refusal{problem.Because(code, cause), whyFault(of, cause)}
}

// whyFault distinguishes the store's failure from one of ours.
func whyFault(of meter.Store, cause error) accesslog.Why {
	switch {
	case isPanic(cause):
		return accesslog.Why{Word: accesslog.Panicked}
	case cause == nil, errors.Is(cause, errReply):
		return accesslog.Why{Word: accesslog.Failed}
	case errors.Is(cause, context.DeadlineExceeded), errors.Is(cause, context.Canceled):
		return accesslog.Why{Word: accesslog.TimedOut, Store: of.String()}
	}
	return accesslog.Why{Word: accesslog.StoreFailed, Store: of.String()}
}

// errReply is a reply that is no JSON.
var errReply = errors.New("encode the reply")

// keyFault is a fault of the store of the keys, or of what opens their secrets:
// then there is a key.
func (x *exchange) keyFault(err error) *refusal {
	if e, ok := errors.AsType[*keys.OpenError](err); ok {
		x.entry.KeyID = e.KeyID
		return fault(problem.IntegrationsUnavailable, meter.Secrets, err)
	}
	return fault(problem.IntegrationsUnavailable, meter.Keys, err)
}

// panicError is a recovered panic as the cause of a 500.
type panicError struct {
	value any
	stack string
}

func newPanic(value any) error { return &panicError{value, string(debug.Stack())} }

func (p *panicError) Error() string { return fmt.Sprintf("panic: %v", p.value) }

func isPanic(err error) bool {
	_, ok := errors.AsType[*panicError](err)
	return ok
}

// hidden replaces what a line must not hold.
const hidden = "[hidden]"

// minHidden is the length in bytes below which a text is part of words.
const minHidden = 4

// hide takes what the caller sent out of a text: a cause is made by whoever
// failed, and may hold anything.
func (x *exchange) hide(text string) string {
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
		value, _ := x.request.header(name)
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
