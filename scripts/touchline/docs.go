package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"touchline/scripts/touchline/site"
)

type docsCommand struct {
	Output  string `required:"" placeholder:"DIR" help:"Folder to write the pages to; files there of the same names are replaced."`
	BaseURL string `name:"base-url" placeholder:"URL" help:"Service address to write in the pages (default: that of an example)."`
}

// Help is shown below the flags.
func (docsCommand) Help() string {
	return `Writes a site for those who call the API: the first call in seven languages, signing step by step with a checker, limits, errors, the reference of every route, the kits. The pages need no network and no server: put them on any web server, or send the folder.

Examples:

    touchline docs --output site --base-url https://api.example.org
    open site/index.html
`
}

// Run writes the site.
func (d *docsCommand) Run(c *console) error {
	if d.BaseURL != "" && !isWebURL(d.BaseURL) {
		return usagef("--base-url %q: want an http or https URL, such as https://api.example.org", d.BaseURL)
	}
	renderer, err := site.Renderer()
	if err != nil {
		return err
	}
	files, err := site.Files(site.Options{BaseURL: d.BaseURL, Kits: siteKits(d.BaseURL), Renderer: renderer})
	if err != nil {
		return err
	}
	for name, text := range files {
		path := filepath.Join(d.Output, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // pages to publish
			return fmt.Errorf("--output: %w", err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil { //nolint:gosec // as above
			return fmt.Errorf("--output: %w", err)
		}
	}
	c.sayf("wrote %s to %s; begin with %s", counted(len(files), "file"), d.Output, filepath.Join(d.Output, "index.html"))
	return nil
}

// siteKits are the kits as the site offers them, for a service's address.
func siteKits(baseURL string) []site.Kit {
	var all []site.Kit
	for _, k := range []site.Kit{
		{ID: "python", Label: "Python", Lang: "python"},
		{ID: "node", Label: "Node.js", Lang: "javascript"},
		{ID: "php", Label: "PHP", Lang: "php"},
		{ID: "ruby", Label: "Ruby", Lang: "ruby"},
		{ID: "java", Label: "Java", Lang: "java"},
		{ID: "csharp", Label: "C#", Lang: "csharp"},
		{ID: "shell", Label: "Shell", Lang: "bash"},
		{ID: "types", Label: "TypeScript, beside the Node.js kit", Lang: "typescript"},
	} {
		text, _ := kit(k.ID) // a test asks for each
		k.File, k.Text = kitNames()[k.ID], string(text)
		all = append(all, k)
	}
	return append(all, site.Kit{
		ID: "postman", Label: "Postman", File: kitNames()["postman"], Text: string(postman(cmp.Or(baseURL, someBaseURL))), Collection: true,
	})
}
