package accesslog

// Word says in which way a check was not passed.
type Word string

// The words, by the check (decisions.md, D1) that uses them first.
const (
	HostNotServed           Word = "hostNotServed"           // before all: of serve on one machine
	PageNotServed           Word = "pageNotServed"           // between 5 and 6: of serve on one machine
	MethodNotServed         Word = "methodNotServed"         // 1
	TargetTooLong           Word = "targetTooLong"           // 2: Bytes, Limit
	EscapeMalformed         Word = "escapeMalformed"         // 3: In
	BodyPresent             Word = "bodyPresent"             // 4
	RouteUnknown            Word = "routeUnknown"            // 5
	FailuresLimited         Word = "failuresLimited"         // 6: Limit, RetryAfter
	HeaderMalformed         Word = "headerMalformed"         // 7: Header, Rule
	KeyUnknown              Word = "keyUnknown"              // 8: KeyStart, Canonical
	KeyRevoked              Word = "keyRevoked"              // 8: Canonical
	KeyExpired              Word = "keyExpired"              // 8: Canonical
	KeyOfNoOrganization     Word = "keyOfNoOrganization"     // 8: Canonical
	TimestampSkewed         Word = "timestampSkewed"         // 9: SkewSeconds, Canonical
	SignatureWrong          Word = "signatureWrong"          // 10: Canonical, Mistake
	NonceUsed               Word = "nonceUsed"               // 11: UsedBy
	AddressNotAllowed       Word = "addressNotAllowed"       // 12
	ScopeMissing            Word = "scopeMissing"            // 13: Scope
	OrganizationInactive    Word = "organizationInactive"    // 14
	OrganizationWithoutPlan Word = "organizationWithoutPlan" // 14
	OrganizationUnknown     Word = "organizationUnknown"     // 14
	OtherLayout             Word = "otherLayout"             // 14: Store
	RateSpent               Word = "rateSpent"               // 15: Limit, RetryAfter
	QuotaSpent              Word = "quotaSpent"              // 16: Limit, RetryAfter
	ParameterUnknown        Word = "parameterUnknown"        // 17
	ParameterInvalid        Word = "parameterInvalid"        // 17: Parameter, Rule, Limit
	DescendantsNotAllowed   Word = "descendantsNotAllowed"   // 18
	NotFound                Word = "notFound"                // 19, 21: What
	TooManyOrganizations    Word = "tooManyOrganizations"    // 20: Organizations, Limit
	StoreFailed             Word = "storeFailed"             // 8, 11, 14, 16, 21: Store
	AnswerTooLarge          Word = "answerTooLarge"          // 21: Bytes, Limit
	TimedOut                Word = "timedOut"                // as StoreFailed: Store
	Panicked                Word = "panicked"                // any
	Failed                  Word = "failed"                  // any: a fault other than a store's
)

// Words lists the words.
func Words() []Word {
	return []Word{
		HostNotServed, PageNotServed, MethodNotServed, TargetTooLong, EscapeMalformed, BodyPresent, RouteUnknown, FailuresLimited,
		HeaderMalformed, KeyUnknown, KeyRevoked, KeyExpired, KeyOfNoOrganization, TimestampSkewed,
		SignatureWrong, NonceUsed, AddressNotAllowed, ScopeMissing, OrganizationInactive,
		OrganizationWithoutPlan, OrganizationUnknown, OtherLayout, RateSpent, QuotaSpent, ParameterUnknown,
		ParameterInvalid, DescendantsNotAllowed, NotFound, TooManyOrganizations,
		StoreFailed, AnswerTooLarge, TimedOut, Panicked, Failed,
	}
}

// Why is in which way a check was not passed, and the details of it that the
// word has. A detail that says nothing is left out.
type Why struct {
	Word Word `json:"-"`

	Bytes         int    `json:"bytes,omitempty"`             // of the request target, or of the answer
	Limit         int    `json:"limit,omitempty"`             // the bound that applies
	In            string `json:"in,omitempty"`                // path or query
	Header        string `json:"header,omitempty"`            // name of one of the four headers
	Rule          string `json:"rule,omitempty"`              // that it breaks: a signing.Rule of a header, a problem.Rule of a parameter
	RetryAfter    int    `json:"retryAfterSeconds,omitempty"` // when it may be sent again
	KeyStart      string `json:"keyStart,omitempty"`          // of the id that was sent: what keys.Start shows of one
	SkewSeconds   int64  `json:"skewSeconds,omitempty"`       // of the timestamp to our clock; below 0: the past
	UsedBy        string `json:"usedBy,omitempty"`            // id of the request that used the nonce
	Scope         string `json:"scope,omitempty"`             // the first that the key does not have
	Parameter     string `json:"parameter,omitempty"`         // name, where the route has one of that name
	What          string `json:"what,omitempty"`              // was not found: id, a filter's name, or season
	Organizations int    `json:"organizations,omitempty"`     // that the list would range over
	Store         string `json:"store,omitempty"`             // that failed: the name of a Store

	// Of the canonical string that the service computed: what `touchline get
	// --explain` prints of the caller's.
	CanonicalSHA256 string `json:"canonicalSha256,omitempty"` // its first 16 hex digits
	CanonicalBytes  int    `json:"canonicalBytes,omitempty"`
	// In which usual wrong way the caller signed: a signing.Mistake.
	Mistake string `json:"mistake,omitempty"`
}
