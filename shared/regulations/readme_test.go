package regulations_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset/rules"
	"touchline/shared/regulations"
)

var update = flag.Bool("update", false, "write the table of the README anew")

// leftOutHeading is the heading from which on the README is made of the catalogue.
const leftOutHeading = "## Left out\n"

func TestTheReadmeListsTheCatalogue(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(text), leftOutHeading)
	if !found {
		t.Fatalf("no line %q", leftOutHeading)
	}
	want := before + leftOutHeading + leftOut() + "\n## Entries\n" + table(t)
	if *update {
		if err := os.WriteFile("README.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("go test ./shared/regulations -update writes it: %s", diff)
	}
}

// leftOut is what the catalogue leaves out, in Markdown.
func leftOut() string {
	var b strings.Builder
	b.WriteString("\nCompetitions whose rules ask for what a dataset does not hold, ahead of criteria that matter:\n\n")
	for _, o := range regulations.LeftOut() {
		fmt.Fprintf(&b, "- %s (%s): %s.\n", o.Competition, o.Sport, o.Reason)
	}
	return b.String()
}

// table is the catalogue by sport, in Markdown.
func table(t *testing.T) string {
	var sports []string
	for _, r := range regulations.All() {
		if !slices.Contains(sports, r.Sport) {
			sports = append(sports, r.Sport)
		}
	}
	slices.Sort(sports)
	var b strings.Builder
	for _, sport := range sports {
		fmt.Fprintf(&b, "\n### %s\n\n| name | competition | points | order | source |\n|---|---|---|---|---|\n", sport)
		var notes strings.Builder
		for _, r := range regulations.All() {
			if r.Sport != sport {
				continue
			}
			w := inWords(t, r)
			order := w.Order
			if w.Carry != "" {
				order += "; carries " + w.Carry
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", r.Name, r.Competition, w.Points, order, r.Source)
			if r.Note != "" {
				fmt.Fprintf(&notes, "- `%s`: %s\n", r.Name, r.Note)
			}
		}
		if notes.Len() > 0 {
			b.WriteString("\n" + notes.String())
		}
	}
	return b.String()
}

func inWords(t *testing.T, r regulations.Regulation) regulations.Words {
	t.Helper()
	like, ok := rules.Like(r.Name)
	if !ok {
		t.Errorf("the rules of %s cannot be read", r.Name)
	}
	return regulations.InWords(&like, r.Seed)
}
