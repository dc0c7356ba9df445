package functions

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
)

// calls are the calls of DynamoDB that come by a door to an engine.
type calls struct {
	Endpoint string // of the door

	mu   sync.Mutex
	made map[string]map[string]bool // operations, by table
}

// door makes a door to an engine. It ends with the test.
func door(t testing.TB, engine string) *calls {
	t.Helper()
	to, err := url.Parse(engine)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ErrorLog = log.New(io.Discard, "", 0) // about reads ahead that are cancelled, and processes that were killed
	c := &calls{made: map[string]map[string]bool{}}
	door := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler) // the process was killed
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		c.note(operation, body)
		proxy.ServeHTTP(w, r)
	}))
	door.Config.ErrorLog = proxy.ErrorLog
	t.Cleanup(door.Close)
	c.Endpoint = door.URL
	return c
}

func (c *calls) note(operation string, body []byte) {
	var input struct {
		TableName    string
		RequestItems map[string]json.RawMessage
	}
	_ = json.Unmarshal(body, &input) // on nothing, if it is no JSON
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, table := range append(slices.Collect(maps.Keys(input.RequestItems)), input.TableName) {
		if table != "" && c.made[table] == nil {
			c.made[table] = map[string]bool{}
		}
		if table != "" {
			c.made[table][operation] = true
		}
	}
}

// Made are the operations so far, by table.
func (c *calls) Made() map[string][]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	made := map[string][]string{}
	for table, operations := range c.made {
		made[table] = slices.Sorted(maps.Keys(operations))
	}
	return made
}
