package site

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
//go:embed kits/postman.js
var postmanSign string

// postmanKeep is the script that keeps ids of responses in variables.
//
//go:embed kits/postman-keep.js
var postmanKeep string

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

// postman is a collection with a request for every route. Each is sent with the
// parameters of its example, and with all others listed but disabled. Ids are
// variables, which earlier requests set: the organization's comes from ping. So
// the whole collection runs against any federation.
func postman(baseURL string) []byte {
	c := postmanCollection{
		Info: postmanInfo{
			Name:        "Touchline",
			Description: "Every route of the API. Set keyId and secret in an environment of your own: the script of the collection signs each request with them. Send Ping first, then go down, or run the whole collection: the ids in a response are kept in variables for the requests that follow.",
			Version:     openapi.Version,
			Schema:      "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
		},
		Event: []postmanEvent{postmanEventOf("prerequest", postmanSign), postmanEventOf("test", postmanKeep)},
		// Variables of an environment with the same names take precedence.
		// secret and keyId are not here, because collections are shared.
		Variable: []postmanVariable{{Key: "baseUrl", Value: baseURL}},
	}
	for _, id := range []string{"organizationId", "competitionId", "matchId", "teamId", "playerId"} {
		c.Variable = append(c.Variable, postmanVariable{Key: id, Description: "Set by the responses."})
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

func postmanEventOf(listen, script string) postmanEvent {
	return postmanEvent{listen, postmanScript{"text/javascript", strings.Split(strings.TrimRight(script, "\n"), "\n")}}
}

// postmanValues are the values of the parameters that are sent.
func postmanValues(o *route.Operation, target string) map[string]string {
	_, query, _ := strings.Cut(target, "?")
	sent := map[string]string{}
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		if strings.HasSuffix(name, "Id") {
			value = "{{" + name + "}}"
		}
		sent[name] = value
	}
	for _, p := range o.Params {
		if p.Name == "includeDescendants" {
			sent[p.Name] = "true"
		}
	}
	return sent
}

// postmanRequestOf is the request to a route, like that of its example.
func postmanRequestOf(o *route.Operation, target string) postmanRequest {
	sent := postmanValues(o, target)
	values := map[string]string{"alias": "organizations", "id": map[route.Group]string{
		route.GroupOrganizations: "{{organizationId}}", route.GroupTournaments: "{{competitionId}}",
		route.GroupMatches: "{{matchId}}", route.GroupTeams: "{{teamId}}", route.GroupPlayers: "{{playerId}}",
	}[o.Group]}
	u := postmanURL{Host: []string{"{{baseUrl}}"}}
	for segment := range strings.SplitSeq(strings.TrimPrefix(o.Path, "/"), "/") {
		name, variable := strings.CutPrefix(strings.TrimSuffix(segment, "}"), "{")
		if variable {
			u.Variable = append(u.Variable, postmanVariable{Key: name, Value: values[name]})
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
