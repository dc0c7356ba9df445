package openapi

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"touchline/shared/keys"
	"touchline/shared/route"
)

// Version is the semantic version of the document: a client written for an
// earlier one with the same major number keeps working. It is not the version of
// the API, which is in the path. Once a version is released, any change of openapi.json
// requires a new one.
const Version = "1.0.0"

// Document is an OpenAPI document.
type Document struct {
	OpenAPI    string              `json:"openapi"`
	Info       info                `json:"info"`
	Servers    []server            `json:"servers"`
	Tags       []tag               `json:"tags"`
	Paths      Ordered[pathItem]   `json:"paths"`
	Components components          `json:"components"`
	Security   []Ordered[[]string] `json:"security"`
}

type info struct {
	Title       string `json:"title"`
	Summary     string `json:"summary"`
	Description string `json:"description"`
	Version     string `json:"version"`
}

type server struct {
	URL         string                  `json:"url"`
	Description string                  `json:"description"`
	Variables   Ordered[serverVariable] `json:"variables,omitzero"`
}

type serverVariable struct {
	Default     string `json:"default"`
	Description string `json:"description"`
}

type tag struct {
	Name        string `json:"name"`
	DisplayName string `json:"x-displayName"` // as API browsers show it
	Description string `json:"description"`
}

type components struct {
	Schemas         Ordered[*Schema]        `json:"schemas"`
	Responses       Ordered[Response]       `json:"responses"`
	Headers         Ordered[Header]         `json:"headers"`
	SecuritySchemes Ordered[securityScheme] `json:"securitySchemes"`
}

type pathItem struct {
	Parameters []Parameter `json:"parameters,omitempty"` // of both
	Get        operation   `json:"get"`
	Head       *operation  `json:"head,omitempty"`
}

type operation struct {
	Tags        []string            `json:"tags"`
	OperationID string              `json:"operationId"`
	Summary     string              `json:"summary"`
	Description string              `json:"description"`
	Security    []Ordered[[]string] `json:"security"`
	Responses   Ordered[Response]   `json:"responses"`
}

// Parameter is one of a path or a query.
type Parameter struct {
	Name        string  `json:"name"`
	In          string  `json:"in"`
	Description string  `json:"description"`
	Required    bool    `json:"required,omitempty"`
	Schema      *Schema `json:"schema"`
	Example     any     `json:"example,omitempty"`
}

// Response is a response in components, or a reference to one.
type Response struct {
	Ref         string             `json:"$ref,omitempty"`
	Description string             `json:"description,omitempty"`
	Headers     Ordered[Header]    `json:"headers,omitzero"`
	Content     Ordered[mediaType] `json:"content,omitzero"`
}

type mediaType struct {
	Schema   *Schema                 `json:"schema"`
	Example  json.RawMessage         `json:"example,omitempty"`
	Examples Ordered[exampleOfError] `json:"examples,omitzero"`
}

type exampleOfError struct {
	Value json.RawMessage `json:"value"`
}

// Header is a header in components, or a reference to one.
type Header struct {
	Ref         string  `json:"$ref,omitempty"`
	Description string  `json:"description,omitempty"`
	Required    bool    `json:"required,omitempty"`
	Schema      *Schema `json:"schema,omitempty"`
}

type securityScheme struct {
	Type        string `json:"type"`
	In          string `json:"in"`
	Name        string `json:"name"`
	Description string `json:"description"`
}

// JSON writes the document for a table, indented, with a final line feed.
// baseURL is the address of the service; if empty, the document leaves it open.
// JSON panics on a reply type that the package comment does not provide for: a
// programming error that every test of the document finds.
func JSON(table *route.Table, baseURL string) []byte { return New(table, baseURL).JSON() }

// New is the document that JSON writes.
func New(table *route.Table, baseURL string) *Document {
	d := build(table, strings.TrimRight(baseURL, "/"))
	d.open()
	return d
}

// Strict is the document with closed bodies, for tests: objects have the fields
// that it names and no others, and sets the values that it names.
func Strict(table *route.Table) *Document { return build(table, "") }

// JSON is the document as it is published.
func (d *Document) JSON() []byte {
	text, err := route.JSON(d)
	if err != nil {
		panic(fmt.Sprintf("openapi: %v", err))
	}
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		panic(fmt.Sprintf("openapi: %v", err))
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// frameJSON is what the document has whatever the routes are: title, tags, headers, and the
// four headers of a signature.
//
//go:embed frame.json
var frameJSON []byte

// overview is the description of the document.
//
//go:embed overview.md
var overview string

// build makes the document.
func build(table *route.Table, baseURL string) *Document {
	d := &Document{}
	if err := json.Unmarshal(frameJSON, d); err != nil {
		panic(fmt.Sprintf("openapi: frame.json: %v", err))
	}
	d.Info.Description, d.Info.Version = strings.TrimSpace(overview), Version
	d.Servers, d.Security = servers(baseURL), signed(nil)
	types := &catalog{}
	answers := &answers{types: types}
	examples := Examples()
	for o := range table.All() {
		item := item(o, types, answers)
		if example, there := examples[o.Path]; there {
			item.illustrate(example)
		}
		d.Paths.set(o.Path, item)
	}
	answers.addElsewhere()
	d.Components.Schemas = types.schemas
	d.Components.Responses = answers.responses
	return d
}

// someURL is a placeholder for the address of a service.
const someURL = "https://api.example.org"

func servers(baseURL string) []server {
	if baseURL != "" {
		return []server{{URL: baseURL, Description: "The service; paths follow from /v1."}}
	}
	s := server{URL: "{baseUrl}", Description: "Where a federation hosts the service; paths follow it from /v1."}
	s.Variables.set("baseUrl", serverVariable{
		Default: someURL, Description: "The address that the operator of the service gives you.",
	})
	return []server{s}
}

// signed is the requirement of all four headers of a signature, for a key with the scopes.
func signed(scopes []keys.Scope) []Ordered[[]string] {
	roles := []string{}
	for _, s := range scopes {
		roles = append(roles, string(s))
	}
	var all Ordered[[]string]
	all.set("key", roles)
	for _, name := range []string{"timestamp", "nonce", "signature"} {
		all.set(name, []string{})
	}
	return []Ordered[[]string]{all}
}

// changesText is the changelog.
//
//go:embed changes.md
var changesText string

// Changes is what changed with each version of the document, newest first:
// Markdown with a heading of level 2 for each.
func Changes() string { return changesText }
