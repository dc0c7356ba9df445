package webconsole

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/keys"
	"touchline/shared/sport"
)

// keyForm is a form about a key: the values entered, and what is wrong with
// them.
type keyForm struct {
	Organization string
	Scopes       map[string]bool
	Descendants  bool
	Allowlist    string // an address or prefix a line
	Quota        string // empty: the default
	Expires      string // a date; empty: never
	Label        string
	Faults       map[string]string

	AllScopes []keys.Scope
	Usual     int // requests a month
}

// emptyKeyForm is the form for a key that is to be made.
func emptyKeyForm() keyForm {
	f := keyForm{AllScopes: keys.AllScopes(), Usual: keys.DefaultMonthlyQuota, Scopes: map[string]bool{}, Faults: map[string]string{}}
	for _, scope := range f.AllScopes {
		f.Scopes[string(scope)] = true
	}
	return f
}

// keyFormOf is the form for a key.
func keyFormOf(k keys.Key) keyForm {
	f := emptyKeyForm()
	clear(f.Scopes)
	for _, scope := range k.Scopes {
		f.Scopes[string(scope)] = true
	}
	f.Descendants, f.Label, f.Allowlist = k.Descendants, k.Label, strings.Join(keys.Allowlist(k), "\n")
	if k.MonthlyQuota != nil {
		f.Quota = strconv.Itoa(*k.MonthlyQuota)
	}
	if k.ExpiresAt != nil {
		f.Expires = k.ExpiresAt.UTC().Format(time.DateOnly)
	}
	return f
}

// readKeyForm reads the values entered. What should be a number or a date and is
// not is a fault.
func readKeyForm(values url.Values) (keyForm, keys.Request) {
	f := emptyKeyForm()
	clear(f.Scopes)
	for _, scope := range values["scope"] {
		f.Scopes[scope] = true
	}
	f.Organization, f.Descendants = strings.TrimSpace(values.Get("organization")), values.Get("descendants") != ""
	f.Allowlist, f.Label = values.Get("allowlist"), strings.TrimSpace(values.Get("label"))
	f.Quota, f.Expires = strings.TrimSpace(values.Get("quota")), strings.TrimSpace(values.Get("expires"))
	req := keys.Request{
		Organization: dataset.ID(sport.KindOrganization, f.Organization), Scopes: values["scope"], Descendants: f.Descendants,
		Allowlist: strings.Fields(f.Allowlist), Label: f.Label,
	}
	if f.Quota != "" {
		n, err := strconv.Atoi(f.Quota)
		if err != nil {
			f.Faults[string(keys.FieldMonthlyQuota)] = "not a number of requests"
		}
		req.MonthlyQuota = &n
	}
	if f.Expires != "" {
		at, err := time.Parse(time.DateOnly, f.Expires)
		if err != nil {
			f.Faults[string(keys.FieldExpiresAt)] = "not a date such as 2027-01-31"
		}
		req.ExpiresAt = &at
	}
	return f, req
}

// blame adds what the registry found wrong to the form; false if that is not
// about a field.
func (f *keyForm) blame(err error) bool {
	all := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		all = joined.Unwrap()
	}
	for _, e := range all {
		fault, ok := errors.AsType[*keys.FieldError](e)
		if !ok {
			return false
		}
		if f.Faults[string(fault.Field)] == "" {
			f.Faults[string(fault.Field)] = fault.Reason
		}
	}
	return true
}
