package logs

import (
	"cmp"
	"fmt"
	"strings"
	"sync"

	"touchline/shared/accesslog"
	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/signing"
)

// Meaning says in plain words why a request was refused, and what to do about
// it; both are empty if it was not refused.
func Meaning(l *accesslog.Line) (what, todo string) {
	for _, of := range []func(*accesslog.Line) (string, string){ofRequest, ofCaller, ofKey, ofParameters, ofFault} {
		if what, todo = of(l); what != "" {
			return what, todo
		}
	}
	return "", ""
}

// ofRequest explains what serve refuses before them, and checks 1 to 5.
func ofRequest(l *accesslog.Line) (what, todo string) {
	switch d := l.Details; l.Why {
	case accesslog.HostNotServed:
		return "serve on a loopback address does not serve the host that was named", "If a proxy of yours sent it, start `touchline serve` with --allow-host and the name that callers use. If none did, a web page in a browser of this machine has."
	case accesslog.PageNotServed:
		return "a browser sent it for a web page", "Call the API from a server or a program: a browser shows a page no response. For an address of this machine such requests do not count as failed authentications."
	case accesslog.MethodNotServed:
		return "only GET and HEAD are served", "Send GET or HEAD: the API is read-only."
	case accesslog.TargetTooLong:
		return fmt.Sprintf("path and query have %d bytes, %d are read", d.Bytes, d.Limit), "Ask for less in one request."
	case accesslog.EscapeMalformed:
		return fmt.Sprintf("a %% in the %s is not followed by two hex digits", d.In), "Percent-encode what is sent; a literal % is %25."
	case accesslog.BodyPresent:
		return "it has a body", "Send no body and no Content-Length but 0. Some clients add a body to GET by themselves."
	case accesslog.RouteUnknown:
		return "there is no such path", "Compare the path with `touchline openapi`. A slash at the end, a double one or an escape makes another path. Behind a gateway, check that its stage is part of the base URL only."
	}
	return "", ""
}

// ofCaller explains checks 6 to 11.
func ofCaller(l *accesslog.Line) (what, todo string) {
	switch d := l.Details; l.Why {
	case accesslog.FailuresLimited:
		return fmt.Sprintf("its address had %d failed authentications within a minute", d.Limit),
			fmt.Sprintf("Wait %d seconds, and find with `touchline why` why the requests before it failed.", d.RetryAfter)
	case accesslog.HeaderMalformed:
		return fmt.Sprintf("the header %s is %s", d.Header, ruleText(d.Rule)), headerAdvice(d.Header)
	case accesslog.KeyUnknown:
		what = "there is no such key"
		if d.KeyStart != "" {
			what = "there is no key " + d.KeyStart + "…"
		}
		return what, "Check X-Service-Key against `touchline keys list`. A key of one stage is unknown to another, and a secret is no key id."
	case accesslog.KeyRevoked:
		return "the key is revoked", "Make another with `touchline keys create`; a revocation is for good."
	case accesslog.KeyExpired:
		return "the key has expired", "Make another with `touchline keys create`."
	case accesslog.KeyOfNoOrganization:
		return "the key is not one of an organization", "Make one with `touchline keys create --organization ID`."
	case accesslog.TimestampSkewed:
		return skewText(d.SkewSeconds), "Set the caller's clock (NTP), send seconds and not milliseconds, and sign each attempt."
	case accesslog.SignatureWrong:
		if what, todo := mistakeText(signing.Mistake(d.Mistake)); what != "" {
			return "the signature is wrong: " + what, todo + " `touchline sign --explain METHOD 'PATH?QUERY'` shows the right string."
		}
		return fmt.Sprintf("the signature is not that of this request with a secret of this key; the service signs %d bytes with the SHA-256 %s…", d.CanonicalBytes, d.CanonicalSHA256),
			"Compare with the SHA-256 that `touchline sign --explain METHOD 'PATH?QUERY'` prints for the same timestamp and nonce. Where it differs, the canonical string does: path, query or method are not as sent. Where it is the same, the secret is another one."
	case accesslog.NonceUsed:
		return "the nonce was used before, by request " + orNone(d.UsedBy), "Make a new nonce for each attempt, also for a retry. Where nobody retried, somebody replays requests: rotate the key."
	}
	return "", ""
}

func ruleText(rule string) string {
	switch signing.Rule(rule) {
	case signing.RuleMissing:
		return "missing"
	case signing.RuleEmpty:
		return "empty"
	case signing.RuleSingle:
		return "sent more than once, or holds a comma"
	case signing.RuleLength:
		return "too long or too short"
	}
	return "written with a character that it must not hold"
}

func headerAdvice(header string) string {
	switch header {
	case signing.HeaderKey:
		return "Send the key's id: 1 to 100 of A-Z a-z 0-9 _ -."
	case signing.HeaderTimestamp:
		return "Send Unix time in seconds: 1 to 12 digits. Milliseconds have 13."
	case signing.HeaderNonce:
		return "Send 1 to 128 of A-Z a-z 0-9 _ . ~ -, new for each attempt."
	}
	return "Send the HMAC-SHA256 as 64 lower-case hex digits; base64 and capitals are refused."
}

func skewText(seconds int64) string {
	bound := int64(signing.Skew.Seconds())
	if seconds < 0 {
		return fmt.Sprintf("the timestamp is %d seconds behind the service's clock, at most %d are allowed", -seconds, bound)
	}
	return fmt.Sprintf("the timestamp is %d seconds ahead of the service's clock, at most %d are allowed", seconds, bound)
}

// ofKey explains checks 12 to 16.
func ofKey(l *accesslog.Line) (what, todo string) {
	switch d := l.Details; l.Why {
	case accesslog.AddressNotAllowed:
		return "the caller's address is not in the key's allowlist", fmt.Sprintf("Compare the caller's public address with `touchline keys show %s`, and change the list with `touchline keys set %[1]s --allow-ip CIDR`. The address is not logged; behind a proxy it is the proxy's.", l.KeyID)
	case accesslog.ScopeMissing:
		return "the key does not have the scope " + d.Scope, fmt.Sprintf("Give it the scope: `touchline keys set %s --scope %s`, with a --scope for each that `touchline keys show %[1]s` lists, since they replace those.", l.KeyID, d.Scope)
	case accesslog.OrganizationInactive:
		return "the key's organization is inactive", "Set its status in the dataset and import it."
	case accesslog.OrganizationWithoutPlan:
		return "the key's organization has no PRO plan", "Set its plan in the dataset and import it."
	case accesslog.OrganizationUnknown:
		return "the key's organization is not in the data, or is neither active nor has a PRO plan", "Compare the organization of `touchline keys show` with the dataset, and import it."
	case accesslog.RateSpent:
		return fmt.Sprintf("the key had %d requests within a minute on this worker", d.Limit), fmt.Sprintf("Wait %d seconds (Retry-After), and spread the requests.", d.RetryAfter)
	case accesslog.QuotaSpent:
		return fmt.Sprintf("its organization had its %d requests of this month", d.Limit), fmt.Sprintf("Wait for the next month, in %d seconds, or allow the key more: `touchline keys set %s --monthly-quota N`.", d.RetryAfter, l.KeyID)
	}
	return "", ""
}

// ofParameters explains checks 17 to 20, and what is not found at 21.
func ofParameters(l *accesslog.Line) (what, todo string) {
	switch d := l.Details; l.Why {
	case accesslog.ParameterUnknown:
		return "the query has a parameter that the route does not have" + parametersText(l.Route), "Compare the query with `touchline openapi`; the answer's details.field names it. Names are case-sensitive."
	case accesslog.ParameterInvalid:
		return parameterText(l.Route, d), "Compare it with `touchline openapi`."
	case accesslog.DescendantsNotAllowed:
		return "includeDescendants=true needs a key with the descendants option", fmt.Sprintf("Leave the parameter out, or give the key the option: `touchline keys set %s --descendants`.", l.KeyID)
	case accesslog.NotFound:
		return notFoundText(d.What), "Check that the id is of that kind, and visible: what is hidden, private, of another type, or outside the key's scope (`touchline keys show`) answers like what does not exist."
	case accesslog.TooManyOrganizations:
		return fmt.Sprintf("the list would range over %d organizations, %d are allowed", d.Organizations, d.Limit), "Narrow it with associationId or clubId, and page through each."
	}
	return "", ""
}

// parameterText says which rule of a query parameter was broken, and what the
// route takes.
func parameterText(path string, d accesslog.Why) string {
	takes := taken(path, d.Parameter)
	if takes != "" {
		takes = ": it takes " + takes
	}
	switch problem.Rule(d.Rule) {
	case problem.RuleRepeated:
		return fmt.Sprintf("the parameter %s is there more than once", d.Parameter)
	case problem.RuleEmpty:
		return fmt.Sprintf("the parameter %s has no value%s", d.Parameter, takes)
	case problem.RuleOrder:
		return "the time in from is later than the one in to"
	case problem.RuleWindow:
		return fmt.Sprintf("page times limit is above %d, where the pages of this list end", d.Limit)
	}
	return fmt.Sprintf("the parameter %s has a value that it may not have%s", d.Parameter, takes)
}

var table = sync.OnceValue(func() *route.Table { return groups.Table(endpoints.Deps{}) }) // none of its operations is called

// parametersText says which parameters a route has; empty where this version has no
// such route.
func parametersText(path string) string {
	for o := range table().All() {
		if o.Path == path {
			var names []string
			for _, p := range o.Params {
				names = append(names, p.Name)
			}
			return ", which has " + cmp.Or(strings.Join(names, ", "), "none")
		}
	}
	return ""
}

// taken is what a parameter of a route takes; empty where this version has no such
// route or parameter.
func taken(path, name string) string {
	for o := range table().All() {
		for _, p := range o.Params {
			if o.Path == path && p.Name == name {
				return p.Takes()
			}
		}
	}
	return ""
}

func notFoundText(what string) string {
	switch what {
	case "", "id":
		return "the id of the path was not found in the key's scope"
	case "season":
		return "the id was found, and not in the season that was asked for"
	}
	return fmt.Sprintf("the id of the filter %s was not found in the key's scope", what)
}

// ofFault explains a 5xx.
func ofFault(l *accesslog.Line) (what, todo string) {
	const again = " The caller may send the request again, with a new signature."
	switch store := orNone(l.Details.Store); l.Why {
	case accesslog.StoreFailed:
		return fmt.Sprintf("the store of the %s failed", store), "See the cause below. On AWS: is the table there, does the function's role allow the call, is DynamoDB or KMS disturbed or throttling?" + again
	case accesslog.OtherLayout:
		return "the table of the data has none that this version reads", "See the cause below: it says what the table has. Go back to the version that loaded it, or load the dataset into a new table." + again
	case accesslog.TimedOut:
		return fmt.Sprintf("the store of the %s did not answer in time", store), "See how long the stores took below, and whether DynamoDB or KMS is disturbed or throttling." + again
	case accesslog.AnswerTooLarge:
		return fmt.Sprintf("the answer would have %d bytes, at most %d are sent", l.Details.Bytes, l.Details.Limit),
			"Find what makes it so long: very long descriptions or very many parts of one record. Until then the caller asks for less, a smaller limit or depth."
	case accesslog.Panicked:
		return "the service has a fault", "Report the cause and the stack below."
	case accesslog.Failed:
		return "the service has a fault", "Report the cause below."
	}
	return "", ""
}
