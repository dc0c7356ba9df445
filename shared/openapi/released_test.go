package openapi_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/openapi"
)

// releasedFile has the hash of the document of each released version.
const releasedFile = "testdata/released.json"

// TestTheDocumentChangesWithItsVersion holds the document of a released version to its
// hash. The version that the changelog calls unreleased may change until then.
func TestTheDocumentChangesWithItsVersion(t *testing.T) {
	text, err := os.ReadFile(releasedFile)
	if err != nil {
		t.Fatal(err)
	}
	released := map[string]string{}
	if err := json.Unmarshal(text, &released); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(openapi.JSON(table(), ""))
	hash := hex.EncodeToString(sum[:])
	was, there := released[openapi.Version]
	switch unreleased := strings.HasPrefix(openapi.Changes(), "## "+openapi.Version+" (unreleased)"); {
	case unreleased && there:
		t.Errorf("%s is called unreleased, and is released", openapi.Version)
	case unreleased:
	case there && was != hash:
		t.Error("the document has changed and its version has not. Raise Version in document.go " +
			"(the last number for wording, the middle one for what is added, the first for what breaks clients), then run `make golden`")
	case !there && *update:
		released[openapi.Version] = hash
		if text, err = json.MarshalIndent(released, "", "  "); err == nil {
			err = os.WriteFile(releasedFile, append(text, '\n'), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	case !there:
		t.Errorf("version %s is new: run `make golden` to note it in %s", openapi.Version, releasedFile)
	}
	var told []string
	for _, heading := range regexp.MustCompile(`(?m)^## (\S+) \(\d{4}-\d{2}-\d{2}\)`).FindAllStringSubmatch(openapi.Changes(), -1) {
		told = append(told, heading[1])
	}
	slices.Sort(told)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(released)), told); diff != "" {
		t.Errorf("released (-) and in the changelog (+): %s", diff)
	}
}
