package problem

import (
	"errors"
	"fmt"
	"net/http"
)

// Code names a refusal in error.code; clients branch on it (read-api, Errors).
type Code string

// The codes of the contract.
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

// ReasonMalformedHeader is the one error.reason: a header is missing or not of
// its form (read-api, Failure behaviour 2).
const ReasonMalformedHeader = "malformedHeader"

// definition is a row of the table.
type definition struct {
	code    Code
	status  int
	message string
}

// table holds the status and the message of every code (read-api, Errors; D7).
func table() [13]definition {
	return [...]definition{
		{BadRequest, http.StatusBadRequest, "Invalid request"},
		{Unauthorized, http.StatusUnauthorized, "Invalid credentials"},
		{Forbidden, http.StatusForbidden, "Forbidden"},
		{ScopeMissing, http.StatusForbidden, "Missing scope"},
		{ProRequired, http.StatusForbidden, "PRO plan required"},
		{NotFound, http.StatusNotFound, "Not found"},
		{MethodNotAllowed, http.StatusMethodNotAllowed, "Method not allowed"},
		{ScopeTooLarge, http.StatusUnprocessableEntity, "Scope too large"},
		{RateLimited, http.StatusTooManyRequests, "Rate limit exceeded"},
		{QuotaExceeded, http.StatusTooManyRequests, "Monthly quota exceeded"},
		{InternalError, http.StatusInternalServerError, "Internal error"},
		{IntegrationsUnavailable, http.StatusServiceUnavailable, "Temporarily unavailable"},
		{ServiceUnavailable, http.StatusServiceUnavailable, "Temporarily unavailable"},
	}
}

// Codes lists every code, in the order of the table.
func Codes() []Code {
	var codes []Code
	for _, d := range table() {
		codes = append(codes, d.code)
	}
	return codes
}

// define returns the row of a code, and the one of internalError for a code that
// the table does not hold.
func (c Code) define() definition {
	for _, d := range table() {
		if d.code == c {
			return d
		}
	}
	return InternalError.define()
}

// Status is the HTTP status of a response with the code.
func (c Code) Status() int { return c.define().status }

// Message is the fixed text of the code.
func (c Code) Message() string { return c.define().message }

// Details says more about a refusal. Nil and empty fields are left out.
type Details struct {
	Field         *string  `json:"field,omitempty"`         // the offending parameter, may be "" (D11)
	Limit         *int     `json:"limit,omitempty"`         // the bound of page or limit (D8)
	Max           *int     `json:"max,omitempty"`           // the bound on organizations in scope
	RequiresOneOf []string `json:"requiresOneOf,omitempty"` // the filters that would narrow the scope
}

// Error is a refusal. The zero Code stands for internalError.
type Error struct {
	Code       Code
	Reason     string // empty: left out
	Details    *Details
	RetryAfter int // seconds; 0: left out

	// For the log, never sent.
	Cause         error
	Missing       string // of notFound: id of the path, the filter's name, or season
	Organizations int    // of scopeTooLarge: how many there are
	Rule          Rule   // of a parameter: which rule it breaks
}

// Rule is a rule that a query parameter can break.
type Rule string

// The rules (read-api, Endpoint rules and Limits; D34).
const (
	RuleRepeated Rule = "repeated" // it is there more than once
	RuleEmpty    Rule = "empty"    // it has no value
	RuleValue    Rule = "value"    // its value is not one it may have
	RuleOrder    Rule = "order"    // from is later than to
	RuleWindow   Rule = "window"   // page * limit is above the window
)

// What a notFound may be about, apart from an id filter, whose name says it.
const (
	MissingID     = "id"     // that of the path
	MissingSeason = "season" // of what exists
)

// New is a refusal that says nothing but its code.
func New(code Code) *Error { return &Error{Code: code} }

// Because is a refusal with a cause for the log.
func Because(code Code, cause error) *Error { return &Error{Code: code, Cause: cause} }

// Missed is a notFound about what the request names so.
func Missed(what string) *Error { return &Error{Code: NotFound, Missing: what} }

// Retry is a refusal that holds for that many seconds.
func Retry(code Code, seconds int) *Error { return &Error{Code: code, RetryAfter: seconds} }

// Parameter is a badRequest about the query parameter named field.
func Parameter(field string) *Error {
	return &Error{Code: BadRequest, Details: &Details{Field: &field}}
}

// ParameterLimit is a badRequest about page or limit, with the bound that
// applies to it (D8).
func ParameterLimit(field string, limit int) *Error {
	return &Error{Code: BadRequest, Details: &Details{Field: &field, Limit: &limit}}
}

// TooLarge is a scopeTooLarge of organizations above maxOrganizations;
// requiresOneOf names the filters of which one would help, if any.
func TooLarge(organizations, maxOrganizations int, requiresOneOf ...string) *Error {
	return &Error{
		Code: ScopeTooLarge, Organizations: organizations,
		Details: &Details{Max: &maxOrganizations, RequiresOneOf: requiresOneOf},
	}
}

// From returns the *Error in err's chain, or an internalError with err as its
// cause.
func From(err error) *Error {
	e, ok := errors.AsType[*Error](err)
	switch {
	case !ok:
		return Because(InternalError, err)
	case e == nil:
		return Because(InternalError, errors.New("a nil *problem.Error was returned as an error"))
	}
	return e
}

// Error is for the log: it shows the cause.
func (e *Error) Error() string {
	if e.Cause != nil {
		return fmt.Sprintf("%s: %v", e.Code, e.Cause)
	}
	return string(e.Code)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Status is the HTTP status of the response.
func (e *Error) Status() int { return e.Code.Status() }
