package scripts

import (
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/gateway"
	"touchline/shared/signing"
)

// prepared is a request, its words read.
type prepared struct {
	method, target string // ids in it
	key            credential
	from           string
	at             time.Duration
	nonce          string // empty: one of its own
	times          int
	body           string
	unsigned       bool
	forged         bool
	headers        map[string]string
	handler        *gateway.Handler
}

func (r *run) prepare(t *testing.T, s *step, target string) prepared {
	t.Helper()
	p := prepared{
		method: s.request.method, target: padded(r.names.put(target)), key: r.issued[r.keys[0].words[1]],
		from: "192.0.2.7", times: 1, headers: map[string]string{}, handler: r.handler,
	}
	for _, word := range s.request.words {
		if err := r.modify(&p, word); err != nil {
			t.Fatalf("%s:%d: %s: %v", r.file, s.number, word, err)
		}
	}
	return p
}

// padded fills a target that ends in @N up to N bytes.
func padded(target string) string {
	rest, length, ok := strings.Cut(target, "@")
	n, err := strconv.Atoi(length)
	if !ok || err != nil {
		return target
	}
	return rest + strings.Repeat("x", n-len(rest))
}

func (r *run) modify(p *prepared, word string) (err error) {
	if name, value, isHeader := strings.Cut(word, ":"); isHeader && name != "" && 'A' <= name[0] && name[0] <= 'Z' {
		p.headers[strings.ToLower(name)] = strings.ReplaceAll(value, "%20", " ")
		return nil
	}
	name, value, _ := strings.Cut(word, "=")
	switch name {
	case "as":
		known := false
		if p.key, known = r.issued[value]; !known {
			return fmt.Errorf("no such key")
		}
	case "from":
		p.from = value
	case "at":
		p.at, err = time.ParseDuration(value)
	case "nonce":
		p.nonce = value
	case "times":
		p.times, err = strconv.Atoi(value)
	case "body":
		p.body = value
	case "unsigned":
		p.unsigned = true
	case "forged":
		p.forged = true
	case "broken":
		p.handler = r.worker(r.clock, value)
	default:
		return fmt.Errorf("unknown")
	}
	return err
}

// send signs a request, and checks the response against the document.
func (r *run) send(t *testing.T, p prepared) Exchange {
	t.Helper()
	r.nonces++
	path, query, _ := strings.Cut(p.target, "?")
	e := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: "$default", RawPath: path, RawQueryString: query, Body: p.body,
		Headers: map[string]string{"host": "api.example"},
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			Stage: "$default", DomainName: "api.example",
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: p.method, Path: path, SourceIP: p.from},
		},
	}
	if !p.unsigned {
		maps.Copy(e.Headers, r.sign(p, path, query))
	}
	for name, value := range p.headers {
		e.Headers[name] = value
		if value == "" {
			delete(e.Headers, name)
		}
	}
	answer, err := p.handler.Handle(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	x := Exchange{
		Method: p.method, Target: p.target, Sent: http.Header{}, Status: answer.StatusCode, Header: http.Header{}, Body: []byte(answer.Body),
	}
	for name, value := range e.Headers {
		x.Sent.Set(name, value)
	}
	for name, value := range answer.Headers {
		x.Header.Set(name, value)
	}
	if err := r.document.Check(x); err != nil {
		t.Error(err)
	}
	return x
}

func (r *run) sign(p prepared, path, query string) map[string]string {
	nonce := p.nonce
	if nonce == "" {
		nonce = fmt.Sprint("n-", r.nonces)
	}
	timestamp := strconv.FormatInt(r.clock().Add(p.at).Unix(), 10)
	m := signing.Message{Method: p.method, Path: path, Query: query, Timestamp: timestamp, Nonce: nonce}
	canonical, err := m.Canonical()
	if err != nil || p.forged {
		canonical = "" // a malformed escape has no signature
	}
	return map[string]string{
		"x-service-key": p.key.id, "x-service-timestamp": timestamp,
		"x-service-nonce": nonce, "x-service-signature": signing.Sign(p.key.secret, canonical),
	}
}

// sameButBody says in what the answer to HEAD is not that to GET (D5).
func sameButBody(get, head Exchange) string {
	lasting := func(h http.Header) http.Header {
		h = h.Clone()
		h.Del("X-Request-Id")
		h.Del("X-RateLimit-Remaining")
		h.Del("Content-Length")
		return h
	}
	switch {
	case get.Status != head.Status:
		return fmt.Sprintf("status %d, to GET %d", head.Status, get.Status)
	case len(head.Body) > 0:
		return "there is a body"
	case head.Header.Get("Content-Length") != strconv.Itoa(len(get.Body)):
		return fmt.Sprintf("Content-Length %s of a body of %d", head.Header.Get("Content-Length"), len(get.Body))
	}
	return cmp.Diff(lasting(get.Header), lasting(head.Header))
}
