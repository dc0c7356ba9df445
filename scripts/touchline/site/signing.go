package site

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"touchline/shared/signing"
)

// exampleSecret is the secret of the vectors, which no key has.
const exampleSecret = "s3cr3t-Example_0001"

// workedRequest is a request of shared/signing/vectors/vectors.json.
type workedRequest struct{ title, method, target, timestamp, nonce string }

// workedRequests are the examples on the page about signing.
func workedRequests() []workedRequest {
	return []workedRequest{
		{"without a query", "GET", "/v1/ping", "1700000000", "c"},
		{"a query out of order, with escapes", "GET", "/v1/tournaments/5ca1ab1e0ddba11c0ffee000/matches?to=2026-05-31T23%3a59&from=2026-05-01&status=finished", "1790000017", "n0nce-2"},
	}
}

// vector is a request with all values that lead to its signature.
type vector struct {
	Title, Secret, Method, Target, Path, Query, Timestamp, Nonce string

	Pairs     []pair   // of the query, as sent
	Sorted    []string // encoded and sorted
	Canonical string
	Fields    []string // of the canonical string
	Bytes     int
	Hex       string // of the canonical string, in lines of 16 bytes
	SHA256    string // of the canonical string
	Signature string
}

// pair is a parameter of a query, as sent and as signed.
type pair struct{ Sent, Key, Value, Encoded string }

// work computes all values for a request.
func work(r workedRequest) (vector, error) {
	v := vector{Title: r.title, Secret: exampleSecret, Method: r.method, Target: r.target, Timestamp: r.timestamp, Nonce: r.nonce}
	v.Path, v.Query, _ = strings.Cut(r.target, "?")
	m := signing.Message{Method: v.Method, Path: v.Path, Query: v.Query, Timestamp: v.Timestamp, Nonce: v.Nonce}
	canonical, err := m.Canonical()
	if err != nil {
		return vector{}, fmt.Errorf("%s: %w", r.target, err)
	}
	for part := range strings.SplitSeq(v.Query, "&") {
		if part == "" {
			continue
		}
		key, value, _ := strings.Cut(part, "=")
		encoded, err := signing.CanonicalQuery(part)
		if err != nil {
			return vector{}, err
		}
		v.Pairs = append(v.Pairs, pair{part, key, value, encoded})
		v.Sorted = append(v.Sorted, encoded)
	}
	slices.Sort(v.Sorted) // as the service does, unless a key is a prefix of another
	v.Canonical, v.Fields, v.Bytes = canonical, strings.Split(canonical, "\n"), len(canonical)
	for line := range slices.Chunk([]byte(canonical), 16) {
		v.Hex += fmt.Sprintf("% x\n", line)
	}
	sum := sha256.Sum256([]byte(canonical))
	v.SHA256 = hex.EncodeToString(sum[:])
	v.Signature = signing.Sign(v.Secret, canonical)
	return v, nil
}
