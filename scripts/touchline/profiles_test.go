package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"touchline/scripts/touchline/protocol"
)

// home gives a test a configuration folder of its own, and the path of the
// profiles in it.
func home(t *testing.T) string {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(t.TempDir(), "config"))
	path, err := protocol.Path()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// login keeps a key whose secret is given on standard input.
func login(t *testing.T, secret string, args ...string) *screen {
	t.Helper()
	term := newTerminal(nil)
	term.In = strings.NewReader(secret + "\n")
	term.succeed(t, append([]string{"login"}, args...)...)
	return term
}

func TestGetUsesTheKeyThatLoginKeeps(t *testing.T) {
	path := home(t)
	base := (&fake{status: 200, body: `{}`}).start(t)
	term := login(t, "secret", "--key-id=k", "--base-url="+base)
	if strings.Contains(term.Output.String()+term.Errors.String(), "secret\n") {
		t.Error("the secret is shown")
	}
	newTerminal(nil).succeed(t, "get", "/v1/ping")
	newTerminal(nil).succeed(t, "get", "--key-id=k", "/v1/ping") // by its id
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %04o", info.Mode().Perm())
	}
}

func TestProfilesAreNamed(t *testing.T) {
	home(t)
	base := (&fake{status: 200, body: `{}`}).start(t)
	login(t, "another", "--key-id=other", "--base-url="+base)
	login(t, "secret", "portal", "--key-id=k", "--base-url="+base)
	if code := newTerminal(nil).run("get", "/v1/ping"); code != exitFailed {
		t.Errorf("the default's secret is another: exit %d", code)
	}
	newTerminal(nil).succeed(t, "get", "--as=portal", "/v1/ping")
	// A profile that is named comes before the environment, which comes before the
	// default one.
	newTerminal(map[string]string{protocol.SecretVariable: "wrong", protocol.BaseURLVariable: "http://127.0.0.1:1"}).succeed(t, "get", "--as=portal", "/v1/ping")
	newTerminal(map[string]string{protocol.SecretVariable: "secret"}).succeed(t, "get", "--key-id=k", "--base-url="+base, "/v1/ping")

	newTerminal(nil).succeed(t, "logout", "portal")
	term := newTerminal(nil)
	if code := term.run("get", "--as=portal", "/v1/ping"); code != exitFailed || !strings.Contains(term.Errors.String(), "there are default") {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}
	if code := term.run("logout", "portal"); code != exitFailed || !strings.Contains(term.Errors.String(), `no profile "portal"`) {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}
}

func TestAFileOfProfilesThatOthersMayReadIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("access lists, not modes")
	}
	path := home(t)
	login(t, "secret", "--key-id=k")
	for _, mode := range []os.FileMode{0o640, 0o604, 0o620} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"get", "/v1/ping"}, {"logout"}} {
			term := newTerminal(nil)
			if code := term.run(args...); code != exitFailed || !strings.Contains(term.Errors.String(), "chmod 600") {
				t.Errorf("%04o, %v: exit %d: %s", mode, args, code, term.Errors.String())
			}
		}
	}
}

func TestADamagedFileOfProfilesIsNotShown(t *testing.T) {
	for _, text := range []string{`{"default":{"keyId":"k","secret":"hush"`, "null", "[]", ""} {
		path := home(t)
		writeFile(t, path, text)
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
		term := newTerminal(nil)
		if code := term.run("get", "/v1/ping"); code != exitFailed || !strings.Contains(term.Errors.String(), "damaged") || strings.Contains(term.Errors.String(), "hush") {
			t.Errorf("%s: exit %d: %s", text, code, term.Errors.String())
		}
	}
}

func TestLoginRefusesWhatIsNoKey(t *testing.T) {
	home(t)
	for name, tt := range map[string]struct {
		args   []string
		secret string
		code   int
		says   string
	}{
		"a name with a slash":    {[]string{"login", "../x", "--key-id=k"}, "s", exitUsage, "want a name"},
		"an id with a line feed": {[]string{"login", "--key-id=a\nb"}, "s", exitUsage, "A-Z"},
		"no id":                  {[]string{"login"}, "s", exitUsage, "--key-id"},
		"no secret":              {[]string{"login", "--key-id=k"}, "", exitFailed, "no secret"},
		"an address of no web":   {[]string{"login", "--key-id=k", "--base-url=ftp://x"}, "s", exitUsage, "--base-url"},
		"nothing was kept":       {[]string{"get", "/v1/ping"}, "", exitFailed, "touchline login"},
		"a secret without an id": {[]string{"get", "--key-id=k", "/v1/ping"}, "", exitFailed, "touchline login --key-id k"},
	} {
		term := newTerminal(nil)
		term.In = strings.NewReader(tt.secret)
		if code := term.run(tt.args...); code != tt.code || !strings.Contains(term.Errors.String(), tt.says) {
			t.Errorf("%s: exit %d: %s", name, code, term.Errors.String())
		}
	}
}

func TestASecretIsAskedForWithoutShowingIt(t *testing.T) {
	home(t)
	base := (&fake{status: 200, body: `{}`}).start(t)
	term := newTerminal(nil)
	term.In = strings.NewReader("not this\n")
	term.ReadPassword = func() ([]byte, error) { return []byte("secret\r\n"), nil }
	term.succeed(t, "login", "--key-id=k", "--base-url="+base)
	if !strings.Contains(term.Errors.String(), "Secret of k: ") {
		t.Errorf("asked %q", term.Errors.String())
	}
	newTerminal(nil).succeed(t, "get", "/v1/ping")
}
