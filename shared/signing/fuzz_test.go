package signing_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"touchline/shared/signing"
)

func FuzzCanonicalQueryIsIdempotent(f *testing.F) {
	for _, v := range readVectors(f, ownVectors).CanonicalQuery {
		f.Add(v.Sent)
	}
	for _, query := range readVectors(f, ownVectors).MalformedQuery {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		once, err := signing.CanonicalQuery(raw)
		if (err != nil) != (signing.CheckEscapes(raw) != nil) {
			t.Fatalf("CanonicalQuery(%q): %v, CheckEscapes says otherwise", raw, err)
		}
		if err != nil {
			return
		}
		twice, err := signing.CanonicalQuery(once)
		if err != nil || twice != once {
			t.Fatalf("%q became %q, then %q, %v", raw, once, twice, err)
		}
		comparePairsWith(t, raw, once)
	})
}

// comparePairsWith holds the canonical query to the pairs that were sent, read
// with net/url, which differs from the contract in the plus alone.
func comparePairsWith(t *testing.T, raw, canonical string) {
	sent := map[string]int{}
	add := func(query string, unescape func(string) (string, error), times int) {
		for part := range strings.SplitSeq(query, "&") {
			if part == "" {
				continue
			}
			key, value, _ := strings.Cut(part, "=")
			k, errKey := unescape(key)
			v, errValue := unescape(value)
			if err := errors.Join(errKey, errValue); err != nil {
				t.Fatal(err)
			}
			sent[k+"\x00="+v] += times
		}
	}
	add(raw, url.PathUnescape, 1)
	add(canonical, url.QueryUnescape, -1)
	for pair, count := range sent {
		if count != 0 {
			t.Fatalf("pair %q of %q is in %q %+d times too few", pair, raw, canonical, count)
		}
	}
}

func FuzzCanonicalPathIsIdempotent(f *testing.F) {
	for _, path := range append(readVectors(f, ownVectors).MalformedPath, "/v1/ping", "/v1/%2f%2F", "/v1/\xff%ff") {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		once, err := signing.CanonicalPath(raw)
		if (err != nil) != (signing.CheckEscapes(raw) != nil) {
			t.Fatalf("CanonicalPath(%q): %v, CheckEscapes says otherwise", raw, err)
		}
		if err != nil {
			return
		}
		if twice, err := signing.CanonicalPath(once); err != nil || twice != once {
			t.Fatalf("%q became %q, then %q, %v", raw, once, twice, err)
		}
		if !strings.EqualFold(raw, once) || len(raw) != len(once) {
			t.Fatalf("%q became %q: more than a case changed", raw, once)
		}
	})
}

func FuzzASignatureHoldsForItsOwnMessageAlone(f *testing.F) {
	f.Add("GET", "/v1/ping", "", "1700000000", "n", "secret", uint16(0))
	f.Add("head", "/v1/a%2fb", "a=2&a=1", "1", "~", "\u00fcml\u00e4ut", uint16(17))
	f.Fuzz(func(t *testing.T, method, path, query, timestamp, nonce, secret string, at uint16) {
		m := signing.Message{Method: method, Path: path, Query: query, Timestamp: timestamp, Nonce: nonce}
		canonical, err := m.Canonical()
		if err != nil {
			return
		}
		signature := signing.Sign(secret, canonical)
		if signing.Verify([]string{secret}, canonical, signature) != (secret != "") {
			t.Fatal("a message's own signature and Verify disagree")
		}
		changed := []byte(canonical)
		changed[int(at)%len(changed)] ^= 1
		if signing.Verify([]string{secret}, string(changed), signature) {
			t.Fatalf("the signature of %q holds for %q", canonical, changed)
		}
		other := []byte(signature)
		other[int(at)%len(other)] ^= 1
		if signing.Verify([]string{secret}, canonical, string(other)) {
			t.Fatalf("%s and %s both hold", signature, other)
		}
	})
}

func FuzzParseHeadersTakesNothingThatCouldSplitAField(f *testing.F) {
	f.Add("k", "1700000000", "n", strings.Repeat("0", 64))
	f.Add("k,k", "1\n", "\xff", strings.Repeat("G", 64))
	f.Fuzz(func(t *testing.T, key, timestamp, nonce, signature string) {
		h, err := parse(map[string]string{
			signing.HeaderKey: key, signing.HeaderTimestamp: timestamp,
			signing.HeaderNonce: nonce, signing.HeaderSignature: signature,
		})
		if err != nil {
			return
		}
		for _, v := range []string{h.Key, h.Timestamp, h.Nonce, h.Signature} {
			if v == "" || len(v) > 128 || strings.ContainsAny(v, ", \t\r\n#") {
				t.Fatalf("took %q", v)
			}
		}
		if _, ok := signing.Time(h.Timestamp); !ok {
			t.Fatalf("took timestamp %q, which names no time", h.Timestamp)
		}
	})
}
