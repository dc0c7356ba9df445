package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"touchline/scripts/spreadsheet"
	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/imports"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/format"
	"touchline/shared/demo"
	"touchline/shared/keys"
	"touchline/shared/loader"
	"touchline/shared/sport"
	"touchline/shared/store/generation"
)

// welcome is what serve shows somebody who has just started it: a key that
// works, and for which organization.
type welcome struct {
	organization sport.ID
	name         string
	demo         bool        // the data are made up
	keyID        string      // empty: there is no key to name
	secret       keys.Secret // empty: the key was made before, and its secret is not shown again
}

// welcomeLabel marks the keys that serve makes.
const welcomeLabel = "made by touchline serve"

// LoadPatience is how long a start waits for an import that is running.
const LoadPatience = 15 * time.Second

// demonstration loads the demo federation if there is no data. If the demo is there, it
// moves the season to today.
func demonstration(ctx context.Context, c *terminal.Terminal, d *database.Database) (*welcome, error) {
	dir, err := os.MkdirTemp("", "touchline-demo-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a leftover of the system's to clean
	if err := demo.Write(dir, c.Now()); err != nil {
		return nil, err
	}
	root, err := rootOf(ctx, os.DirFS(dir))
	if err != nil {
		return nil, err
	}
	_, err = generation.Read(ctx, d.Sports())
	empty := generation.IsEmpty(err) // another error is that of what follows
	if there, err := d.Organization(ctx, root.organization); err != nil {
		return nil, err
	} else if there == nil && !empty {
		c.Sayf("note: there are other data already, so the demo was not loaded; start with another --data-dir to see it")
		return &welcome{}, nil
	}
	if empty {
		c.Sayf("loading the demo federation")
	}
	_, err = d.Load(ctx, c, os.DirFS(dir), LoadPatience, loader.Options{Yes: true}, nil)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && empty:
		return nil, d.Explain(err)
	case err != nil: // the demo is there nevertheless
		c.Sayf("note: the demo's season is not moved to today: %v", err)
	}
	root.demo = true
	return root, nil
}

// imported loads a dataset.
func imported(ctx context.Context, c *terminal.Terminal, d *database.Database, dir string) (*welcome, error) {
	folder := os.DirFS(dir)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("--data %s is not a folder that can be read: name the folder with the .ndjson files", dir)
	}
	c.Sayf("importing %s", dir)
	report, err := d.Load(ctx, c, folder, LoadPatience, loader.Options{}, nil)
	if unmeant, ok := errors.AsType[*loader.UnmeantError](err); ok {
		return nil, fmt.Errorf("%w; nothing was loaded: if that is meant, run touchline import --yes", unmeant)
	}
	if faults, ok := errors.AsType[*dataset.Faults](err); ok {
		c.Sayf("%v", faults)
		return nil, fmt.Errorf("%s in %s, nothing was loaded: mend the dataset, or run touchline import --good-part", terminal.Counted(faults.Count(), "fault"), dir)
	}
	if err != nil {
		return nil, d.Explain(err)
	}
	c.Sayf("wrote %s", imports.Entries(report.Entries))
	return rootOf(ctx, folder)
}

// rootOf finds the organization of a dataset for the first key: the first
// federation, else the first organization without a parent; none if the dataset
// has no organizations.
func rootOf(ctx context.Context, folder fs.FS) (*welcome, error) {
	// The folder has been loaded, so an error here says that it has no
	// organizations.
	set, _ := format.Read(ctx, organizationsOnly{folder}, format.Options{Workbooks: spreadsheet.Workbooks})
	if set == nil {
		return &welcome{}, ctx.Err()
	}
	var tops []sport.Organization
	for _, r := range set.Organizations {
		if !r.Deleted && r.Value.ParentID == "" {
			tops = append(tops, r.Value)
		}
	}
	if len(tops) == 0 {
		return &welcome{}, nil
	}
	rank := map[sport.OrganizationType]int{sport.Federation: 0, sport.Association: 1, sport.Club: 2}
	top := slices.MinFunc(tops, func(a, b sport.Organization) int { return cmp.Compare(rank[a.Type], rank[b.Type]) })
	return &welcome{organization: top.ID, name: top.Name}, nil
}

// organizationsOnly is a dataset without its other files, which are large and
// have been read before.
type organizationsOnly struct{ fs.FS }

// ReadDir implements fs.ReadDirFS.
func (o organizationsOnly) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(o.FS, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return !strings.HasPrefix(e.Name(), "organizations.") && !files.IsBook(e.Name())
	}), err
}

// key finds the key that an earlier start has made, or makes one. A secret is
// shown when it is made; that of the demo, which protects nothing, at each
// start.
func (w *welcome) key(ctx context.Context, registry *keys.Registry) error {
	list, err := registry.Store.List(ctx)
	if err != nil {
		return err
	}
	for _, k := range list {
		if k.Label != welcomeLabel || k.Organization != w.organization || !k.Valid(registry.Now()) {
			continue
		}
		stored, err := registry.Store.Get(ctx, k.ID)
		if err != nil {
			return err
		}
		text, err := registry.Sealer.Open(ctx, k.ID, stored.Current.Sealed)
		if errors.Is(err, keys.ErrSealed) {
			continue // sealed with another machine's master key
		}
		if err != nil {
			return err
		}
		w.keyID = k.ID
		if w.demo {
			w.secret, err = keys.SecretFrom(string(text))
		}
		return err
	}
	req := keys.Request{Organization: w.organization, Descendants: true, Label: welcomeLabel, Scopes: keys.AllScopeNames()}
	issued, err := registry.Create(ctx, req)
	if err != nil {
		return err
	}
	w.keyID, w.secret = issued.Key.ID, issued.Secret
	return nil
}

// ReadyReport is the output with --json when the service is ready.
type ReadyReport struct {
	BaseURL      string `json:"baseUrl"`
	Data         string `json:"data"` // folder, or address of a DynamoDB
	Organization string `json:"organization,omitempty"`
	KeyID        string `json:"keyId,omitempty"`
	Secret       string `json:"secret,omitempty"`
	Command      string `json:"command,omitempty"`
	Docs         string `json:"docs,omitempty"`
	Health       string `json:"health,omitempty"`
}

// ready prints that the service is ready, and a command to try it. Where the secret is of
// somebody's own data the command asks for it, since it would stay in the shell's history.
func (s *Command) ready(c *terminal.Terminal, d *database.Database, w *welcome, listening net.Addr, docs, health string) error {
	r := ReadyReport{
		BaseURL: "http://" + callable(listening), Data: d.Where, Organization: string(w.organization), KeyID: w.keyID, Secret: w.secret.Reveal(),
		Docs: docs, Health: health,
	}
	program, err := os.Executable()
	if err != nil {
		program = "touchline"
	}
	program = terminal.Word(program)
	once, paste := "", ""
	secret := terminal.Variable{Name: "TOUCHLINE_SECRET", Value: r.Secret}
	if !w.demo {
		once, paste = "; its secret is shown now and never again", ": paste the command, then the secret, which is not shown"
		secret.Value = ""
	}
	if r.Secret != "" {
		r.Command = terminal.Line(runtime.GOOS, []terminal.Variable{{Name: "TOUCHLINE_BASE_URL", Value: r.BaseURL}, {Name: "TOUCHLINE_KEY_ID", Value: r.KeyID}, secret},
			fmt.Sprintf("%s get '/v1/organizations/%s/clubs?includeDescendants=true&limit=3'", program, w.organization))
	}
	if s.JSON {
		return c.JSON(r)
	}
	c.Printf("Touchline serves %s (data: %s). Ctrl-C ends it.\n", r.BaseURL, d.Where)
	if r.Secret != "" {
		c.Printf("\nKey for %s, with all scopes%s:\n\n  organization  %s\n  key           %s\n  secret        %s\n\nTry it in another terminal%s:\n\n  %s\n\n",
			w.name, once, w.organization, r.KeyID, r.Secret, paste, r.Command)
	} else {
		if r.KeyID != "" {
			c.Printf("Key %s for %s was made at an earlier start; its secret was shown then.\n", r.KeyID, w.name)
		}
		c.Printf("Make a key with: %s\n", program+strings.TrimPrefix(d.Hint("keys create --organization "+cmp.Or(r.Organization, "ID")+" --all-scopes --descendants"), "touchline"))
	}
	if docs != "" {
		c.Printf("How to call the API: %s\n", docs)
	}
	return nil
}
