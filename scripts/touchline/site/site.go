package site

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strings"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/openapi"
	"touchline/shared/route"
	"touchline/shared/signing/vectors"
)

//go:embed content assets
var files embed.FS

// exampleURL is a placeholder for the address of a service.
const exampleURL = "https://api.example.org"

// page is a page of the site.
type page struct {
	Name  string // file name without .html
	Title string
	Lead  string // what it is for, for the list of pages and search engines
}

// section is a part of the navigation.
type section struct {
	Title string
	Pages []page
}

// sections are all pages, in the order of the navigation. Each has a file in
// content, except those of the reference's groups.
func sections() []section {
	reference := []page{{referencePage, "All routes", "Every route with its parameters, an example and its errors."}}
	for _, g := range route.Groups() {
		reference = append(reference, groupPage(string(g)))
	}
	return []section{
		{"Start", []page{
			{"index", "Overview", "What the API has, and what you need to call it."},
			{"start", "First call", "From a key to a table, the next matches and the top scorers."},
			{"signing", "Signing", "The four headers, step by step, with two complete examples."},
			{"check", "Signature checker", "Compare your canonical string with the right one."},
		}},
		{"Use", []page{
			{"lists", "Lists and pages", "Page through a list, sort it, filter it."},
			{"seasons", "Seasons", "The current season, and those before."},
			{"limits", "Limits and polling", "How often to ask, and how to stay within a quota."},
			{"mirror", "Mirror", "A copy of the data on your server, of one state and in few requests."},
			{"live", "Live", "Scores and events while matches are played."},
			{"club", "A club's site", "Table, fixtures, squad and scorers of a club in five calls."},
			{"errors", "Errors", "Each refusal, and what to do about it."},
		}},
		{"Reference", reference},
		{"Look up", []page{
			{"kits", "Kits", "A client in one file, for eight languages, and what signs for a client of your own."},
			{"changes", "Changes", "What changed with each version of the contract."},
		}},
	}
}

// view is the data for the templates of the pages.
type view struct {
	BaseURL  string
	Kits     []Kit
	Sections []section
	Vectors  []vector
	Taken    []parameter
	Routes   []group
	Headers  []headerRow
	Changes  string
	Version  string
	held     []string // HTML that is inserted into the current page after rendering
}

// Files returns the files of the site by path, for the address of a service; without one
// the pages show an example address.
func Files(baseURL string) (map[string][]byte, error) {
	address := cmp.Or(strings.TrimRight(baseURL, "/"), exampleURL)
	v := &view{
		BaseURL: address, Kits: Kits(),
		Sections: sections(), Taken: taken(), Changes: openapi.Changes(), Version: openapi.Version,
	}
	for _, c := range workedRequests() {
		worked, err := work(c)
		if err != nil {
			return nil, err
		}
		v.Vectors = append(v.Vectors, worked)
	}
	d := openapi.New(groups.Table(endpoints.Deps{}), baseURL) // only read: none of its operations is called
	v.Routes, v.Headers = routes(d), headers(d)
	out := map[string][]byte{"openapi.json": d.JSON(), "vectors.json": vectors.JSON()}
	for _, k := range v.Kits {
		out["kits/"+k.File] = []byte(k.Text)
	}
	err := fs.WalkDir(files, "assets", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := files.ReadFile(name)
		out[name] = text
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, s := range v.Sections {
		for _, p := range s.Pages {
			if strings.HasPrefix(p.Name, referencePage+"-") {
				continue
			}
			text, err := v.page(p)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
			out[p.Name+".html"] = text
		}
	}
	return out, v.reference(out, d)
}

// layout is the frame of every page.
var layout = template.Must(template.ParseFS(files, "content/layout.gohtml"))

// framed is the data for the layout.
type framed struct {
	*view
	Page     page
	Policy   string
	Body     template.HTML
	Headings []heading
	Scripts  []string // in assets, run in this order
}

// frame puts a body into the layout.
func (v *view) frame(f framed) ([]byte, error) {
	f.view = v
	f.Policy = policy
	var b bytes.Buffer
	if err := layout.Execute(&b, f); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// page writes a page of content.
func (v *view) page(p page) ([]byte, error) {
	text, err := files.ReadFile(path.Join("content", p.Name+".md"))
	if err != nil {
		return nil, err
	}
	body, headings, err := v.render(string(text))
	if err != nil {
		return nil, err
	}
	f := framed{Page: p, Body: body, Headings: headings}
	if p.Name == "check" {
		f.Scripts = []string{"canonical.js", "check.js"}
	}
	return v.frame(f)
}
