package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/scripts/touchline/protocol"
	"touchline/shared/signing/vectors"
)

// known is a request of package signing's known answers.
type known struct {
	Secret, Method, Target, Timestamp, Nonce, Canonical, Signature string
}

func knownRequests(t *testing.T) []known {
	t.Helper()
	var file struct{ Requests []known }
	must(t, json.Unmarshal(vectors.JSON(), &file))
	return file.Requests
}

// sendable reports whether a request line can hold a target.
func sendable(target string) bool {
	return !strings.ContainsFunc(target, func(r rune) bool { return r <= ' ' || r >= 0x7f })
}

func (k known) term() *screen {
	return newTerminal(map[string]string{protocol.SecretVariable: k.Secret})
}

func (k known) args(flags ...string) []string {
	if k.Method == "HEAD" {
		flags = append(flags, "--head")
	}
	return append([]string{"get", "--key-id=key-1", "--timestamp=" + k.Timestamp, "--nonce=" + k.Nonce, k.Target}, flags...)
}

func TestSignGivesTheKnownAnswers(t *testing.T) {
	signed := 0
	for i, k := range knownRequests(t) {
		if !sendable(k.Target) || k.Method != "GET" && k.Method != "HEAD" {
			continue
		}
		signed++
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			want := fmt.Sprintf("\n\n  X-Service-Key: key-1\n  X-Service-Timestamp: %s\n  X-Service-Nonce: %s\n  X-Service-Signature: %s\n", k.Timestamp, k.Nonce, k.Signature)
			if out := k.term().succeed(t, k.args("--explain")...); !strings.HasSuffix(out, want) {
				t.Errorf("%s lacks %s", out, want)
			}
			term := k.term()
			if out := term.succeed(t, k.args("--explain")...); strings.Contains(out+term.Errors.String(), k.Secret) {
				t.Errorf("--explain shows the secret: %s", out)
			}
		})
	}
	if signed < 3 {
		t.Errorf("only %d requests could be sent", signed)
	}
}

func TestExplainShowsEveryByte(t *testing.T) {
	term := newTerminal(map[string]string{protocol.SecretVariable: "secret"})
	got := term.succeed(t, "get", "--key-id=k", "--timestamp=1700000000", "--nonce=n", "--explain", "/v1/clubs/a%2fb?q=a+b&page")
	want := `Canonical string: 111 bytes, six fields joined by a line feed (LF), none at the end

  METHOD                GET LF
  PATH                  /v1/clubs/a%2Fb LF
  SORTED_ENCODED_QUERY  page=&q=a%2Bb LF
  TIMESTAMP             1700000000 LF
  NONCE                 n LF
  BODY_HASH             e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855

Byte by byte

00000000  47 45 54 0a 2f 76 31 2f  63 6c 75 62 73 2f 61 25  |GET./v1/clubs/a%|
`
	if !strings.HasPrefix(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	empty := term.succeed(t, "get", "--key-id=k", "--explain", "/v1/ping")
	if !strings.Contains(empty, "SORTED_ENCODED_QUERY  (empty) LF\n") {
		t.Error(empty)
	}
}

func TestSigningNeedsAKeyAndItsSecret(t *testing.T) {
	for name, tt := range map[string]struct {
		args []string
		env  map[string]string
		says string
	}{
		"no key":    {[]string{"get", "--explain", "/v1/ping"}, map[string]string{protocol.SecretVariable: "s"}, "TOUCHLINE_KEY_ID"},
		"no secret": {[]string{"get", "--key-id=k", "/v1/ping"}, nil, "TOUCHLINE_SECRET"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TOUCHLINE_KEY_ID", "")
			term := newTerminal(tt.env)
			term.fails(t, exitFailed, tt.says, tt.args...)
		})
	}
}
