package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"touchline/scripts/touchline/site"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/service"
)

// docsCommand stays beside serve --docs-addr: a federation on AWS puts the pages on a server of its own.
type docsCommand struct {
	Output  string `required:"" placeholder:"DIR" help:"Folder to write the pages to; files there of the same names are replaced."`
	BaseURL string `name:"base-url" placeholder:"URL" help:"Service address to write in the pages (default: that of an example)."`
	JSON    bool   `name:"json" help:"Print the names of the files as JSON."`
}

func (docsCommand) Help() string {
	return `Writes a site for those who call the API: the first call in eight languages, signing step by step with a checker, limits, errors, the reference of every route. Beside them are openapi.json, for client generators and API browsers, and in kits a client for each language in one file. The pages need no network and no server: put them on any web server, or send the folder.

Examples:

    touchline docs --output site --base-url https://api.example.org
    open site/index.html
`
}

func (d *docsCommand) Run(c *terminal.Terminal) error {
	if d.BaseURL != "" && !service.IsURL(d.BaseURL) {
		return terminal.Usagef("--base-url %q: want an http or https URL, such as https://api.example.org", d.BaseURL)
	}
	files, err := site.Files(d.BaseURL)
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
	c.Sayf("wrote %s to %s; begin with %s", terminal.Counted(len(files), "file"), d.Output, filepath.Join(d.Output, "index.html"))
	if d.JSON {
		return c.JSON(slices.Sorted(maps.Keys(files)))
	}
	return nil
}
