package openapi

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
)

func TestOpenSchemas(t *testing.T) {
	type sets struct {
		Kind  string    `json:"kind" enum:"a,b" doc:"Which."`
		Kinds []string  `json:"kinds" enum:"a,b"`
		Maybe *string   `json:"maybe" enum:"a"`
		Deep  []*Either `json:"deep"`
	}
	var c catalog
	c.of(reflect.TypeFor[sets]())
	s := c.schemas.values["OpenapiSets"]
	s.open(make(map[*Schema]bool))
	want := `{"type":"object","required":["kind","kinds","maybe","deep"],"properties":{` +
		`"kind":{"type":"string","description":"Which. Values so far: a, b.","x-extensible-enum":["a","b"]},` +
		`"kinds":{"type":"array","items":{"type":"string","description":"Values so far: a, b.","x-extensible-enum":["a","b"]}},` +
		`"maybe":{"type":["string","null"],"description":"Values so far: a.","x-extensible-enum":["a"]},` +
		`"deep":{"type":"array","items":{"$ref":"#/components/schemas/Either"}}}}`
	if diff := cmp.Diff(want, text(t, s)); diff != "" {
		t.Error(diff)
	}
}

// TestThePublishedDocumentIsOpen: what is sent to the service has sets, what it
// returns has none.
func TestThePublishedDocumentIsOpen(t *testing.T) {
	table := groups.Table(endpoints.Deps{})
	published, strict := string(JSON(table, "")), string(Strict(table).JSON())
	const closedObject = `"additionalProperties": false`
	if strings.Contains(published, closedObject) || !strings.Contains(strict, closedObject) {
		t.Error("additionalProperties is false in the published document, or nowhere")
	}
	d := build(table, "")
	d.open()
	if schemas := text(t, d.Components.Schemas); strings.Contains(schemas, `"enum"`) {
		t.Error("a body has a set of values")
	}
	alias := d.Paths.values["/v1/{alias}/{id}"].Parameters[0]
	if alias.Name != "alias" || len(alias.Schema.Enum) < 4 {
		t.Errorf("the alias is one of %v", alias.Schema.Enum)
	}
}
