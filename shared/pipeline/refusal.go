package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"touchline/shared/accesslog"
	"touchline/shared/keys"
	"touchline/shared/meter"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/signing"
)

// timestamp is that of the header. Step 7 has refused anything else.
func (x *Exchange) timestamp() time.Time {
	at, _ := signing.Time(x.headers.Timestamp)
	return at
}

// unverified is nil where the signature is that of one of secrets, compared in
// constant time, and else a refusal for why, with what the log says of the
// canonical string and of the caller's mistake. Without secrets it costs the same
// as with wrong ones.
func (x *Exchange) unverified(secrets []string, why accesslog.Why) *refusal {
	message := signing.Message{
		Method: x.request.Method, Path: x.request.Path, Query: x.request.Query,
		Timestamp: x.headers.Timestamp, Nonce: x.headers.Nonce,
	}
	canonical, err := message.Canonical()
	// Step 3 has refused what has no canonical string.
	if signing.Verify(secrets, canonical, x.headers.Signature) && err == nil {
		return nil
	}
	sum := sha256.Sum256([]byte(canonical))
	why.CanonicalSHA256, why.CanonicalBytes = hex.EncodeToString(sum[:8]), len(canonical)
	host, _ := x.request.Headers.get("host")
	why.Mistake = string(signing.FindMistake(secrets, signing.Refused{
		Message: message, Key: x.headers.Key, Host: host, Signature: x.headers.Signature,
	}))
	return x.unauthorized("", why)
}

// unauthorized is the refusal of steps 7 to 11, counted for the caller (D2).
func (x *Exchange) unauthorized(reason string, why accesslog.Why) *refusal {
	x.p.Failures.Count(x.request.SourceIP, x.now)
	return &refusal{&problem.Error{Code: problem.Unauthorized, Reason: reason}, why}
}

// whyParameters names the parameter at fault where the route has one of that
// name: any other name is the caller's own text.
func (x *Exchange) whyParameters() accesslog.Why {
	d := x.argsFault.Details
	if d == nil || d.Field == nil {
		return accesslog.Why{Word: accesslog.ParameterInvalid}
	}
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

func (x *Exchange) hasParameter(name string) bool {
	return x.operation != nil && slices.ContainsFunc(x.operation.Params, func(p route.Param) bool { return p.Name == name })
}

// fault is the refusal of a check that could not be made because of the store.
func fault(code problem.Code, of meter.Store, cause error) *refusal {
	return &refusal{problem.Because(code, cause), whyFault(of, cause)}
}

// failed is the refusal for a fault of ours that is not a store's.
func failed(cause error) *refusal {
	return &refusal{problem.Because(problem.InternalError, cause), whyFault(meter.Sports, cause)}
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

// keyFault is a fault of the store of the keys, or of what opens their secrets:
// then there is a key.
func (x *Exchange) keyFault(err error) *refusal {
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
