package site

import (
	"embed"
	"slices"
	"strings"

	"touchline/scripts/touchline/terminal"
)

// KitCommand is `touchline kit`.
type KitCommand struct {
	Language string `arg:"" optional:"" completion-predictor:"kit" help:"One of the languages, types (of the Node kit) or postman; without it they are listed."`
}

// Help is shown below the flags.
func (KitCommand) Help() string {
	return `Prints a client for the API in one readable file, which needs nothing but the language's standard library: it signs, gets, pages, waits as Retry-After says, makes a new nonce for each attempt and corrects its clock after a 401.

Examples:

    touchline kit python >touchline.py
    touchline kit node >touchline.mjs
    touchline kit types >touchline.d.mts     # for TypeScript, next to it

postman is a collection for Postman with a request for every route and a script that signs it:

    touchline kit postman >touchline.postman_collection.json
`
}

// Kit is a client for the API in one file.
type Kit struct {
	ID    string // the name for `touchline kit`
	Label string // the language's name
	Lang  string // for highlighting
	File  string // the name to save it under
	Text  string
	// Program is the file in content/examples of a program that uses the kit, and Start how
	// to start it; empty: there is none.
	Program, Start string
	// Collection marks a file that a program imports, not a library.
	Collection bool
}

//go:embed kits/touchline.* kits/Touchline.*
var kitFiles embed.FS

// kits are all kits, in the order of the page, without their texts.
func kits() []Kit {
	return []Kit{
		{ID: "python", Label: "Python", Lang: "python", File: "touchline.py", Program: "league.py", Start: "python3 league.py"},
		{ID: "node", Label: "Node.js", Lang: "javascript", File: "touchline.mjs", Program: "league.mjs", Start: "node league.mjs"},
		{ID: "php", Label: "PHP", Lang: "php", File: "touchline.php", Program: "league.php", Start: "php league.php"},
		{ID: "ruby", Label: "Ruby", Lang: "ruby", File: "touchline.rb", Program: "league.rb", Start: "ruby league.rb"},
		{ID: "go", Label: "Go", Lang: "go", File: "touchline.go", Program: "league.go", Start: "go mod init league\nmkdir touchline && mv touchline.go touchline/\ngo run ."},
		{ID: "java", Label: "Java", Lang: "java", File: "Touchline.java", Program: "League.java", Start: "javac Touchline.java League.java\njava League"},
		{ID: "csharp", Label: "C#", Lang: "csharp", File: "Touchline.cs", Program: "League.cs", Start: "dotnet new console --name league --output league\nmv Touchline.cs League.cs league/\nrm league/Program.cs\ndotnet run --project league"},
		{ID: "shell", Label: "Shell", Lang: "bash", File: "touchline.sh", Program: "league.sh", Start: "bash league.sh"},
		// These are not clients by themselves.
		{ID: "types", Label: "TypeScript, beside the Node.js kit", Lang: "typescript", File: "touchline.d.mts"},
		{ID: "postman", Label: "Postman", File: "touchline.postman_collection.json", Collection: true},
	}
}

// Kits are all kits, in the order of the page, with the address of a service.
func Kits(baseURL string) []Kit {
	all := kits()
	for i := range all {
		all[i].Text = string(all[i].text(baseURL))
	}
	return all
}

// text is the kit, with the address of a service.
func (k Kit) text(baseURL string) []byte {
	if k.Collection {
		return postman(baseURL)
	}
	text, _ := kitFiles.ReadFile("kits/" + k.File) // a test checks that each exists
	return text
}

// KitIDs are the kits that the command can print, sorted.
func KitIDs() []string {
	var ids []string
	for _, k := range kits() {
		ids = append(ids, k.ID)
	}
	slices.Sort(ids)
	return ids
}

// Run prints the kit.
func (k *KitCommand) Run(c *terminal.Terminal) error {
	if k.Language == "" {
		c.Printf("%s\n", strings.Join(KitIDs(), "\n"))
		return nil
	}
	for _, one := range kits() {
		if strings.EqualFold(one.ID, k.Language) {
			c.Printf("%s", one.text(exampleURL))
			return nil
		}
	}
	return terminal.Usagef("no kit for %q: there is one for %s", k.Language, strings.Join(KitIDs(), ", "))
}
