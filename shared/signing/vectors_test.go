package signing_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"touchline/shared/signing"
)

// vectors are known answers from elsewhere: round trips through our own code
// would hold just as well for a code that forgot a field.
type vectors struct {
	CanonicalQuery []struct{ Sent, Canonical string }
	MalformedQuery []string
	MalformedPath  []string
	Requests       []struct {
		Secret, Method, Target, Timestamp, Nonce, Canonical, Signature string
	}
}

func readVectors(t testing.TB) vectors {
	t.Helper()
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.CanonicalQuery) < 52 || len(v.MalformedQuery) < 7 || len(v.MalformedPath) < 3 || len(v.Requests) < 24 {
		t.Fatal("vectors are missing from testdata/vectors.json")
	}
	return v
}

func TestCanonicalQueryGivesTheKnownAnswers(t *testing.T) {
	for _, v := range readVectors(t).CanonicalQuery {
		t.Run(v.Sent, func(t *testing.T) {
			got, err := signing.CanonicalQuery(v.Sent)
			if err != nil || got != v.Canonical {
				t.Errorf("CanonicalQuery(%q) = %q, %v; want %q", v.Sent, got, err, v.Canonical)
			}
		})
	}
}

func TestMalformedEscapesOfTheVectorsAreRefused(t *testing.T) {
	v := readVectors(t)
	for _, query := range v.MalformedQuery {
		if _, err := signing.CanonicalQuery(query); !errors.Is(err, signing.ErrEscape) {
			t.Errorf("CanonicalQuery(%q): %v, want ErrEscape", query, err)
		}
		if _, err := (signing.Message{Path: "/v1", Query: query}).Canonical(); !errors.Is(err, signing.ErrEscape) {
			t.Errorf("Canonical with query %q: %v, want ErrEscape", query, err)
		}
	}
	for _, path := range v.MalformedPath {
		if _, err := signing.CanonicalPath(path); !errors.Is(err, signing.ErrEscape) {
			t.Errorf("CanonicalPath(%q): %v, want ErrEscape", path, err)
		}
		if _, err := (signing.Message{Path: path}).Canonical(); !errors.Is(err, signing.ErrEscape) {
			t.Errorf("Canonical of path %q: %v, want ErrEscape", path, err)
		}
	}
}

func TestRequestsGiveTheKnownCanonicalStringAndSignature(t *testing.T) {
	for _, v := range readVectors(t).Requests {
		t.Run(v.Method+" "+v.Target, func(t *testing.T) {
			path, query, _ := strings.Cut(v.Target, "?")
			m := signing.Message{Method: v.Method, Path: path, Query: query, Timestamp: v.Timestamp, Nonce: v.Nonce}
			canonical, err := m.Canonical()
			if err != nil || canonical != v.Canonical {
				t.Fatalf("Canonical() = %q, %v; want %q", canonical, err, v.Canonical)
			}
			if got := signing.Sign(v.Secret, canonical); got != v.Signature {
				t.Errorf("Sign() = %s, want %s", got, v.Signature)
			}
			if !signing.Verify([]string{v.Secret}, v.Canonical, v.Signature) {
				t.Error("Verify refuses the known signature")
			}
		})
	}
}
