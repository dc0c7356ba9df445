// Package kits has the clients of the API in a single file for each language,
// and the collection for Postman: `touchline kit`, and the kits on the site for
// callers.
//
// The files are in the folder files. Each needs only the standard library of its
// language, and they all do the same: sign, page, wait as Retry-After says, and
// correct the clock. Tests run every one of them against the vectors of package
// signing and a real service. The collection is made from the route table, and
// contains no key. The types of the Go kit are made from the OpenAPI document.
package kits

import (
	"cmp"
	"embed"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"touchline/scripts/touchline/site"
	"touchline/scripts/touchline/terminal"
)

// Command is `touchline kit`.
type Command struct {
	Language string `arg:"" optional:"" completion-predictor:"kit" help:"One of the languages, types (of the Node kit) or postman; without it they are listed."`
}

// Help is shown below the flags.
func (Command) Help() string {
	return `Prints a client for the API in one readable file, which needs nothing but the language's standard library: it signs, gets, pages, waits as Retry-After says, makes a new nonce for each attempt and corrects its clock after a 401.

Examples:

    touchline kit python >touchline.py
    touchline kit node >touchline.mjs
    touchline kit types >touchline.d.mts     # for TypeScript, next to it

postman is a collection for Postman with a request for every route and a script that signs it:

    touchline kit postman >touchline.postman_collection.json
`
}

//go:embed files/touchline.* files/Touchline.*
var kitFiles embed.FS

// Names are the files by language.
func Names() map[string]string {
	return map[string]string{
		"go":     "touchline.go",
		"python": "touchline.py",
		"node":   "touchline.mjs",
		"php":    "touchline.php",
		"ruby":   "touchline.rb",
		"java":   "Touchline.java",
		"csharp": "Touchline.cs",
		"shell":  "touchline.sh",
		// These are not clients by themselves.
		"types":   "touchline.d.mts",
		"postman": "touchline.postman_collection.json",
	}
}

// someBaseURL is a placeholder for the address of a service.
const someBaseURL = "https://api.example.org"

// IDs are the kits that the command can print, sorted.
func IDs() []string { return slices.Sorted(maps.Keys(Names())) }

// kit is the file of a language.
func kit(language string) ([]byte, bool) {
	name, ok := Names()[strings.ToLower(language)]
	if !ok {
		return nil, false
	}
	if strings.EqualFold(language, "postman") {
		return postman(someBaseURL), true
	}
	text, err := fs.ReadFile(kitFiles, "files/"+name)
	if strings.EqualFold(language, "go") {
		text = append(text, goTypes()...)
	}
	return text, err == nil
}

// Run prints the kit.
func (k *Command) Run(c *terminal.Terminal) error {
	languages := IDs()
	if k.Language == "" {
		c.Printf("%s\n", strings.Join(languages, "\n"))
		return nil
	}
	text, ok := kit(k.Language)
	if !ok {
		return terminal.Usagef("no kit for %q: there is one for %s", k.Language, strings.Join(languages, ", "))
	}
	c.Printf("%s", text)
	return nil
}

// ForSite returns the kits for the site, with the address of a service.
func ForSite(baseURL string) []site.Kit {
	var all []site.Kit
	for _, k := range []site.Kit{
		{ID: "go", Label: "Go", Lang: "go"},
		{ID: "python", Label: "Python", Lang: "python"},
		{ID: "node", Label: "Node.js", Lang: "javascript"},
		{ID: "php", Label: "PHP", Lang: "php"},
		{ID: "ruby", Label: "Ruby", Lang: "ruby"},
		{ID: "java", Label: "Java", Lang: "java"},
		{ID: "csharp", Label: "C#", Lang: "csharp"},
		{ID: "shell", Label: "Shell", Lang: "bash"},
		{ID: "types", Label: "TypeScript, beside the Node.js kit", Lang: "typescript"},
	} {
		text, _ := kit(k.ID) // a test checks that each exists
		k.File, k.Text = Names()[k.ID], string(text)
		all = append(all, k)
	}
	return append(all, site.Kit{
		ID: "postman", Label: "Postman", File: Names()["postman"], Text: string(postman(cmp.Or(baseURL, someBaseURL))), Collection: true,
	})
}
