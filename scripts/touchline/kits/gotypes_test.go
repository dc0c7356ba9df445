package kits

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the types of the Go kit")

// The golden file is compiled with the kit, whose tests decode every body with it.
func TestTheTypesOfTheGoKitAreThoseOfTheDocument(t *testing.T) {
	const file, head = "files/types_test.go", "package touchline\n\nimport \"time\"\n"
	want := head + string(goTypes())
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(text), "\n"), strings.Split(want, "\n")); diff != "" {
		t.Errorf("the types are stale: run `make golden`\n%s", diff)
	}
	if kit, _ := kit("go"); !strings.HasSuffix(string(kit), string(goTypes())) {
		t.Error("the kit does not end with its types")
	}
}
