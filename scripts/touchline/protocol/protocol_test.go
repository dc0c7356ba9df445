package protocol

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/scripts/touchline/terminal"
)

// FuzzEvent signs what strangers call an event: it fails, or gives JSON whose
// request is the same.
func FuzzEvent(f *testing.F) {
	ping, err := os.ReadFile("../../../events/ping/ping.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(ping)
	f.Add([]byte(`{"version":"2.0","rawPath":"","RAWPATH":"/x","requestContext":{"http":{"method":"get"}},"headers":null }`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		term := terminal.NewScreen(map[string]string{SecretVariable: "s"})
		out, err := signEvent(&term.Terminal, KeyFlags{KeyID: "k"}, raw)
		if err != nil {
			return
		}
		before, _ := messageOf(raw)
		after, err := messageOf(out)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Error(diff)
		}
	})
}
