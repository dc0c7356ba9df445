package scripts

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// aField is the recipe of a field of a match, carried out: what each file gets after a line
// that it has.
var aField = map[string][][2]string{
	"shared/sport/entity.go":              {{"type Match struct {", "Spectators int"}},
	"shared/dataset/format/match.go":      {{"[]jsonl.Field[matchDraft]{", `jsonl.Optional("spectators", jsonl.Count(), func(d *matchDraft) *int { return &d.Value.Base.Spectators }),`}},
	"shared/store/records/match.go":       {{"type Match struct {", "Spectators int `dynamodbav:\"zz,omitempty\"`"}, {"given := sport.Match{", "Spectators: m.Spectators,"}},
	"shared/loader/world/outcome.go":      {{"return records.Match{", "Spectators: m.Spectators,"}},
	"shared/endpoints/wire/match.go":      {{"type Match struct {", "Spectators int `json:\"spectators\" doc:\"How many came.\"`"}, {"out := Match{", "Spectators: m.Spectators,"}},
	"shared/sport/sporttest/sporttest.go": {{"return sport.Match{", "Spectators: 21000,"}},
}

// TestTheRecipeOfAField adds a field to a match in the files that CONTRIBUTING's recipe names,
// and in them alone, and looks whether the test that the recipe names goes through; it fails
// where the row is forgotten that nothing else asks for.
func TestTheRecipeOfAField(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the endpoints several times: make test-all runs it")
	}
	text, err := os.ReadFile("../.github/CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, recipe, _ := strings.Cut(string(text), "\n### A field\n")
	recipe, _, _ = strings.Cut(recipe, "\n### ")
	var named []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]*\\.go)`").FindAllStringSubmatch(recipe, -1) {
		named = append(named, row[1])
	}
	slices.Sort(named)
	if files := slices.Sorted(maps.Keys(aField)); !slices.Equal(named, files) {
		t.Fatalf("the recipe names %v, and the field is in %v", named, files)
	}
	for _, forgotten := range []string{"", "shared/loader/world/outcome.go"} {
		t.Run("without "+forgotten, func(t *testing.T) {
			out, err := aFieldGoes(t, forgotten)
			switch {
			case forgotten == "" && err != nil:
				t.Errorf("%v\n%s", err, out)
			case forgotten != "" && !strings.Contains(out, "Match.Spectators: no response shows it"):
				t.Errorf("nothing says that the field is missing: %v\n%s", err, out)
			}
		})
	}
}

// aFieldGoes runs the test of the recipe with the field in all files but one.
func aFieldGoes(t *testing.T, forgotten string) (string, error) {
	t.Helper()
	root, dir := filepath.Dir(sure(os.Getwd())), t.TempDir()
	replace := map[string]string{}
	for file, lines := range aField {
		if file == forgotten {
			continue
		}
		text := string(sure(os.ReadFile(filepath.Join(root, file))))
		for _, line := range lines {
			if strings.Count(text, line[0]+"\n") != 1 {
				t.Fatalf("%s has no line that ends in %q, or several", file, line[0])
			}
			text = strings.Replace(text, line[0]+"\n", line[0]+"\n"+line[1]+"\n", 1)
		}
		to := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(root, file)] = to
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, sure(json.Marshal(map[string]any{"Replace": replace})), 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "test", "-vet=off", "-overlay", overlay, "-run", "^TestAFieldGoesAllTheWay$", "./shared/endpoints")
	run.Dir = root
	out, err := run.CombinedOutput()
	return string(out), err
}

func sure[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
