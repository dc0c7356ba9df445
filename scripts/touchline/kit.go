package main

import (
	"embed"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

type kitCommand struct {
	Language string `arg:"" optional:"" help:"One of the languages, types (of the Node kit) or postman; without it they are listed."`
}

// Help is shown below the flags.
func (kitCommand) Help() string {
	return `Prints a client for the API in one readable file, which needs nothing but the language's standard library: it signs, gets, pages, waits as Retry-After says, makes a new nonce for each attempt and corrects its clock after a 401.

Examples:

    touchline kit python >touchline.py
    touchline kit node >touchline.mjs
    touchline kit types >touchline.d.mts     # for TypeScript, next to it

postman is a collection for Postman with a request for every route and a script that signs it:

    touchline kit postman >touchline.postman_collection.json
`
}

//go:embed kits
var kitFiles embed.FS

// kitNames are the files of the languages.
func kitNames() map[string]string {
	return map[string]string{
		"python": "touchline.py",
		"node":   "touchline.mjs",
		"php":    "touchline.php",
		"ruby":   "touchline.rb",
		"java":   "Touchline.java",
		"csharp": "Touchline.cs",
		"shell":  "touchline.sh",
		// Not clients of their own.
		"types":   "touchline.d.mts",
		"postman": "touchline.postman_collection.json",
	}
}

// someBaseURL stands for the address of a service.
const someBaseURL = "https://api.example.org"

// kitIDs are what kit prints, sorted.
func kitIDs() []string { return slices.Sorted(maps.Keys(kitNames())) }

// kit is the file of a language.
func kit(language string) ([]byte, bool) {
	name, ok := kitNames()[strings.ToLower(language)]
	if !ok {
		return nil, false
	}
	if strings.EqualFold(language, "postman") {
		return postman(someBaseURL), true
	}
	text, err := fs.ReadFile(kitFiles, "kits/"+name)
	return text, err == nil
}

// Run prints the kit.
func (k *kitCommand) Run(c *console) error {
	languages := kitIDs()
	if k.Language == "" {
		c.printf("%s\n", strings.Join(languages, "\n"))
		return nil
	}
	text, ok := kit(k.Language)
	if !ok {
		return usagef("no kit for %q: there is one for %s", k.Language, strings.Join(languages, ", "))
	}
	c.printf("%s", text)
	return nil
}
