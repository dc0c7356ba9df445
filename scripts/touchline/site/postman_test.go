package site

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/signing"
)

// collection is what the tests read of one.
type collection struct {
	Item []struct {
		Item []struct {
			Name    string
			Request struct {
				URL struct {
					Raw      string
					Path     []string
					Variable []variable
				}
			}
		}
	}
	Event    []struct{ Script struct{ Exec []string } }
	Variable []variable
}

type variable struct{ Key, Value string }

func TestTheCollectionHasEveryRoute(t *testing.T) {
	var c collection
	must(t, json.Unmarshal(postman(exampleURL), &c))
	var want, got []string
	for o := range groups.Table(endpoints.Deps{}).All() {
		want = append(want, "/"+strings.Trim(strings.NewReplacer("{", ":", "}", "").Replace(o.Path), "/"))
	}
	for _, folder := range c.Item {
		for _, item := range folder.Item {
			u := item.Request.URL
			got = append(got, "/"+strings.Join(u.Path, "/"))
			if path, _, _ := strings.Cut(u.Raw, "?"); path != "{{baseUrl}}/"+strings.Join(u.Path, "/") {
				t.Errorf("%s is not %s", u.Raw, u.Path)
			}
			for _, v := range u.Variable {
				if v.Value == "" {
					t.Errorf("%s: %s has no value", item.Name, v.Key)
				}
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, v := range c.Variable {
		if v.Key == "secret" || v.Key == "keyId" {
			t.Errorf("the collection, which is shared, has a place for %s", v.Key)
		}
	}
}

// postmanDriver runs the collection's script as Postman does, with Node's hashes under the
// names of crypto-js.
const postmanDriver = `({ script, requests }) => {
  const crypto = require('node:crypto')
  const hashes = {
    SHA256: (text) => crypto.createHash('sha256').update(text).digest('hex'),
    HmacSHA256: (text, key) => crypto.createHmac('sha256', key).update(text).digest('hex'),
    lib: { WordArray: { random: (n) => crypto.randomBytes(n).toString('hex') } }
  }
  const run = new Function('pm', 'require', script)
  return requests.map(({ method, target, secret }) => {
    const at = target.indexOf('?')
    const sent = {}
    run({
      variables: { get: (name) => ({ keyId: 'k', secret })[name], replaceIn: (text) => text },
      request: {
        method,
        url: { getPath: () => at < 0 ? target : target.slice(0, at), getQueryString: () => at < 0 ? '' : target.slice(at + 1) },
        headers: { upsert: ({ key, value }) => { sent[key] = value } }
      }
    }, () => hashes)
    return sent
  })
}`

func TestTheCollectionSignsTheVectors(t *testing.T) {
	var c collection
	must(t, json.Unmarshal(postman(exampleURL), &c))
	requests := knownRequests(t)
	var sent []map[string]string
	onNode(t, postmanDriver, map[string]any{"script": strings.Join(c.Event[0].Script.Exec, "\n"), "requests": requests}, &sent)
	nonces := map[string]bool{}
	for i, k := range requests {
		h, malformed := signing.ParseHeaders(func(name string) (string, bool) { v, ok := sent[i][name]; return v, ok })
		if malformed != nil || nonces[h.Nonce] {
			t.Errorf("%s: %v, %+v", k.Target, malformed, sent[i])
		}
		nonces[h.Nonce] = true
		path, query, _ := strings.Cut(k.Target, "?")
		canonical, err := signing.Message{Method: k.Method, Path: path, Query: query, Timestamp: h.Timestamp, Nonce: h.Nonce}.Canonical()
		if err != nil || !signing.Verify([]string{k.Secret}, canonical, h.Signature) {
			t.Errorf("%s is signed wrongly: %v", k.Target, err)
		}
	}
}
