package site

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"
)

// referencePage begins the names of the reference's pages: one that lists all
// routes, and one for each group of them.
const referencePage = "reference"

func groupPageName(group string) string { return referencePage + "-" + group }

// described is the OpenAPI document, as far as the reference shows it.
type described struct {
	Tags []struct {
		Name        string `json:"name"`
		Title       string `json:"x-displayName"`
		Description string `json:"description"`
	} `json:"tags"`
	Paths map[string]struct {
		Parameters []parameter `json:"parameters"`
		Get        struct {
			ID          string            `json:"operationId"`
			Summary     string            `json:"summary"`
			Description string            `json:"description"`
			Parameters  []parameter       `json:"parameters"`
			Responses   map[string]answer `json:"responses"`
			Samples     []struct {
				Lang   string `json:"lang"`
				Source string `json:"source"`
			} `json:"x-codeSamples"`
		} `json:"get"`
	} `json:"paths"`
	Components struct {
		Schemas   schemas           `json:"schemas"`
		Responses map[string]answer `json:"responses"`
		Headers   map[string]header `json:"headers"`
	} `json:"components"`
}

type parameter struct {
	Name        string  `json:"name"`
	In          string  `json:"in"`
	Description string  `json:"description"`
	Required    bool    `json:"required"`
	Schema      *schema `json:"schema"`
}

// Kind and Text are what the table of parameters says of it.
func (p parameter) Kind() string { return fmt.Sprint(p.Schema.Type) }

func (p parameter) Text() string {
	return strings.TrimSpace(p.Description + " " + p.Schema.bounds())
}

type answer struct {
	Ref         string            `json:"$ref"`
	Description string            `json:"description"`
	Headers     map[string]header `json:"headers"`
	Content     map[string]struct {
		Schema   *schema                    `json:"schema"`
		Example  json.RawMessage            `json:"example"`
		Examples map[string]json.RawMessage `json:"examples"`
	} `json:"content"`
}

type header struct {
	Ref         string `json:"$ref"`
	Description string `json:"description"`
}

// operation is a route as its page shows it.
type operation struct {
	ID, Path, Summary, Description string
	Parameters                     []parameter
	Sample, Example                template.HTML
	Fields                         []field
	Headers                        []headerRow
	Refusals                       []refusalRow
}

type headerRow struct{ Name, Text string }

type refusalRow struct {
	Status string
	Codes  []string
	Text   string
}

// sampleLanguage gives the kit of a code sample.
func sampleLanguage(lang string) string {
	return cmp.Or(map[string]string{"bash": "shell", "javascript": "node"}[lang], lang)
}

// describe reads the document.
func describe(document []byte) (*described, error) {
	var d described
	err := json.Unmarshal(document, &d)
	return &d, err
}

// operation is the route with a path.
func (v *view) operation(d *described, path string) (operation, error) {
	item := d.Paths[path]
	get := item.Get
	good := get.Responses["200"]
	body := good.Content["application/json"]
	o := operation{
		ID: get.ID, Path: path, Summary: get.Summary, Description: get.Description,
		Parameters: append(slices.Clone(item.Parameters), get.Parameters...),
		Fields:     d.Components.Schemas.fields(body.Schema),
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, body.Example, "", "  "); err != nil {
		return o, err
	}
	shown, err := code("json", indented.String())
	if err != nil {
		return o, err
	}
	o.Example = template.HTML(shown) //nolint:gosec // of this package's own document
	sample, err := v.languages("language-"+o.ID, func(k Kit, _ example) (string, error) {
		for _, s := range get.Samples {
			if sampleLanguage(s.Lang) == k.ID {
				return code(s.Lang, s.Source)
			}
		}
		return "", nil
	})
	if err != nil {
		return o, err
	}
	o.Sample = template.HTML(sample) //nolint:gosec // as above
	for _, name := range slices.Sorted(maps.Keys(good.Headers)) {
		h := good.Headers[name]
		if ref, ok := strings.CutPrefix(h.Ref, "#/components/headers/"); ok {
			h = d.Components.Headers[ref]
		}
		o.Headers = append(o.Headers, headerRow{name, h.Description})
	}
	for _, status := range slices.Sorted(maps.Keys(get.Responses)) {
		if status == "200" {
			continue
		}
		r := get.Responses[status]
		if ref, ok := strings.CutPrefix(r.Ref, "#/components/responses/"); ok {
			r = d.Components.Responses[ref]
		}
		codes := slices.Sorted(maps.Keys(r.Content["application/json"].Examples))
		o.Refusals = append(o.Refusals, refusalRow{status, codes, r.Description})
	}
	return o, nil
}

// reference adds the pages of the groups.
func (v *view) reference(out map[string][]byte, d *described) error {
	t, err := template.ParseFS(files, "content/reference.gohtml")
	if err != nil {
		return err
	}
	for i, g := range v.Routes {
		of := struct {
			page
			Description string
			Operations  []operation
		}{page: groupPage(g.Name), Description: d.Tags[i].Description}
		var headings []heading
		for _, r := range g.Routes {
			o, err := v.operation(d, r.Path)
			if err != nil {
				return fmt.Errorf("%s: %w", r.Path, err)
			}
			of.Operations = append(of.Operations, o)
			headings = append(headings, heading{o.ID, o.Summary})
		}
		var b bytes.Buffer
		if err := t.Execute(&b, of); err != nil {
			return err
		}
		name := groupPageName(g.Name)
		if out[name+".html"], err = v.frame(framed{Page: of.page, Body: template.HTML(b.String()), Headings: headings}); err != nil { //nolint:gosec // as above
			return err
		}
	}
	return nil
}

// groupPage is the page of a group of routes.
func groupPage(group string) page {
	return page{groupPageName(group), capitalized(group), fmt.Sprintf("The routes of %s: parameters, responses, examples and errors.", group)}
}
