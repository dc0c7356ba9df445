package callers

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// answer is what the service answers to GET of an operation.
type answer struct {
	Operation string // its id, such as listTeamMatches
	Status    int
	Body      any
}

type response struct {
	Ref     string `json:"$ref"`
	Content map[string]struct {
		Example  any
		Examples map[string]struct{ Value any }
	}
}

type document struct {
	Paths map[string]struct {
		Get struct {
			OperationID string `json:"operationId"`
			Responses   map[string]response
		}
	}
	Components struct {
		Responses map[string]response
	}
}

func readJSON(t *testing.T, file string, v any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatal(err)
	}
}

// answers are the examples of the document, of every status, and the bodies that
// the demo federation gave.
func answers(t *testing.T) []answer {
	t.Helper()
	var d document
	readJSON(t, "openapi.json", &d)
	var all []answer
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		get := d.Paths[path].Get
		for text, r := range get.Responses {
			status, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			if r.Ref != "" {
				r = d.Components.Responses[strings.TrimPrefix(r.Ref, "#/components/responses/")]
			}
			content := r.Content["application/json"]
			if content.Example != nil {
				all = append(all, answer{get.OperationID, status, content.Example})
			}
			for _, e := range content.Examples {
				all = append(all, answer{get.OperationID, status, e.Value})
			}
		}
	}
	examples := len(all)
	var demo []struct {
		Path string
		Body any
	}
	readJSON(t, "demo.json", &demo)
	for _, b := range demo {
		all = append(all, answer{d.Paths[b.Path].Get.OperationID, http.StatusOK, b.Body})
	}
	if examples < 8*len(d.Paths) || len(demo) < 100 {
		t.Fatalf("%d examples of %d routes, and %d bodies of the demo", examples, len(d.Paths), len(demo))
	}
	return all
}

// extensible are the names of the fields with a set of values to which more may
// be added.
func extensible(t *testing.T) map[string]bool {
	t.Helper()
	var whole any
	readJSON(t, "openapi.json", &whole)
	names, closed := map[string]bool{}, map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		object, _ := v.(map[string]any)
		properties, _ := object["properties"].(map[string]any)
		for name, property := range properties {
			p, _ := property.(map[string]any)
			if p["x-extensible-enum"] != nil && p["type"] != "integer" {
				names[name] = true
			} else {
				closed[name] = true
			}
		}
		for _, inner := range object {
			walk(inner)
		}
		if list, ok := v.([]any); ok {
			for _, inner := range list {
				walk(inner)
			}
		}
	}
	walk(whole)
	maps.DeleteFunc(names, func(name string, _ bool) bool { return closed[name] })
	if !names["status"] || !names["winner"] || !names["code"] {
		t.Fatalf("extensible are %v", names)
	}
	return names
}

// later is a body as a later version may write it: with a field more in every
// object, and with a value that nobody knows yet in every set.
func later(v any, sets map[string]bool) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{"addedLater": map[string]any{"a": []any{1.0}}}
		for name, inner := range v {
			if _, text := inner.(string); text && sets[name] {
				inner = "addedLater"
			}
			out[name] = later(inner, sets)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = later(inner, sets)
		}
		return out
	}
	return v
}

// decodes has a generated client decode every answer, as it is and as a later
// version may write it. get calls the operation and returns what was decoded.
// Encoded again it is the body.
func decodes(t *testing.T, get func(operation string, status int) (any, error), transport *canned) {
	sets := extensible(t)
	all := answers(t)
	for _, a := range all {
		for _, body := range []any{a.Body, later(a.Body, sets)} {
			text, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			transport.status, transport.body = a.Status, string(text)
			decoded, err := get(a.Operation, a.Status)
			if err != nil {
				t.Errorf("%s, %d: %v\n%.300s", a.Operation, a.Status, err, text)
				continue
			}
			again, err := json.Marshal(decoded)
			if err != nil {
				t.Errorf("%s, %d: %v", a.Operation, a.Status, err)
				continue
			}
			var got any
			if err := json.Unmarshal(again, &got); err != nil {
				t.Fatal(err)
			}
			if want := without(body); !reflect.DeepEqual(without(got), want) {
				t.Errorf("%s, %d: decoded\n%.500s\nfrom\n%.500s", a.Operation, a.Status, again, text)
			}
		}
	}
	t.Logf("%d answers, each twice", len(all))
}

// without is a value without the fields that no version has, and with times to
// the second.
func without(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, inner := range v {
			if name != "addedLater" {
				out[name] = without(inner)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = without(inner)
		}
		return out
	case string:
		if at, err := time.Parse(time.RFC3339Nano, v); err == nil {
			return at.UTC().Format(time.RFC3339) // what ogen writes
		}
	}
	return v
}

// canned answers every request with one answer.
type canned struct {
	status int
	body   string
}

// RoundTrip answers with the headers that the document requires.
func (c *canned) RoundTrip(r *http.Request) (*http.Response, error) {
	header := http.Header{}
	for name, value := range map[string]string{
		"Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", "Vary": "Accept-Encoding",
		"X-Service-Api-Version": "1", "X-Request-Id": "6f2a1c1e-8a55-4d1c-9d8e-3f1b2c4d5e6f", "Retry-After": "7",
		"X-Ratelimit-Limit": "60", "X-Ratelimit-Remaining": "59", "X-Ratelimit-Reset": "1790000000",
		"X-Service-Data-Version": "7", "Last-Modified": "Sat, 12 Sep 2026 14:00:00 GMT",
	} {
		header.Set(name, value)
	}
	return &http.Response{Status: http.StatusText(c.status), StatusCode: c.status, Header: header, Body: io.NopCloser(strings.NewReader(c.body)), Request: r}, nil
}

// fill sets the texts among an operation's parameters: those in its path.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("organizations")
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.String {
				fill(f)
			}
		}
	}
}
