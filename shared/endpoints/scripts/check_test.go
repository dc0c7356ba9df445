package scripts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"touchline/shared/openapi"
	"touchline/shared/route"
)

// Exchange is a request and its answer, as they went over the wire; headers are
// as net/http keeps them, their names in its canonical form.
type Exchange struct {
	Method string
	Target string      // path, and the query after a question mark
	Sent   http.Header // of the request; nil: not judged
	Status int
	Header http.Header
	Body   []byte
}

// contentType is that of every answer with a body, and of the answers to HEAD
// (D4).
const contentType = "application/json; charset=utf-8"

// Check reports everything in which the response, or the request that got it
// 200, is not as documented.
func (d *Document) Check(x Exchange) error {
	path, query, _ := strings.Cut(x.Target, "?")
	operation, params, matched := d.routes.Match(path)
	status := strconv.Itoa(x.Status)
	answer, at, err := d.find(x.Method, operation, matched, status)
	if err != nil {
		return fmt.Errorf("%s %s: %w", x.Method, x.Target, err)
	}
	faults := []error{d.checkHeaders(answer, at, x.Header), d.checkContent(answer, at, x)}
	if matched && x.Status == http.StatusOK {
		faults = append(faults, d.checkRequest(operation.Path, params, query))
		if x.Sent != nil {
			faults = append(faults, d.checkSigned(operation.Path, x.Sent))
		}
	}
	if matched {
		d.see(x.Method, operation.Path, status)
	}
	if err := errors.Join(faults...); err != nil {
		return fmt.Errorf("%s %s: %s: %w", x.Method, x.Target, status, err)
	}
	return nil
}

// find returns the documented answer and where it lies in the document.
func (d *Document) find(method string, o *route.Operation, matched bool, status string) (openapi.Response, string, error) {
	name := ""
	switch {
	case method == http.MethodOptions:
		name = map[string]string{"204": "Options"}[status]
	case method != http.MethodGet && method != http.MethodHead:
		name = map[string]string{"405": "MethodNotAllowed"}[status]
	case !matched:
		name = map[string]string{"400": "BadRequest", "404": "UnknownPath", "500": "InternalError"}[status]
		if name != "" && method == http.MethodHead {
			name += "OnHead"
		}
	default:
		if !d.object.Paths.Has(o.Path) {
			return openapi.Response{}, "", fmt.Errorf("%s is not documented", o.Path)
		}
		item := d.object.Paths.At(o.Path)
		responses, key := item.Get.Responses, "get"
		if method == http.MethodHead {
			responses, key = item.Head.Responses, "head"
		}
		if !responses.Has(status) {
			return openapi.Response{}, "", fmt.Errorf("status %s is not documented", status)
		}
		r, at := d.response(responses.At(status), pointer("paths", o.Path, key, "responses", status))
		return r, at, nil
	}
	if !d.object.Components.Responses.Has(name) {
		return openapi.Response{}, "", fmt.Errorf("status %s is not documented", status)
	}
	return d.object.Components.Responses.At(name), pointer("components", "responses", name), nil
}

// frontDoor are the headers that front doors add of their own.
func frontDoor() []string {
	return []string{"Connection", "Content-Length", "Content-Type", "Date", "Keep-Alive", "Server", "Transfer-Encoding"}
}

func (d *Document) checkHeaders(r openapi.Response, at string, sent http.Header) error {
	var faults []error
	names := frontDoor()
	for name, h := range r.Headers.All() {
		names = append(names, http.CanonicalHeaderKey(name))
		h, at := d.header(h, at+pointer("headers", name))
		values := sent.Values(name)
		switch {
		case len(values) > 1:
			faults = append(faults, fmt.Errorf("header %s is there %d times", name, len(values)))
		case len(values) == 0 && h.Required:
			faults = append(faults, fmt.Errorf("header %s is missing", name))
		case len(values) == 1:
			if err := d.validate(at+pointer("schema"), instance(h.Schema.Type, values[0])); err != nil {
				faults = append(faults, fmt.Errorf("header %s: %w", name, err))
			}
		}
	}
	for name := range sent {
		if !slices.Contains(names, http.CanonicalHeaderKey(name)) {
			faults = append(faults, fmt.Errorf("header %s is not documented", name))
		}
	}
	return errors.Join(faults...)
}

func (d *Document) checkContent(r openapi.Response, at string, x Exchange) error {
	got, want := x.Header.Get("Content-Type"), contentType
	if x.Method == http.MethodOptions {
		want = ""
	}
	var fault error
	if got != want {
		fault = fmt.Errorf("Content-Type is %q, not %q", got, want)
	}
	return errors.Join(fault, d.checkBody(r, at, x.Body))
}

func (d *Document) checkBody(r openapi.Response, at string, body []byte) error {
	if r.Content.IsZero() {
		if len(body) > 0 {
			return errors.New("there is a body")
		}
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("the body is not JSON: %w", err)
	}
	if err := d.validate(at+pointer("content", "application/json", "schema"), value); err != nil {
		return fmt.Errorf("the body: %w", err)
	}
	return nil
}

// checkRequest holds what the service accepted against the parameters.
func (d *Document) checkRequest(path string, params route.PathParams, query string) error {
	var faults []error
	check := func(in, name, value string) {
		parameters := d.object.Paths.At(path).Parameters
		i := slices.IndexFunc(parameters, func(p openapi.Parameter) bool { return p.In == in && p.Name == name })
		if i < 0 {
			faults = append(faults, fmt.Errorf("%s parameter %q is not documented", in, name))
			return
		}
		at := pointer("paths", path, "parameters", strconv.Itoa(i), "schema")
		if err := d.validate(at, instance(parameters[i].Schema.Type, value)); err != nil {
			faults = append(faults, fmt.Errorf("%s parameter %s: %w", in, name, err))
		}
	}
	if params.Alias != "" {
		check("path", "alias", string(params.Alias))
	}
	if params.ID != "" {
		check("path", "id", params.ID)
	}
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		key, value, _ := strings.Cut(part, "=")
		key, errKey := url.PathUnescape(key) // a plus is a plus (D11)
		value, errValue := url.PathUnescape(value)
		if err := errors.Join(errKey, errValue); err != nil {
			faults = append(faults, err)
			continue
		}
		check("query", key, value)
	}
	return errors.Join(faults...)
}

// checkSigned looks for the headers of the security schemes.
func (d *Document) checkSigned(path string, sent http.Header) error {
	var faults []error
	for _, requirement := range d.object.Paths.At(path).Get.Security {
		for scheme := range requirement.All() {
			name := d.object.Components.SecuritySchemes.At(scheme).Name
			if len(sent.Values(name)) != 1 {
				faults = append(faults, fmt.Errorf("request header %q is there %d times", name, len(sent.Values(name))))
			}
		}
	}
	return errors.Join(faults...)
}

// instance is a text as a value of the type that a schema names, or the text
// itself if it is not one.
func instance(schemaType any, text string) any {
	switch schemaType {
	case "integer":
		if n, ok := new(big.Int).SetString(text, 10); ok && n.String() == text {
			return json.Number(text)
		}
	case "boolean":
		if text == "true" || text == "false" {
			return text == "true"
		}
	}
	return text
}
