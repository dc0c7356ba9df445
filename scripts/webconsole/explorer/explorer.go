// Package explorer makes requests of the API for the console's explorer: from a form to
// the request target, its canonical string, code that sends it, and the request itself,
// signed with a secret that stays here.
package explorer

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"touchline/scripts/webconsole/parts"
	"touchline/shared/client"
	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/keys"
	"touchline/shared/openapi"
	"touchline/shared/route"
	"touchline/shared/signing"
)

// Explorer signs with the keys of a registry.
type Explorer struct {
	Registry *keys.Registry
	Keys     interface {
		List(context.Context) ([]keys.Key, error)
	}
	BaseURL string // of the service; empty: not known
	Now     func() time.Time
	Report  func(error) // tells the operator about a fault whose cause is not for a page
}

// Body is the page of the explorer.
type Body struct {
	Paths     []string
	Path      string // path of the operation, such as /v1/teams/{id}
	Summary   string
	Scopes    []keys.Scope
	Inputs    []input
	Keys      []parts.Choice
	Key       string
	BaseURL   string
	Target    string
	Canonical []canonicalField
	Samples   []openapi.CodeSample
	Sent      *sent
	Curl      string // a signed command; empty: none
}

// input is a parameter of an operation.
type input struct {
	Name, Value, Summary, Hint string
	Choices                    []string // none: free text
	Required                   bool
}

// canonicalField is a line of the canonical string.
type canonicalField struct{ Name, Value string }

// sent is a request that was sent, and its response.
type sent struct {
	Status  int
	Headers []canonicalField
	Body    string
	Trouble string // why there is no response; empty: there is one
}

// operations returns the operations of the contract, for their descriptions.
func operations() *route.Table { return groups.Table(endpoints.Deps{}) }

// placeholders in a path.
const (
	aliasPlace = "{alias}"
	idPlace    = "{id}"
)

// Body is the page for what was entered.
func (x *Explorer) Body(ctx context.Context, values url.Values) (Body, error) {
	b := Body{BaseURL: x.BaseURL, Key: values.Get("key")}
	var chosen *route.Operation
	for o := range operations().All() {
		b.Paths = append(b.Paths, o.Path)
		if o.Path == values.Get("path") {
			chosen = o
		}
	}
	if chosen == nil {
		chosen, _, _ = operations().Match("/v1/ping")
	}
	b.Path, b.Summary, b.Scopes = chosen.Path, chosen.Summary, chosen.Scopes
	b.Inputs = inputsOf(chosen, values)
	b.Target = targetOf(chosen.Path, b.Inputs)
	list, err := x.Keys.List(ctx)
	if err != nil {
		return b, err
	}
	for _, k := range list {
		if k.Valid(x.Now()) {
			b.Keys = append(b.Keys, parts.Choice{Value: k.ID, Text: strings.TrimSpace(k.Label + " " + k.ID + ", scopes: " + k.ScopeNames(" "))})
		}
	}
	if b.Key == "" && len(b.Keys) > 0 {
		b.Key = b.Keys[0].Value
	}
	b.Canonical = canonicalOf(b.Target, strconv.FormatInt(x.Now().Unix(), 10), "(a new one for each attempt)")
	if plainTarget.MatchString(b.Target) {
		b.Samples = openapi.Samples(chosen, b.BaseURL, b.Target)
	}
	return b, nil
}

// plainTarget matches what can be inserted into code without quoting.
var plainTarget = regexp.MustCompile(`^[-A-Za-z0-9/?&=.:_]*$`)

// inputsOf are the parameters of an operation with the values entered.
func inputsOf(o *route.Operation, values url.Values) []input {
	var inputs []input
	if strings.Contains(o.Path, aliasPlace) {
		in := input{Name: "alias", Value: values.Get("alias"), Summary: "Which organizations the path addresses."}
		for _, a := range route.Aliases() {
			in.Choices = append(in.Choices, string(a))
		}
		if !slices.Contains(in.Choices, in.Value) {
			in.Value = in.Choices[0]
		}
		inputs = append(inputs, in)
	}
	if strings.Contains(o.Path, idPlace) {
		inputs = append(inputs, input{Name: "id", Value: values.Get("id"), Summary: "Id of the path.", Hint: "24 hex digits", Required: true})
	}
	for _, p := range o.Params {
		in := input{Name: p.Name, Value: values.Get("q." + p.Name), Summary: p.Summary, Hint: p.Default}
		switch p.Form {
		case route.FormBoolean:
			in.Choices = []string{"", "true", "false"}
		case route.FormEnum:
			in.Choices = append([]string{""}, p.Enum...)
		case route.FormIdentifier:
			in.Hint = "24 hex digits"
		case route.FormInstant:
			in.Hint = "2026-03-14 or 2026-03-14T15:00:00Z"
		case route.FormInteger:
		}
		inputs = append(inputs, in)
	}
	return inputs
}

// Field is the name of the input in the form, which tells a parameter of the
// query from one of the path with the same name.
func (i input) Field() string {
	if i.Name == "id" || i.Name == "alias" {
		return i.Name
	}
	return "q." + i.Name
}

// targetOf is the request target of an operation with the values entered.
func targetOf(path string, inputs []input) string {
	var query []string
	for _, in := range inputs {
		switch {
		case in.Name == "alias":
			path = strings.Replace(path, aliasPlace, in.Value, 1)
		case in.Name == "id":
			if in.Value != "" {
				path = strings.Replace(path, idPlace, url.PathEscape(strings.TrimSpace(in.Value)), 1)
			}
		case in.Value != "":
			query = append(query, in.Name+"="+strings.ReplaceAll(url.QueryEscape(strings.TrimSpace(in.Value)), "+", "%20"))
		}
	}
	if len(query) == 0 {
		return path
	}
	return path + "?" + strings.Join(query, "&")
}

// canonicalOf are the lines of the canonical string of a GET.
func canonicalOf(target, timestamp, nonce string) []canonicalField {
	path, query, _ := strings.Cut(target, "?")
	text, err := signing.Message{Method: http.MethodGet, Path: path, Query: query, Timestamp: timestamp, Nonce: nonce}.Canonical()
	if err != nil {
		return nil
	}
	names := []string{"METHOD", "PATH", "SORTED_ENCODED_QUERY", "TIMESTAMP", "NONCE", "BODY_HASH"}
	var fields []canonicalField
	for i, value := range strings.SplitN(text, "\n", len(names)) {
		fields = append(fields, canonicalField{names[i], value})
	}
	return fields
}

// Send signs the request of a page with the chosen key's secret, and sends it once, or
// gives a command that does.
func (x *Explorer) Send(ctx context.Context, b *Body, asCurl bool) {
	secret, err := x.secretOf(ctx, b.Key)
	switch {
	case err != nil:
		b.Sent = &sent{Trouble: err.Error()}
	case asCurl:
		b.Curl = x.curl(b, secret)
	default:
		b.Sent = x.sendOnce(ctx, b, secret)
	}
}

// secretOf opens the secret of a key.
func (x *Explorer) secretOf(ctx context.Context, id string) (string, error) {
	k, err := x.Registry.Store.Get(ctx, id)
	if errors.Is(err, keys.ErrUnknown) {
		return "", errors.New("there is no key to sign with: make one under Keys")
	}
	if err != nil {
		x.Report(err)
		return "", errors.New("the key could not be read: the terminal of the console says why")
	}
	text, err := x.Registry.Sealer.Open(ctx, k.ID, k.Current.Sealed)
	switch {
	case errors.Is(err, keys.ErrSealed):
		return "", errors.New("the key's secret was sealed with another master key than this machine's: choose another key")
	case err != nil:
		x.Report(err)
		return "", errors.New("the key's secret could not be opened: the terminal of the console says why")
	}
	return string(text), nil
}

// sendLimit bounds the wait for a response.
const sendLimit = 30 * time.Second

func (x *Explorer) sendOnce(ctx context.Context, b *Body, secret string) *sent {
	ctx, cancel := context.WithTimeout(ctx, sendLimit)
	defer cancel()
	c := client.Client{BaseURL: b.BaseURL, Now: x.Now, Sign: func(m signing.Message) (signing.Signed, error) { return m.Signed(b.Key, secret) }}
	response, err := c.Send(ctx, http.MethodGet, b.Target)
	switch {
	case errors.Is(err, client.ErrBaseURL):
		return &sent{Trouble: "the address of the service is not known: start the console with --base-url"}
	case err != nil:
		return &sent{Trouble: fmt.Sprintf("%s does not answer, or the request cannot be sent: %v", b.BaseURL, err)}
	}
	out := &sent{Status: response.Status, Body: string(response.Body)}
	var indented bytes.Buffer
	if json.Indent(&indented, response.Body, "", "  ") == nil {
		out.Body = indented.String()
	}
	for name, values := range response.Header {
		out.Headers = append(out.Headers, canonicalField{name, strings.Join(values, ", ")})
	}
	slices.SortFunc(out.Headers, func(a, b canonicalField) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// curl is a command that sends the request. It is signed now, and so works once
// and within five minutes. It does not contain the secret.
func (x *Explorer) curl(b *Body, secret string) string {
	path, query, _ := strings.Cut(b.Target, "?")
	signed, err := signing.Message{
		Method: http.MethodGet, Path: path, Query: query, Timestamp: strconv.FormatInt(x.Now().Unix(), 10), Nonce: rand.Text(),
	}.Signed(b.Key, secret)
	if err != nil {
		return ""
	}
	quote := func(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
	command := "curl " + quote(b.BaseURL+b.Target)
	for _, h := range signed.Headers {
		command += fmt.Sprintf(" \\\n  -H '%s: %s'", h[0], h[1])
	}
	return command
}
