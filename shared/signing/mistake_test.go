package signing_test

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"touchline/shared/signing"
)

// mistaken is a request and the string that its caller signed instead, spelled
// out.
type mistaken struct {
	name                string
	method, path, query string
	signed              func(lines []string) string // of the right string's fields
	key                 func(secret string) string  // nil: the secret
	want                signing.Mistake
}

func line(place int, text string) func([]string) string {
	return func(lines []string) string {
		lines[place] = text
		return strings.Join(lines, "\n")
	}
}

func without(place int) func([]string) string {
	return func(lines []string) string { return strings.Join(slices.Delete(lines, place, place+1), "\n") }
}

func pathAndQuery(path, query string) func([]string) string {
	return func(lines []string) string {
		lines[1], lines[2] = path, query
		return strings.Join(lines, "\n")
	}
}

// pathAlone leaves the line of the query out.
func pathAlone(path string) func([]string) string {
	return func(lines []string) string {
		lines[1] = path
		return strings.Join(slices.Delete(lines, 2, 3), "\n")
	}
}

func joined(separator, end string) func([]string) string {
	return func(lines []string) string { return strings.Join(lines, separator) + end }
}

const (
	mistakenSecret = "-y0mAeJ3pS7gHkq2v5x8z-BdEhKnQrTuWxZ_aC4FgIg"
	mistakenKey    = "tk_0123456789abcdefghij"
	mistakenHost   = "api.example.org"
)

func mistakes() []mistaken {
	const list, one = "/v1/clubs/64b7f0c2a1d3e4f5a6b7c8d9/teams", "/v1/ping"
	key := func(of func(string) string) mistaken { return mistaken{path: one, key: of} }
	as := func(m mistaken, name string, want signing.Mistake) mistaken {
		m.name, m.want = name, want
		return m
	}
	return []mistaken{
		{"unsorted", "GET", list, "sort=-name&limit=10", line(2, "sort=-name&limit=10"), nil, signing.QueryUnsorted},
		{"unsorted, encoded", "GET", list, "to=2026-01-01T00:00Z&from=2025-01-01", line(2, "to=2026-01-01T00%3A00Z&from=2025-01-01"), nil, signing.QueryUnsorted},
		{"as sent", "GET", list, "from=2026-01-01T00:00Z&to=2027-01-01", line(2, "from=2026-01-01T00:00Z&to=2027-01-01"), nil, signing.QueryAsSent},
		{"a space as plus", "GET", list, "q=a%20b", line(2, "q=a+b"), nil, signing.QueryFormEncoded},
		{"a plus for a space", "GET", list, "q=a+b&r=c", line(2, "q=a%20b&r=c"), nil, signing.QueryFormEncoded},
		{"a plus left", "GET", list, "r=c&q=a+b", line(2, "q=a+b&r=c"), nil, signing.QueryFormEncoded},
		{"a space as plus, in the order sent", "GET", list, "q=a%20b&limit=10", line(2, "q=a+b&limit=10"), nil, signing.QueryFormEncoded},
		{"a plus for a space, in the order sent", "GET", list, "q=a+b&limit=10", line(2, "q=a%20b&limit=10"), nil, signing.QueryFormEncoded},
		{"a plus as sent", "GET", list, "q=a+b&limit=10", line(2, "q=a+b&limit=10"), nil, signing.QueryFormEncoded},
		{"the question mark", "GET", list, "page=2&limit=10", line(2, "?limit=10&page=2"), nil, signing.QueryWithMark},
		{"the question mark, as sent", "GET", list, "page=2&limit=10", line(2, "?page=2&limit=10"), nil, signing.QueryWithMark},
		{"an empty query", "GET", list, "page=2&limit=10", line(2, ""), nil, signing.QueryOmitted},
		{"no query", "GET", list, "page=2&limit=10", without(2), nil, signing.QueryOmitted},
		{"the query in the path", "GET", list, "page=2&limit=10", pathAndQuery(list+"?page=2&limit=10", ""), nil, signing.QueryInPath},
		{"the sorted query in the path", "GET", list, "page=2&limit=10", pathAndQuery(list+"?limit=10&page=2", ""), nil, signing.QueryInPath},
		{"the query in the path, too", "GET", list, "page=2&limit=10", line(1, list+"?page=2&limit=10"), nil, signing.QueryInPath},
		{"the query in the path, without its line", "GET", list, "page=2", pathAlone(list + "?page=2"), nil, signing.QueryInPath},
		{"no version", "GET", list, "page=2", line(1, strings.TrimPrefix(list, "/v1")), nil, signing.VersionOmitted},
		{"https", "GET", list, "page=2", line(1, "https://"+mistakenHost+list), nil, signing.FullURL},
		{"https with the query", "GET", list, "page=2", pathAndQuery("https://"+mistakenHost+list+"?page=2", ""), nil, signing.FullURL},
		{"https with the query, too", "GET", list, "page=2", line(1, "https://"+mistakenHost+list+"?page=2"), nil, signing.FullURL},
		{"http with the query, without its line", "GET", list, "page=2", pathAlone("http://" + mistakenHost + list + "?page=2"), nil, signing.FullURL},
		{"http", "HEAD", one, "", line(1, "http://"+mistakenHost+one), nil, signing.FullURL},
		{"lower case", "GET", one, "", line(0, "get"), nil, signing.MethodLowerCase},
		{"GET for HEAD", "HEAD", one, "", line(0, "GET"), nil, signing.MethodOfAnother},
		{"HEAD for GET", "GET", one, "", line(0, "HEAD"), nil, signing.MethodOfAnother},
		{"a line feed at the end", "GET", one, "", joined("\n", "\n"), nil, signing.LineFeedAtEnd},
		{"no line for the query", "GET", one, "", without(2), nil, signing.LineFeedMissing},
		{"no line feeds", "GET", one, "", joined("", ""), nil, signing.LineFeedMissing},
		{"CR LF", "GET", one, "", joined("\r\n", ""), nil, signing.CarriageReturns},
		{"a backslash and an n", "GET", one, "", joined(`\n`, ""), nil, signing.BackslashN},
		{"an empty hash", "GET", one, "", line(5, ""), nil, signing.BodyHashEmpty},
		{"no hash", "GET", one, "", without(5), nil, signing.BodyHashEmpty},
		as(key(func(s string) string { return s + "\n" }), "a line feed after the secret", signing.SecretWithSpace),
		as(key(func(s string) string { return s + "\r\n" }), "a line end after the secret", signing.SecretWithSpace),
		as(key(func(s string) string { return s + " " }), "a space after the secret", signing.SecretWithSpace),
		as(key(func(s string) string { return s[1:] }), "the secret without its dash", signing.SecretTrimmed),
		as(key(decoded), "the secret decoded", signing.SecretDecoded),
		as(key(func(string) string { return mistakenKey }), "the key's id", signing.KeyIDAsSecret),
	}
}

func decoded(secret string) string {
	bytes, err := base64.RawURLEncoding.DecodeString(secret)
	if err != nil {
		panic(err)
	}
	return string(bytes)
}

// refused gives the request as its caller sent it, and the right string.
func (m mistaken) refused(t *testing.T) (signing.Refused, string) {
	t.Helper()
	r := signing.Refused{Message: signing.Message{
		Method: m.method, Path: m.path, Query: m.query, Timestamp: "1700000000", Nonce: "n-1",
	}, Key: mistakenKey, Host: mistakenHost}
	if r.Method == "" {
		r.Method = "GET"
	}
	right, err := r.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	signed, secret := right, mistakenSecret
	if m.signed != nil {
		signed = m.signed(strings.Split(right, "\n"))
	}
	if m.key != nil {
		secret = m.key(secret)
	}
	r.Signature = signing.Sign(secret, signed)
	return r, right
}

func TestEveryUsualMistakeIsFoundAndStaysRefused(t *testing.T) {
	found := map[signing.Mistake]bool{}
	for _, m := range mistakes() {
		t.Run(m.name, func(t *testing.T) {
			r, right := m.refused(t)
			for name, secrets := range map[string][]string{
				"one": {mistakenSecret}, "the old of two": {"another", mistakenSecret}, "the new of two": {mistakenSecret, "another"},
			} {
				if signing.Verify(secrets, right, r.Signature) {
					t.Fatal("the signature is right")
				}
				if got := signing.FindMistake(secrets, r); got != m.want {
					t.Errorf("%s: %q, want %q", name, got, m.want)
				}
			}
			for name, secrets := range map[string][]string{"none": nil, "another": {"another"}, "empty": {""}} {
				needsSecret := m.want != signing.KeyIDAsSecret || secrets == nil
				if got := signing.FindMistake(secrets, r); needsSecret && got != "" {
					t.Errorf("%s: %q", name, got)
				}
			}
			found[m.want] = true
		})
	}
	for _, m := range signing.Mistakes() {
		if !found[m] {
			t.Errorf("%s has no case", m)
		}
	}
	if len(found) != len(signing.Mistakes()) {
		t.Errorf("%d mistakes are found, %d listed", len(found), len(signing.Mistakes()))
	}
}

func TestAnyOtherWrongSignatureHasNoName(t *testing.T) {
	r, _ := mistaken{path: "/v1/ping", query: "a=1"}.refused(t)
	for _, signature := range []string{strings.Repeat("ab", 32), "", strings.Repeat("0", 64)} {
		r.Signature = signature
		if got := signing.FindMistake([]string{mistakenSecret}, r); got != "" {
			t.Errorf("%q: %s", signature, got)
		}
	}
	r.Path = "/v1/%zz"
	if got := signing.FindMistake([]string{mistakenSecret}, r); got != "" {
		t.Errorf("a malformed escape: %s", got)
	}
}

// Time itself is no test; what each case allocates is the number of codes made.
func TestFindingAMistakeCostsTheSameWhateverIsKnown(t *testing.T) {
	r, _ := mistaken{path: "/v1/ping", query: "b=2&a=1"}.refused(t)
	other := strings.Repeat("s", len(mistakenSecret))
	work := func(secrets []string, r signing.Refused) float64 {
		return testing.AllocsPerRun(100, func() { signing.FindMistake(secrets, r) })
	}
	r.Signature = strings.Repeat("ab", 32)
	want := work([]string{mistakenSecret}, r)
	const bound = 250
	if want < 20 || want > bound {
		t.Errorf("%v allocations, want 20 to %d", want, bound)
	}
	for name, secrets := range map[string][]string{"none": nil, "two": {mistakenSecret, other}, "an empty one": {""}} {
		if got := work(secrets, r); got != want {
			t.Errorf("%s: %v allocations, %v for one", name, got, want)
		}
	}
	for _, m := range mistakes() {
		if m.query != "" || m.method == "HEAD" {
			continue // other requests cost otherwise
		}
		m.path, m.query = "/v1/ping", "b=2&a=1"
		r, _ := m.refused(t)
		if got := work([]string{mistakenSecret}, r); got != want {
			t.Errorf("%s: %v allocations, %v where nothing is found", m.name, got, want)
		}
	}
}
