package signing

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"strings"
)

// Mistake names a usual way to sign a request wrongly. Empty: none of those that
// are known.
type Mistake string

// The mistakes, in the order in which they are looked for: where two of them
// give the same string, the first is meant.
const (
	QueryUnsorted    Mistake = "queryUnsorted"    // encoded, in the order sent
	QueryAsSent      Mistake = "queryAsSent"      // neither sorted nor encoded again
	QueryFormEncoded Mistake = "queryFormEncoded" // a space as +, or a + taken for a space
	QueryWithMark    Mistake = "queryWithMark"    // begins with the question mark
	QueryOmitted     Mistake = "queryOmitted"     // not in the string, though one was sent
	QueryInPath      Mistake = "queryInPath"      // behind the path, in its line
	VersionOmitted   Mistake = "versionOmitted"   // PATH without /v1
	FullURL          Mistake = "fullURL"          // PATH with scheme and host, and perhaps the query
	MethodLowerCase  Mistake = "methodLowerCase"  // get
	MethodOfAnother  Mistake = "methodOfAnother"  // GET for HEAD, or HEAD for GET
	LineFeedAtEnd    Mistake = "lineFeedAtEnd"    // one too many
	LineFeedMissing  Mistake = "lineFeedMissing"  // fields without one between them, or no line for an empty query
	CarriageReturns  Mistake = "carriageReturns"  // CR LF between the fields
	BackslashN       Mistake = "backslashN"       // a backslash and an n between the fields
	BodyHashEmpty    Mistake = "bodyHashEmpty"    // no BODY_HASH, or an empty one
	SecretWithSpace  Mistake = "secretWithSpace"  // a line end or a space after the secret
	SecretTrimmed    Mistake = "secretTrimmed"    // without the - and _ at its ends
	SecretDecoded    Mistake = "secretDecoded"    // from base64url, to bytes
	KeyIDAsSecret    Mistake = "keyIdAsSecret"    // keyed with the key's id
)

// maxHost bounds in bytes the host that is looked for: no name is longer (RFC
// 1035, 2.3.4).
const maxHost = 255

// How many strings and keys are tried for a request, at most: all of its own for
// each secret, and the key's id.
const (
	maxCandidates    = 32
	secretCandidates = 6
	maxTried         = rounds*(maxCandidates+secretCandidates) + 1
)

// Mistakes lists the mistakes in their order.
func Mistakes() []Mistake {
	return []Mistake{
		QueryUnsorted, QueryAsSent, QueryFormEncoded, QueryWithMark, QueryOmitted, QueryInPath, VersionOmitted,
		FullURL, MethodLowerCase, MethodOfAnother, LineFeedAtEnd, LineFeedMissing, CarriageReturns, BackslashN,
		BodyHashEmpty, SecretWithSpace, SecretTrimmed, SecretDecoded, KeyIDAsSecret,
	}
}

// Refused is a request whose signature did not verify.
type Refused struct {
	Message
	Key       string // id of the key, as sent
	Host      string // the Host header; may be empty
	Signature string // as sent
}

// FindMistake signs a refused request in every usual wrong way and returns the
// first that gives its signature, which stays refused: the word is for the
// operator's log.
//
// As with Verify, the work is the same for none, one and two secrets, whichever
// way matches, and codes are compared in constant time. It depends on the request
// alone: at most maxTried codes, each over little more than its target.
func FindMistake(secrets []string, r Refused) Mistake {
	canonical, err := r.Canonical()
	if err != nil {
		return ""
	}
	claimed := []byte(r.Signature)
	var room [maxCandidates]candidate
	candidates := r.candidates(room[:0])
	text := make([]byte, 0, 2*len(canonical)+maxHost)
	found := 0 // place in words, from 1; 0: none
	words := make([]Mistake, 0, maxTried)
	try := func(mac hash.Hash, word Mistake, text []byte, counts int) {
		words = append(words, word)
		var sum [sha256.Size]byte
		var digits [lenSignature]byte
		mac.Reset()
		mac.Write(text)
		hex.Encode(digits[:], mac.Sum(sum[:0]))
		first := subtle.ConstantTimeEq(int32(found), 0) // #nosec G115 -- below 128
		matches := counts & first & subtle.ConstantTimeCompare(digits[:], claimed)
		found = subtle.ConstantTimeSelect(matches, len(words), found)
	}
	for i := range max(len(secrets), rounds) {
		secret, counts := decoy, 0
		if i < len(secrets) && secrets[i] != "" {
			secret, counts = secrets[i], 1
		}
		mac := hmac.New(sha256.New, []byte(secret))
		for _, c := range candidates {
			text = c.appendTo(text[:0])
			try(mac, c.word, text, counts)
		}
		text = append(text[:0], canonical...)
		for _, c := range keysInPlaceOf(secret) {
			try(hmac.New(sha256.New, c.key), c.word, text, counts)
		}
	}
	known := min(len(secrets), 1)
	try(hmac.New(sha256.New, []byte(r.Key)), KeyIDAsSecret, append(text[:0], canonical...), known)
	if found == 0 {
		return ""
	}
	return words[found-1]
}

// candidate is a string that may have been signed in place of the right one.
type candidate struct {
	word      Mistake
	fields    [6]string
	separator string
	end       string
	without   int // place of a field that is left out, with its separator; 0: none
}

func (c *candidate) appendTo(text []byte) []byte {
	for i, f := range c.fields {
		if i > 0 && i == c.without {
			continue
		}
		if i > 0 {
			text = append(text, c.separator...)
		}
		text = append(text, f...)
	}
	return append(text, c.end...)
}

// The places of the fields of a canonical string.
const (
	methodField = iota
	pathField
	queryField
	_ // timestamp
	_ // nonce
	bodyField
)

// candidates appends the strings that may have been signed, in the order of the
// mistakes. Their number depends on the request alone.
func (r *Refused) candidates(to []candidate) []candidate {
	// The escapes have been checked: Canonical did.
	path, _ := CanonicalPath(r.Path)
	query, _ := CanonicalQuery(r.Query)
	method := strings.ToUpper(r.Method)
	right := candidate{fields: [6]string{method, path, query, r.Timestamp, r.Nonce, emptyHash}, separator: "\n"}
	with := func(word Mistake, change func(*candidate)) {
		c := right
		c.word = word
		change(&c)
		to = append(to, c)
	}
	field := func(word Mistake, place int, text string) {
		with(word, func(c *candidate) { c.fields[place] = text })
	}
	// inPath is a path with the query, whose own line is empty, there or left out.
	inPath := func(word Mistake, text string) {
		with(word, func(c *candidate) { c.fields[pathField], c.fields[queryField] = text, "" })
		field(word, pathField, text)
		with(word, func(c *candidate) { c.fields[pathField], c.without = text, queryField })
	}
	if r.Query != "" {
		unsorted := joinPairs(pairsOf(r.Query))
		field(QueryUnsorted, queryField, unsorted)
		field(r.asSent(), queryField, r.Query)
		field(QueryFormEncoded, queryField, strings.ReplaceAll(unsorted, "%20", "+"))
		field(QueryFormEncoded, queryField, strings.ReplaceAll(unsorted, "%2B", "%20"))
		field(QueryFormEncoded, queryField, strings.ReplaceAll(query, "%20", "+"))
		field(QueryFormEncoded, queryField, strings.ReplaceAll(query, "%2B", "%20"))
		field(QueryFormEncoded, queryField, strings.ReplaceAll(query, "%2B", "+"))
		field(QueryWithMark, queryField, "?"+query)
		field(QueryWithMark, queryField, "?"+r.Query)
		field(QueryOmitted, queryField, "")
		with(QueryOmitted, func(c *candidate) { c.without = queryField })
		inPath(QueryInPath, path+"?"+r.Query)
		with(QueryInPath, func(c *candidate) { c.fields[pathField], c.fields[queryField] = path+"?"+query, "" })
	}
	field(VersionOmitted, pathField, strings.TrimPrefix(path, "/v1"))
	if host := r.Host; host != "" && len(host) <= maxHost {
		for _, scheme := range []string{"https://", "http://"} {
			field(FullURL, pathField, scheme+host+path)
			if r.Query != "" {
				inPath(FullURL, scheme+host+path+"?"+r.Query)
			}
		}
	}
	field(MethodLowerCase, methodField, strings.ToLower(method))
	field(MethodOfAnother, methodField, map[string]string{"GET": "HEAD", "HEAD": "GET"}[method])
	with(LineFeedAtEnd, func(c *candidate) { c.end = "\n" })
	if r.Query == "" {
		with(LineFeedMissing, func(c *candidate) { c.without = queryField })
	}
	with(LineFeedMissing, func(c *candidate) { c.separator = "" })
	with(CarriageReturns, func(c *candidate) { c.separator = "\r\n" })
	with(BackslashN, func(c *candidate) { c.separator = `\n` })
	field(BodyHashEmpty, bodyField, "")
	with(BodyHashEmpty, func(c *candidate) { c.without = bodyField })
	return to
}

// asSent is what a query signed as it was sent means: whoever sends a + took it for
// a space.
func (r *Refused) asSent() Mistake {
	if strings.Contains(r.Query, "+") {
		return QueryFormEncoded
	}
	return QueryAsSent
}

// keyed is a key that may have been used in place of the secret.
type keyed struct {
	word Mistake
	key  []byte
}

// keysInPlaceOf gives as many for each secret. What is cut off one's ends is
// white space, and - and _, at which a double click ends what it selects.
func keysInPlaceOf(secret string) [secretCandidates]keyed {
	// What cannot be decoded is worth as much work as what can.
	decoded, _ := base64.RawURLEncoding.DecodeString(strings.TrimRight(secret, "="))
	return [...]keyed{
		{SecretWithSpace, []byte(secret + "\n")},
		{SecretWithSpace, []byte(secret + "\r\n")},
		{SecretWithSpace, []byte(secret + " ")},
		{SecretTrimmed, []byte(strings.TrimSpace(secret))},
		{SecretTrimmed, []byte(strings.Trim(secret, "-_"))},
		{SecretDecoded, decoded},
	}
}
