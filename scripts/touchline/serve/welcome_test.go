package serve

import (
	"net"
	"os"
	"strings"
	"testing"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
)

func TestServeOnEveryInterfaceIsShownByAnAddressThatWorks(t *testing.T) {
	for listening, want := range map[string]string{
		"0.0.0.0:80": "127.0.0.1:80", "[::]:80": "localhost:80", "127.0.0.2:80": "127.0.0.2:80", "[::1]:80": "[::1]:80",
	} {
		addr, err := net.ResolveTCPAddr("tcp", listening)
		if err != nil {
			t.Fatal(err)
		}
		if got := callable(addr); got != want {
			t.Errorf("%s is shown as %s", listening, got)
		}
	}
	l, err := Listen("--addr", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if !strings.HasPrefix(l.Addr().String(), "0.0.0.0:") {
		t.Errorf("listens on %s", l.Addr())
	}
	if new(Command).hosts(l.Addr()) != nil {
		t.Error("callers elsewhere know this machine by other names than localhost")
	}
}

// TestTheCommandForAFirstKeyCanBePasted: by the path of the program, which may
// not be on PATH, and to the database that is served.
func TestTheCommandForAFirstKeyCanBePasted(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"", t.TempDir()} {
		t.Chdir(t.TempDir())
		d, err := database.Local{DataDir: flag}.Own(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		term := terminal.NewScreen(nil)
		if err := new(Command).ready(&term.Terminal, d, &welcome{}, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}, "", ""); err != nil {
			t.Fatal(err)
		}
		d.Close()
		want := terminal.Word(program) + " keys create --organization ID --all-scopes --descendants"
		if flag != "" {
			want += " --data-dir " + terminal.Word(flag)
		}
		if !strings.HasSuffix(term.Output.String(), want+"\n") {
			t.Errorf("%q does not end with %q", term.Output.String(), want)
		}
	}
}

func TestAKeyOfAnEarlierStartIsNamed(t *testing.T) {
	term := terminal.NewScreen(nil)
	w := &welcome{organization: "f224ed0516b87959243f0a47", name: "Small", keyID: "tk_1"}
	if err := new(Command).ready(&term.Terminal, &database.Database{Where: "http://127.0.0.1:8000"}, w, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}, "http://127.0.0.1:8081", ""); err != nil {
		t.Fatal(err)
	}
	for _, says := range []string{"tk_1", "http://127.0.0.1:8081", "keys create --organization f224ed0516b87959243f0a47 --all-scopes"} {
		if !strings.Contains(term.Output.String(), says) {
			t.Errorf("%q is not in %s", says, term.Output.String())
		}
	}
}
