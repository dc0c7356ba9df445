package webconsole

import (
	"bytes"
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

	"touchline/shared/client"
	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/keys"
	"touchline/shared/openapi"
	"touchline/shared/route"
	"touchline/shared/signing"
)

func (s *Server) explorerRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /explorer", func(w http.ResponseWriter, r *http.Request) { s.explore(w, r, "layout", nil) })
	m.HandleFunc("GET /explorer/preview", func(w http.ResponseWriter, r *http.Request) { s.explore(w, r, "preview", nil) })
	m.HandleFunc("POST /explorer", s.send)
}

// explorerBody is the page of the explorer.
type explorerBody struct {
	Paths     []string
	Path      string // path of the operation, such as /v1/teams/{id}
	Summary   string
	Scopes    []keys.Scope
	Inputs    []input
	Keys      []choice
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

// exploreBody reads the choices from the form.
func (s *Server) exploreBody(r *http.Request) (explorerBody, error) {
	values := r.Form
	b := explorerBody{BaseURL: s.options.BaseURL, Key: values.Get("key")}
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
	list, err := s.options.Registry.Store.List(r.Context())
	if err != nil {
		return b, err
	}
	for _, k := range list {
		if k.Valid(s.options.Now()) {
			b.Keys = append(b.Keys, choice{k.ID, strings.TrimSpace(k.Label + " " + k.ID + ", scopes: " + k.ScopeNames(" "))})
		}
	}
	if b.Key == "" && len(b.Keys) > 0 {
		b.Key = b.Keys[0].Value
	}
	b.Canonical = canonicalOf(b.Target, strconv.FormatInt(s.options.Now().Unix(), 10), "(a new one for each attempt)")
	paged := slices.ContainsFunc(chosen.Params, func(p route.Param) bool { return p.Name == "limit" })
	if plainTarget.MatchString(b.Target) {
		b.Samples = openapi.Samples(b.BaseURL, b.Target, paged)
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
		switch p.Kind {
		case route.KindBoolean:
			in.Choices = []string{"", "true", "false"}
		case route.KindEnum:
			in.Choices = append([]string{""}, p.Enum...)
		case route.KindIdentifier:
			in.Hint = "24 hex digits"
		case route.KindInstant:
			in.Hint = "2026-03-14 or 2026-03-14T15:00:00Z"
		case route.KindInteger:
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

func (s *Server) explore(w http.ResponseWriter, r *http.Request, part string, more func(*explorerBody)) {
	if err := r.ParseForm(); err != nil {
		s.fail(w, r, http.StatusBadRequest, "That is no request", "Choose an operation.")
		return
	}
	b, err := s.exploreBody(r)
	if err != nil {
		s.fault(w, r, err)
		return
	}
	if more != nil {
		more(&b)
	}
	s.renderPart(w, r, http.StatusOK, "explorer", part, page{Title: "Explorer", Section: "explorer", Body: b})
}

// send signs the request with the key's secret, which stays on the server, and
// sends it, or shows a command that does.
func (s *Server) send(w http.ResponseWriter, r *http.Request) {
	s.explore(w, r, "layout", func(b *explorerBody) {
		secret, err := s.secretOf(r, b.Key)
		if err != nil {
			b.Sent = &sent{Trouble: err.Error()}
			return
		}
		if r.PostFormValue("do") == "curl" {
			b.Curl = s.curl(b, secret)
			return
		}
		b.Sent = s.sendOnce(r, b, secret)
	})
}

// secretOf opens the secret of a key.
func (s *Server) secretOf(r *http.Request, id string) (string, error) {
	k, err := s.options.Registry.Store.Get(r.Context(), id)
	if errors.Is(err, keys.ErrUnknown) {
		return "", errors.New("there is no key to sign with: make one under Keys")
	}
	if err != nil {
		s.options.Report(err)
		return "", errors.New("the key could not be read: the terminal of the console says why")
	}
	text, err := s.options.Registry.Sealer.Open(r.Context(), k.ID, k.Current.Sealed)
	switch {
	case errors.Is(err, keys.ErrSealed):
		return "", errors.New("the key's secret was sealed with another master key than this machine's: choose another key")
	case err != nil:
		s.options.Report(err)
		return "", errors.New("the key's secret could not be opened: the terminal of the console says why")
	}
	return string(text), nil
}

func (s *Server) sendOnce(r *http.Request, b *explorerBody, secret string) *sent {
	c, err := client.New(client.Config{BaseURL: b.BaseURL, KeyID: b.Key, Secret: client.Secret(secret), Now: s.options.Now})
	if err != nil {
		return &sent{Trouble: "the address of the service is not known: start the console with --base-url"}
	}
	response, err := c.Send(r.Context(), http.MethodGet, b.Target)
	if err != nil {
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
func (s *Server) curl(b *explorerBody, secret string) string {
	timestamp, nonce := strconv.FormatInt(s.options.Now().Unix(), 10), rand.Text()
	path, query, _ := strings.Cut(b.Target, "?")
	text, err := signing.Message{Method: http.MethodGet, Path: path, Query: query, Timestamp: timestamp, Nonce: nonce}.Canonical()
	if err != nil {
		return ""
	}
	quote := func(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
	return fmt.Sprintf("curl %s \\\n  -H '%s: %s' \\\n  -H '%s: %s' \\\n  -H '%s: %s' \\\n  -H '%s: %s'", quote(b.BaseURL+b.Target),
		signing.HeaderKey, b.Key, signing.HeaderTimestamp, timestamp, signing.HeaderNonce, nonce, signing.HeaderSignature, signing.Sign(secret, text))
}
