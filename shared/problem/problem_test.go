package problem_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/problem"
)

func TestEveryCodeHasTheStatusAndMessageOfTheContract(t *testing.T) {
	type row struct {
		Code    problem.Code
		Status  int
		Message string
	}
	want := []row{
		{"badRequest", 400, "Invalid request"},
		{"unauthorized", 401, "Invalid credentials"},
		{"forbidden", 403, "Forbidden"},
		{"scopeMissing", 403, "Missing scope"},
		{"proRequired", 403, "PRO plan required"},
		{"notFound", 404, "Not found"},
		{"methodNotAllowed", 405, "Method not allowed"},
		{"scopeTooLarge", 422, "Scope too large"},
		{"rateLimited", 429, "Rate limit exceeded"},
		{"quotaExceeded", 429, "Monthly quota exceeded"},
		{"internalError", 500, "Internal error"},
		{"integrationsUnavailable", 503, "Temporarily unavailable"},
		{"serviceUnavailable", 503, "Temporarily unavailable"},
	}
	var got []row
	for _, c := range problem.Codes() {
		got = append(got, row{c, c.Status(), c.Message()})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTheTableHoldsEveryDeclaredCode(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "problem.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	declared := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if id, ok := spec.Type.(*ast.Ident); !ok || id.Name != "Code" {
			return true
		}
		declared++
		value := spec.Values[0].(*ast.BasicLit).Value
		code := problem.Code(value[1 : len(value)-1])
		if !slices.Contains(problem.Codes(), code) {
			t.Errorf("%s is not in the table", code)
		}
		return true
	})
	if declared != len(problem.Codes()) {
		t.Errorf("%d codes are declared, the table holds %d", declared, len(problem.Codes()))
	}
}

func TestDocuments(t *testing.T) {
	tests := []struct {
		name string
		err  *problem.Error
		want string
	}{
		{"code alone", problem.New(problem.NotFound), `{"error":{"code":"notFound","message":"Not found"}}`},
		{"reason", &problem.Error{Code: problem.Unauthorized, Reason: problem.ReasonMalformedHeader},
			`{"error":{"code":"unauthorized","message":"Invalid credentials","reason":"malformedHeader"}}`},
		{"field", problem.Parameter("sort"),
			`{"error":{"code":"badRequest","message":"Invalid request","details":{"field":"sort"}}}`},
		{"empty field is named", problem.Parameter(""),
			`{"error":{"code":"badRequest","message":"Invalid request","details":{"field":""}}}`},
		{"limit", problem.ParameterLimit("page", 10000),
			`{"error":{"code":"badRequest","message":"Invalid request","details":{"field":"page","limit":10000}}}`},
		{"max", problem.TooLarge(6000, 5000),
			`{"error":{"code":"scopeTooLarge","message":"Scope too large","details":{"max":5000}}}`},
		{"requires one of", problem.TooLarge(51, 50, "clubId", "associationId"),
			`{"error":{"code":"scopeTooLarge","message":"Scope too large","details":{"max":50,"requiresOneOf":["clubId","associationId"]}}}`},
		{"retry", problem.Retry(problem.RateLimited, 17),
			`{"error":{"code":"rateLimited","message":"Rate limit exceeded","retryAfter":17}}`},
		{"no HTML escaping", problem.Parameter("<a&b>"),
			`{"error":{"code":"badRequest","message":"Invalid request","details":{"field":"<a&b>"}}}`},
		{"a cause stays inside", problem.Because(problem.InternalError, errors.New("table Sports")),
			`{"error":{"code":"internalError","message":"Internal error"}}`},
		{"a code outside the table", problem.New("teapot"),
			`{"error":{"code":"internalError","message":"Internal error"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, string(tt.err.JSON())); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAFieldThatIsNotUTF8StillGivesJSON(t *testing.T) {
	body := problem.Parameter("a\xff\"\x00").JSON()
	var doc problem.Document
	if err := json.Unmarshal(body, &doc); err != nil {
		t.Fatal(err)
	}
	if !utf8.Valid(body) {
		t.Errorf("%q is not UTF-8", body)
	}
	if want := "a\ufffd\"\x00"; *doc.Error.Details.Field != want {
		t.Errorf("field %q, want %q", *doc.Error.Details.Field, want)
	}
}

func TestAnyOtherErrorIsInternal(t *testing.T) {
	refusal := problem.New(problem.Forbidden)
	plain := errors.New("socket closed")
	tests := []struct {
		name string
		err  error
		want problem.Code
	}{
		{"a refusal", refusal, problem.Forbidden},
		{"a wrapped refusal", fmt.Errorf("list: %w", refusal), problem.Forbidden},
		{"a plain error", plain, problem.InternalError},
		{"a nil refusal in an interface", (*problem.Error)(nil), problem.InternalError},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := problem.From(tt.err).Code; got != tt.want {
				t.Errorf("code %s, want %s", got, tt.want)
			}
		})
	}
	if !errors.Is(problem.From(plain), plain) {
		t.Error("the cause is lost")
	}
	if got := problem.From(plain).Error(); got != "internalError: socket closed" {
		t.Errorf("log text %q", got)
	}
}
