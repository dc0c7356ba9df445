package logs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/accesslog"
	"touchline/shared/pipeline"
	"touchline/shared/problem"
	"touchline/shared/signing"
)

const someRequest = "0b5f7f0e-4f0c-4f7e-9d9e-6f2f6b1f7a11"

// refused is a line about a wrong signature.
const refused = `{"time":"2026-03-14T15:09:26.535Z","msg":"request","requestId":"` + someRequest + `","method":"GET","route":"/v1/teams/{id}","keyId":"tk_1","status":401,"code":"unauthorized","check":10,"refusedBy":"signature","why":"signatureWrong","details":{"canonicalSha256":"92226b26a990ebbb","canonicalBytes":125},"durationMicros":3210,"bytes":65}`

func TestALineInWords(t *testing.T) {
	l, err := accesslog.Parse([]byte(refused))
	must(t, err)
	want := `Request 0b5f7f0e-4f0c-4f7e-9d9e-6f2f6b1f7a11, 2026-03-14 15:09:26.535 UTC

  asked      GET /v1/teams/{id}
  answered   401 unauthorized after 3.2 ms
  refused by check 10, signature: the signature is not that of this request with a secret of this key; the service signs 125 bytes with the SHA-256 92226b26a990ebbb…
  to do      Compare with the SHA-256 that ` + "`touchline get --explain 'PATH?QUERY'`" + ` prints for the same timestamp and nonce. Where it differs, the canonical string does: path, query or method are not as sent. Where it is the same, the secret is another one.

` + refused + "\n"
	if diff := cmp.Diff(want, inWords(&l, []byte(refused))); diff != "" {
		t.Error(diff)
	}
}

func TestEveryWordIsExplainedWithWhatToDo(t *testing.T) {
	said := map[string]accesslog.Word{}
	for _, word := range accesslog.Words() {
		what, todo := Meaning(&accesslog.Line{Why: word, Details: accesslog.Why{Store: "nonces", Header: signing.HeaderNonce}})
		if what == "" || todo == "" {
			t.Errorf("%s: %q, %q", word, what, todo)
		}
		if other, twice := said[what]; twice && word != accesslog.Failed {
			t.Errorf("%s is explained like %s", word, other)
		}
		said[what] = word
	}
	if what, todo := Meaning(&accesslog.Line{}); what != "" || todo != "" {
		t.Errorf("an answer: %q, %q", what, todo)
	}
	for _, rule := range signing.Rules() {
		if text := ruleText(string(rule)); text == "" || rule != signing.RuleCharacter && text == ruleText("other") {
			t.Errorf("%s: %q", rule, text)
		}
	}
}

// TestEveryMeaningIsThatOfAWord: a block under a word that no line has would never be seen.
func TestEveryMeaningIsThatOfAWord(t *testing.T) {
	for block, m := range meanings() {
		word, _, _ := strings.Cut(block, " ")
		if !slices.Contains(accesslog.Words(), accesslog.Word(word)) || m.what == "" || m.todo == "" {
			t.Errorf("%s: %+v", block, m)
		}
	}
}

func TestEveryMistakeInSigningIsExplained(t *testing.T) {
	said := map[string]bool{}
	for _, m := range signing.Mistakes() {
		what, todo := Meaning(&accesslog.Line{Why: accesslog.SignatureWrong, Details: accesslog.Why{Mistake: string(m)}})
		if !strings.HasPrefix(what, "the signature is wrong: ") || said[what] || !strings.Contains(todo, "touchline get --explain") {
			t.Errorf("%s: %q, %q", m, what, todo)
		}
		said[what] = true
	}
	// A log of another version may have another word.
	if what, _ := Meaning(&accesslog.Line{Why: accesslog.SignatureWrong, Details: accesslog.Why{Mistake: "other"}}); !strings.Contains(what, "SHA-256") {
		t.Errorf("%q", what)
	}
}

// TestEveryCheckAndCodeIsShown: whatever the pipeline can refuse with.
func TestEveryCheckAndCodeIsShown(t *testing.T) {
	for i, check := range pipeline.Checks() {
		for _, code := range problem.Codes() {
			l := accesslog.Line{RequestID: someRequest, Check: i + 1, RefusedBy: check, Status: code.Status(), Code: string(code), Why: accesslog.StoreFailed}
			text := inWords(&l, nil)
			for _, part := range []string{fmt.Sprintf("check %d, %s:", i+1, check), fmt.Sprintf("%d %s", code.Status(), code), "to do"} {
				if !strings.Contains(text, part) {
					t.Errorf("%q is not in %s", part, text)
				}
			}
		}
	}
}
