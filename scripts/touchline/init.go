package main

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"touchline/scripts/spreadsheet"
	"touchline/scripts/touchline/terminal"
)

// beginnings are the files of init: README.md, and the example as CSV and as NDJSON.
//
//go:embed beginning
var beginnings embed.FS

type initCommand struct {
	Dir    string `arg:"" help:"Folder to write, which must be empty or not there yet."`
	NDJSON bool   `name:"ndjson" help:"Write the example as NDJSON, with line-ups and events, in place of CSV."`
	JSON   bool   `name:"json" help:"Print the names of the files as JSON."`
}

// Help is shown below the flags.
func (initCommand) Help() string {
	return `Writes a dataset to begin with: a small example that can be imported, an empty form of each file, and a page that says what each column is.

Example:

    touchline init mydata && touchline import --offline mydata
`
}

// Run writes the folder.
func (i *initCommand) Run(c *terminal.Terminal) error {
	there, err := os.ReadDir(i.Dir)
	switch {
	case err == nil && len(there) > 0:
		return fmt.Errorf("%s is not empty: name another folder", i.Dir)
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%s cannot be written: %w", i.Dir, err)
	}
	example, other := "csv", "ndjson"
	if i.NDJSON {
		example, other = other, example
	}
	var files []string
	err = fs.WalkDir(beginnings, "beginning", func(path string, d fs.DirEntry, err error) error {
		name := strings.TrimPrefix(strings.TrimPrefix(path, "beginning"), "/")
		if err != nil || d.IsDir() || strings.HasPrefix(name, other+"/") {
			return err
		}
		text, err := beginnings.ReadFile(path)
		if err != nil {
			return err
		}
		to := filepath.Join(i.Dir, filepath.FromSlash(strings.TrimPrefix(name, example+"/")))
		if err := os.MkdirAll(filepath.Dir(to), 0o750); err != nil {
			return err
		}
		files = append(files, to)
		return os.WriteFile(to, []byte(spreadsheet.Dated(string(text), c.Now())), 0o600)
	})
	if err != nil {
		return err
	}
	templates := filepath.Join(i.Dir, "templates")
	if err := os.MkdirAll(templates, 0o750); err != nil {
		return err
	}
	err = spreadsheet.Template(func(name string) (io.WriteCloser, error) {
		to := filepath.Join(templates, name)
		files = append(files, to)
		return os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec // a name of ours
	}, false, spreadsheet.Kinds(), c.Now())
	if err != nil {
		return err
	}
	if i.JSON {
		return c.JSON(files)
	}
	folder := terminal.Word(i.Dir)
	c.Printf("wrote %s: begin with README.md there, put your own records in the place of the example, and check them with: touchline import --offline %s\n", i.Dir, folder)
	return nil
}
