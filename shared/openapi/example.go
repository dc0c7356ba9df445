package openapi

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"touchline/shared/problem"
)

// Example is a request to a route and the body of its response.
type Example struct {
	Target string          `json:"target"` // path and query
	Body   json.RawMessage `json:"body"`
}

// examplesJSON is written by the API scripts from what the service answers.
//
//go:embed examples.json
var examplesJSON []byte

// Examples returns an example for each route, by the pattern of its path.
func Examples() map[string]Example {
	var all map[string]Example
	if err := json.Unmarshal(examplesJSON, &all); err != nil {
		panic(fmt.Sprintf("openapi: examples.json: %v", err))
	}
	return all
}

// illustrate adds an example to the response to GET and to the parameters.
func (p *pathItem) illustrate(e Example) {
	const good, form = "200", "application/json"
	answer := p.Get.Responses.values[good]
	content := answer.Content.values[form]
	content.Example = e.Body
	answer.Content.set(form, content)

	path, query, _ := strings.Cut(e.Target, "?")
	segments := strings.Split(path, "/") // "", v1, alias, id
	sent, err := url.ParseQuery(query)
	if err != nil {
		panic(fmt.Sprintf("openapi: %s: %v", e.Target, err))
	}
	for i := range p.Parameters {
		parameter := &p.Parameters[i]
		switch {
		case parameter.In == "path" && parameter.Name == "alias":
			parameter.Example = segments[2]
		case parameter.In == "path":
			parameter.Example = segments[3]
		case sent.Has(parameter.Name):
			parameter.Example = valueOf(parameter.Schema, sent.Get(parameter.Name))
		}
	}
}

// valueOf is a parameter's text as a value of its type.
func valueOf(s *Schema, text string) any {
	if s.Type != typeInteger && s.Type != typeBoolean {
		return text
	}
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		panic(fmt.Sprintf("openapi: %s: %v", text, err))
	}
	return value
}

// examples are the bodies of a refusal, by their codes.
func (r refusal) examples() Ordered[exampleOfError] {
	var all Ordered[exampleOfError]
	for _, code := range r.Codes {
		all.set(string(code), exampleOfError{exampleOf(code, r.Name).JSON()})
	}
	return all
}

// limitOfPage is the largest page (read-api, Limits).
const limitOfPage = 100

// exampleOf is a refusal with a code, as the service makes it.
func exampleOf(code problem.Code, name string) *problem.Error {
	switch {
	case code == problem.BadRequest:
		return problem.ParameterLimit("limit", limitOfPage)
	case code == problem.ScopeTooLarge && name == "PlayersScopeTooLarge":
		return problem.TooLarge(maxAtLarge+1, maxAtLarge, narrowing()...)
	case code == problem.ScopeTooLarge:
		return problem.TooLarge(maxOrganizations+1, maxOrganizations)
	case code == problem.RateLimited:
		return problem.Retry(code, 23)
	case code == problem.QuotaExceeded:
		return problem.Retry(code, 1_500_634)
	}
	return problem.New(code)
}

// bodies is the content of a response, with an example for each code.
func bodies(s *Schema, examples Ordered[exampleOfError]) Ordered[mediaType] {
	var content Ordered[mediaType]
	content.set("application/json", mediaType{Schema: s, Examples: examples})
	return content
}
