package scripts

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/openapi"
	"touchline/shared/route"
)

// Document is the OpenAPI document, ready for checking responses. It is safe for
// concurrent use.
type Document struct {
	routes *route.Table
	object *openapi.Document

	mu       sync.Mutex
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema // by pointer
	seen     map[string]bool               // by method, path and status
}

// location is the document's name for the compiler; nothing is fetched from it.
const location = "https://touchline.invalid/openapi.json"

// newDocument returns the document of the route table.
func newDocument(t testing.TB) *Document {
	t.Helper()
	d, err := decoded(groups.Table(endpoints.Deps{}))
	if err != nil {
		t.Fatalf("the OpenAPI document: %v", err)
	}
	return d
}

func decoded(table *route.Table) (*Document, error) {
	d := &Document{
		routes: table, object: openapi.Strict(table), compiler: jsonschema.NewCompiler(),
		schemas: make(map[string]*jsonschema.Schema), seen: make(map[string]bool),
	}
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(d.object.JSON()))
	if err != nil {
		return nil, err
	}
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.AssertFormat()
	return d, d.compiler.AddResource(location, whole)
}

// pointer is a JSON pointer into the document.
func pointer(tokens ...string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteByte('/')
		b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(token))
	}
	return b.String()
}

// validate checks a value, parsed by the validator's own JSON reader, against
// the schema at a pointer.
func (d *Document) validate(at string, value any) error {
	s, err := d.schema(at)
	if err != nil {
		return err
	}
	return s.Validate(value)
}

func (d *Document) schema(at string) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.schemas[at]; s != nil {
		return s, nil
	}
	s, err := d.compiler.Compile(location + "#" + (&url.URL{Fragment: at}).EscapedFragment())
	if err != nil {
		return nil, fmt.Errorf("the schema at %s: %w", at, err)
	}
	d.schemas[at] = s
	return s, nil
}

// response resolves a response of an operation, or of components, and returns
// where it is.
func (d *Document) response(r openapi.Response, at string) (openapi.Response, string) {
	if name, shared := strings.CutPrefix(r.Ref, "#/components/responses/"); shared {
		return d.object.Components.Responses.At(name), pointer("components", "responses", name)
	}
	return r, at
}

func (d *Document) header(h openapi.Header, at string) (openapi.Header, string) {
	if name, shared := strings.CutPrefix(h.Ref, "#/components/headers/"); shared {
		return d.object.Components.Headers.At(name), pointer("components", "headers", name)
	}
	return h, at
}

// Unseen lists the responses of operations that no check has seen yet, such as
// "GET /v1/ping 503".
func (d *Document) Unseen() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var missing []string
	for path, item := range d.object.Paths.All() {
		for status := range item.Get.Responses.All() {
			for _, method := range []string{"GET", "HEAD"} { // which have the same
				if name := method + " " + path + " " + status; !d.seen[name] {
					missing = append(missing, name)
				}
			}
		}
	}
	slices.Sort(missing)
	return missing
}

func (d *Document) see(method, path, status string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seen[method+" "+path+" "+status] = true
}
