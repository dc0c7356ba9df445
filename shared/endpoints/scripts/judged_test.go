package scripts

import (
	"net/http"
	"strings"
	"testing"
)

// TestWhatIsNotAsExpectedIsFound judges one answer by expectations that it
// meets, and by others that it does not.
func TestWhatIsNotAsExpectedIsFound(t *testing.T) {
	if *update {
		return // an update accepts everything
	}
	list := Exchange{
		Status: 200, Header: http.Header{"X-Ratelimit-Limit": {"60"}},
		Body: []byte(`{"data":[{"id":"0123456789abcdef01234567","name":"A b"},{"id":"x","name":null}],"total":2}`),
	}
	refused := Exchange{
		Status: 400, Body: []byte(`{"error":{"code":"badRequest","message":"Invalid request","details":{"field":"limit","limit":100}}}`),
	}
	limited := Exchange{
		Status: 429, Header: http.Header{"Retry-After": {"7"}},
		Body: []byte(`{"error":{"code":"rateLimited","message":"Rate limit exceeded","retryAfter":8}}`),
	}
	tests := []struct {
		name     string
		answer   Exchange
		expected string
		says     string // empty: it is as expected
	}{
		{"status", list, "200", ""},
		{"another status", list, "404", "status 200"},
		{"header", list, "200\nX-RateLimit-Limit: 60\nX-RateLimit-Limit: ~[0-9]+\nRetry-After: -", ""},
		{"another header", list, "200\nX-RateLimit-Limit: 6", "60, not 6"},
		{"a header that does not match as a whole", list, "200\nX-RateLimit-Limit: ~6", "60, not"},
		{"a header that is not there", list, "200\nRetry-After: 1", "is missing"},
		{"a header that must not be there", list, "200\nX-RateLimit-Limit: -", "60"},
		{"fields", list, "200\ndata.id = o:known x\ndata.name = \"A b\" null\ncount data.id = 2\ndata.1.id = x\ntotal = 2", ""},
		{"another field", list, "200\ndata.id = x o:known", "data.id = o:known x"},
		{"another number", list, "200\ncount data.id = 3", "count data.id = 2"},
		{"a field that is not there", list, "200\ndata.group = x", "no group"},
		{"a body", list, "200\n{\"total\": 2, \"data\": [{\"id\": \"o:known\", \"name\": \"A b\"},\n{\"id\": \"x\", \"name\": null}]}", ""},
		{"a body with more", list, "200\n{\"total\": 2}", "data"},
		{"a refusal", refused, "400 badRequest limit 100", ""},
		{"a refusal of another field", refused, "400 badRequest page 100", "page"},
		{"a refusal without its bound", refused, "400 badRequest limit", "limit"},
		{"a refusal with another code", refused, "400 notFound", "notFound"},
		{"seconds that are not those of Retry-After", limited, "429 rateLimited", "retryAfter"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := &run{script: &script{file: "a script"}, world: &world{names: newNames()}}
			r.names.add("0123456789abcdef01234567", "o:known")
			s := &step{}
			for i, text := range strings.Split(tt.expected, "\n") {
				if err := s.expect.parse(i+1, text); err != nil {
					t.Fatal(err)
				}
			}
			got := r.judge(t, s, tt.answer)
			if (got == "") != (tt.says == "") || !strings.Contains(got, tt.says) {
				t.Errorf("%q", got)
			}
		})
	}
}
