package openapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

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
	CodeSamples []CodeSample        `json:"x-codeSamples,omitempty"`
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
	text, err := encode(d)
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

// build makes the document.
func build(table *route.Table, baseURL string) *Document {
	d := &Document{
		OpenAPI: "3.1.0",
		Info: info{
			Title:       "Touchline",
			Summary:     "A sports federation's data: organizations, competitions, matches, tables, teams and players.",
			Description: strings.TrimSpace(overview),
			Version:     Version,
		},
		Servers:  servers(baseURL),
		Tags:     tags(),
		Security: signed(nil),
	}
	types := &catalog{}
	d.Components.Headers = headers()
	d.Components.SecuritySchemes = securitySchemes()
	answers := &answers{types: types}
	examples := Examples()
	for o := range table.All() {
		item := item(o, types, answers)
		if example, there := examples[o.Path]; there {
			item.illustrate(example)
			item.Get.CodeSamples = Samples(o, cmp.Or(baseURL, someURL), example.Target)
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

func tags() []tag {
	var tags []tag
	for _, g := range route.Groups() {
		tags = append(tags, tag{Name: string(g), DisplayName: capital(string(g)), Description: groupDescription(g)})
	}
	return tags
}

func groupDescription(g route.Group) string {
	switch g {
	case route.GroupPing:
		return "Whether a key works."
	case route.GroupOrganizations:
		return "Federations, the associations below them and the clubs below those, with what belongs to them."
	case route.GroupTournaments:
		return "A competition's season: its matches, tables, groups, teams, players and rankings."
	case route.GroupMatches:
		return "One match, of a competition or a friendly."
	case route.GroupTeams:
		return "One club's entry in one competition and season."
	case route.GroupPlayers:
		return "One player."
	}
	return string(g)
}
