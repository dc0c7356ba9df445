package scripts

import (
	"os"
	"strings"
	"testing"
)

// pinged is a request to ping that got 200, and the document that it is checked against.
func pinged(t *testing.T) (*Document, Exchange) {
	t.Helper()
	d := newDocument(t)
	r := newRun(t, newWorld(t, d, os.DirFS("testdata/union")), &script{file: "ping", keys: []line{{1, []string{"key", "k", "organization=fed"}}}})
	return d, r.exchange(t, "/v1/ping")
}

func TestWhatIsNotDocumentedFails(t *testing.T) {
	d, good := pinged(t)
	replace := func(old, new string) func(*Exchange) {
		return func(x *Exchange) {
			changed := strings.Replace(string(x.Body), old, new, 1)
			if changed == string(x.Body) {
				t.Errorf("%s is not in %s", old, x.Body)
			}
			x.Body = []byte(changed)
		}
	}
	tests := []struct {
		name   string
		change func(*Exchange)
		says   string
	}{
		{"a field more", replace(`"keyId"`, `"secret":"s","keyId"`), "additional properties 'secret' not allowed"},
		{"a field next to data", replace(`{"data"`, `{"meta":{},"data"`), "'meta' not allowed"},
		{"a field less", replace(`"keyId":`, `"x":`), "missing property 'keyId'"},
		{"a number for a string", replace(`"keyId":"`, `"keyId":1,"x":"`), "/data/keyId"},
		{"a string for a number", replace(`"apiVersion":1`, `"apiVersion":"1"`), "/data/apiVersion"},
		{"another version", replace(`"apiVersion":1`, `"apiVersion":2`), "/data/apiVersion"},
		{"an id in upper case", replace(`"resourceId":"`, `"resourceId":"A`), "/data/resourceId"},
		{"a time without milliseconds", replace(`.535Z`, `Z`), "/data/serverTime"},
		{"not a time", replace(`2026-03-14T15`, `2026-03-14T25`), "/data/serverTime"},
		{"an unknown scope", replace(`teams:read`, `teams:write`), "/data/scopes"},
		{"no JSON", replace(`}`, ``), "not JSON"},
		{"something after the JSON", func(x *Exchange) { x.Body = append(x.Body, '{') }, "not JSON"},
		{"an undocumented status", func(x *Exchange) { x.Status = 201 }, "status 201 is not documented"},
		{"404 where nothing can be missing", func(x *Exchange) { x.Status = 404 }, "status 404 is not documented"},
		{"another media type", func(x *Exchange) { x.Header.Set("Content-Type", "text/html") }, "Content-Type"},
		{"a header more", func(x *Exchange) { x.Header.Set("Access-Control-Allow-Origin", "*") }, "Access-Control-Allow-Origin is not documented"},
		{"a header less", func(x *Exchange) { x.Header.Del("X-RateLimit-Reset") }, "X-RateLimit-Reset is missing"},
		{"a header twice", func(x *Exchange) { x.Header.Add("X-Request-Id", "a") }, "X-Request-Id is there 2 times"},
		{"a request id that is no UUID", func(x *Exchange) { x.Header.Set("X-Request-Id", "1") }, "X-Request-Id"},
		{"a rate that is no number", func(x *Exchange) { x.Header.Set("X-RateLimit-Limit", "many") }, "X-RateLimit-Limit"},
		{"a rate below 0", func(x *Exchange) { x.Header.Set("X-RateLimit-Remaining", "-1") }, "X-RateLimit-Remaining"},
		{"a parameter that was accepted", func(x *Exchange) { x.Target += "?page=1" }, `"page" is not documented`},
		{"a request without a nonce", func(x *Exchange) { x.Sent.Del("X-Service-Nonce") }, "X-Service-Nonce"},
		{"a body of HEAD", func(x *Exchange) { x.Method = "HEAD" }, "there is a body"},
		{"a path that there is not", func(x *Exchange) { x.Target = "/v2/ping" }, "status 200 is not documented"},
		{"a method that there is not", func(x *Exchange) { x.Method = "PUT" }, "status 200 is not documented"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := good
			x.Sent, x.Header = good.Sent.Clone(), good.Header.Clone()
			tt.change(&x)
			if err := d.Check(x); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v does not say %q", err, tt.says)
			}
		})
	}
}
