package site

import (
	"strings"
	"testing"

	"touchline/shared/signing"
)

// postmanDriver runs the script as Postman does, with Node's hashes under the
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

func TestTheScriptForPostmanSignsTheVectors(t *testing.T) {
	requests := knownRequests(t)
	var sent []map[string]string
	onNode(t, postmanDriver, map[string]any{"script": string(written(t)["kits/postman.js"]), "requests": requests}, &sent)
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
