package signing_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchline/shared/outside"
	"touchline/shared/signing"
)

// vectors are known answers that other code gave. Round trips through our own
// code would also pass if it left out a field.
type vectors struct {
	CanonicalQuery []struct{ Sent, Canonical string }
	MalformedQuery []string
	MalformedPath  []string
	Requests       []struct {
		Secret, Method, Target, Timestamp, Nonce, Canonical, Signature string
	}
}

const ownVectors = "vectors/vectors.json"

func readVectors(t testing.TB, file string) vectors {
	t.Helper()
	data, err := os.ReadFile(filepath.Clean(file))
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.CanonicalQuery) < 52 || len(v.MalformedQuery) < 7 || len(v.MalformedPath) < 3 || len(v.Requests) < 24 {
		t.Fatalf("vectors are missing from %s", file)
	}
	return v
}

// forEachVectors runs a test on our own vectors, made by vectors/vectors.py,
// and on those that somebody else made, where they are.
func forEachVectors(t *testing.T, test func(*testing.T, vectors)) {
	t.Helper()
	t.Run("own", func(t *testing.T) { test(t, readVectors(t, ownVectors)) })
	t.Run("outside", func(t *testing.T) { test(t, readVectors(t, outside.Path(t, "vectors/signing.json"))) })
}

func TestCanonicalQueryGivesTheKnownAnswers(t *testing.T) {
	forEachVectors(t, func(t *testing.T, all vectors) {
		for _, v := range all.CanonicalQuery {
			got, err := signing.CanonicalQuery(v.Sent)
			if err != nil || got != v.Canonical {
				t.Errorf("CanonicalQuery(%q) = %q, %v; want %q", v.Sent, got, err, v.Canonical)
			}
		}
	})
}

func TestMalformedEscapesOfTheVectorsAreRefused(t *testing.T) {
	forEachVectors(t, refuseMalformed)
}

func refuseMalformed(t *testing.T, v vectors) {
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
	forEachVectors(t, func(t *testing.T, all vectors) {
		for _, v := range all.Requests {
			path, query, _ := strings.Cut(v.Target, "?")
			m := signing.Message{Method: v.Method, Path: path, Query: query, Timestamp: v.Timestamp, Nonce: v.Nonce}
			canonical, err := m.Canonical()
			if err != nil || canonical != v.Canonical {
				t.Errorf("%s %s: Canonical() = %q, %v; want %q", v.Method, v.Target, canonical, err, v.Canonical)
			}
			if got := signing.Sign(v.Secret, canonical); got != v.Signature {
				t.Errorf("%s %s: Sign() = %s, want %s", v.Method, v.Target, got, v.Signature)
			}
			if !signing.Verify([]string{v.Secret}, v.Canonical, v.Signature) {
				t.Errorf("%s %s: Verify refuses the known signature", v.Method, v.Target)
			}
		}
	})
}
