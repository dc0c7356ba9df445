package kits

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"strings"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/openapi"
	"touchline/shared/route"
)

// postmanSign is the script that signs each request of the collection.
//
//go:embed files/postman.js
var postmanSign string

// The format of a collection, version 2.1, as far as it is used.
type (
	postmanCollection struct {
		Info     postmanInfo       `json:"info"`
		Item     []postmanFolder   `json:"item"`
		Event    []postmanEvent    `json:"event"`
		Variable []postmanVariable `json:"variable"`
	}
	postmanInfo struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Version     string `json:"version"`
		Schema      string `json:"schema"`
	}
	postmanFolder struct {
		Name string        `json:"name"`
		Item []postmanItem `json:"item"`
	}
	postmanItem struct {
		Name    string         `json:"name"`
		Request postmanRequest `json:"request"`
	}
	postmanRequest struct {
		Method      string     `json:"method"`
		Header      []struct{} `json:"header"`
		URL         postmanURL `json:"url"`
		Description string     `json:"description"`
	}
	postmanURL struct {
		Raw      string            `json:"raw"`
		Host     []string          `json:"host"`
		Path     []string          `json:"path"`
		Query    []postmanVariable `json:"query,omitempty"`
		Variable []postmanVariable `json:"variable,omitempty"`
	}
	postmanVariable struct {
		Key         string `json:"key"`
		Value       string `json:"value"`
		Description string `json:"description,omitempty"`
		Disabled    bool   `json:"disabled,omitempty"`
	}
	postmanEvent struct {
		Listen string        `json:"listen"`
		Script postmanScript `json:"script"`
	}
	postmanScript struct {
		Type string   `json:"type"`
		Exec []string `json:"exec"`
	}
)

// postman is a collection with a request for every route. Each is sent as its
// example is, with all other parameters listed but disabled.
func postman(baseURL string) []byte {
	c := postmanCollection{
		Info: postmanInfo{
			Name:        "Touchline",
			Description: "Every route of the API. Set keyId and secret in an environment of your own: the script of the collection signs each request with them.",
			Version:     openapi.Version,
			Schema:      "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
		},
		Event: []postmanEvent{{"prerequest", postmanScript{"text/javascript", strings.Split(strings.TrimRight(postmanSign, "\n"), "\n")}}},
		// Variables of an environment with the same names take precedence.
		// secret and keyId are not here, because collections are shared.
		Variable: []postmanVariable{{Key: "baseUrl", Value: baseURL}},
	}
	examples := openapi.Examples()
	table := groups.Table(endpoints.Deps{}) // only read
	for _, g := range route.Groups() {
		folder := postmanFolder{Name: string(g)}
		for o := range table.All() {
			if o.Group == g {
				folder.Item = append(folder.Item, postmanItem{strings.TrimSuffix(o.Summary, "."), postmanRequestOf(o, examples[o.Path].Target)})
			}
		}
		c.Item = append(c.Item, folder)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(c); err != nil {
		panic(err) // only strings, which always encode
	}
	return b.Bytes()
}

// postmanRequestOf is the request of the example of a route.
func postmanRequestOf(o *route.Operation, target string) postmanRequest {
	path, query, _ := strings.Cut(target, "?")
	sent := map[string]string{}
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		sent[name] = value
	}
	u := postmanURL{Host: []string{"{{baseUrl}}"}}
	values := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for i, segment := range strings.Split(strings.TrimPrefix(o.Path, "/"), "/") {
		name, variable := strings.CutPrefix(strings.TrimSuffix(segment, "}"), "{")
		if variable {
			u.Variable = append(u.Variable, postmanVariable{Key: name, Value: values[i]})
			segment = ":" + name
		}
		u.Path = append(u.Path, segment)
	}
	u.Raw = "{{baseUrl}}/" + strings.Join(u.Path, "/")
	for _, p := range o.Params {
		value, there := sent[p.Name]
		if !there {
			value = p.Default
		}
		u.Query = append(u.Query, postmanVariable{Key: p.Name, Value: value, Description: p.Summary, Disabled: !there})
		if there {
			u.Raw += map[bool]string{true: "?", false: "&"}[!strings.Contains(u.Raw, "?")] + p.Name + "=" + value
		}
	}
	var needs []string
	for _, s := range o.Scopes {
		needs = append(needs, string(s))
	}
	description := o.Summary
	if len(needs) > 0 {
		description += " Needs " + strings.Join(needs, " and ") + "."
	}
	return postmanRequest{Method: "GET", Header: []struct{}{}, URL: u, Description: description}
}
