package site

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"

	"touchline/shared/openapi"
)

// referencePage begins the names of the reference's pages: one that lists all
// routes, and one for each group of them.
const referencePage = "reference"

func groupPageName(group string) string { return referencePage + "-" + group }

// operation is a route as its page shows it.
type operation struct {
	ID, Path, Summary, Description string
	Parameters                     []parameterRow
	Target                         string // of the example
	Example                        template.HTML
	Fields                         []field
	TooLarge                       bool // it may refuse with scopeTooLarge
}

type parameterRow struct {
	Name, In, Kind, Text string
	Required             bool
}

type headerRow struct{ Name, Text string }

// headers are those of every 200, with what they mean.
func headers(d *openapi.Document) (rows []headerRow) {
	for name, h := range d.Paths.At("/v1/ping").Get.Responses.At("200").Headers.All() {
		if ref, ok := strings.CutPrefix(h.Ref, "#/components/headers/"); ok {
			h = d.Components.Headers.At(ref)
		}
		rows = append(rows, headerRow{name, h.Description})
	}
	return rows
}

// operationOf is the route with a path.
func operationOf(d *openapi.Document, path string) (operation, error) {
	item := d.Paths.At(path)
	get := item.Get
	good := get.Responses.At("200")
	body := good.Content.At("application/json")
	o := operation{
		ID: get.OperationID, Path: path, Summary: get.Summary, Description: get.Description,
		Fields: schemas{d}.fields(body.Schema), TooLarge: get.Responses.Has("422"),
	}
	for _, p := range item.Parameters {
		o.Parameters = append(o.Parameters, parameterRow{
			Name: p.Name, In: p.In, Kind: fmt.Sprint(p.Schema.Type), Text: strings.TrimSpace(p.Description + " " + bounds(p.Schema)), Required: p.Required,
		})
	}
	example, err := indented(path)
	if err != nil {
		return o, err
	}
	shown, err := code("json", example)
	if err != nil {
		return o, err
	}
	o.Example = template.HTML(shown) //nolint:gosec // of this package's own document
	o.Target = openapi.Examples()[path].Target
	return o, nil
}

// reference adds the pages of the groups.
func (v *view) reference(out map[string][]byte, d *openapi.Document) error {
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
			o, err := operationOf(d, r.Path)
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
