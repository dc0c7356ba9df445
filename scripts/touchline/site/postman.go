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

// jsonObject is a JSON object of a collection, format 2.1.
type jsonObject = map[string]any

// postman is a collection with a request for every route. Each is sent with the
// parameters of its example, and with all others listed but disabled. Ids are
// variables, which earlier requests set: the organization's comes from ping. So
// the whole collection runs against any federation.
func postman(baseURL string) []byte {
	// Variables of an environment with the same names take precedence.
	// secret and keyId are not here, because collections are shared.
	variables := []jsonObject{{"key": "baseUrl", "value": baseURL}}
	for _, id := range []string{"organizationId", "competitionId", "matchId", "teamId", "playerId"} {
		variables = append(variables, jsonObject{"key": id, "value": "", "description": "Set by the responses."})
	}
	var folders []jsonObject
	examples := openapi.Examples()
	table := groups.Table(endpoints.Deps{}) // only read
	for _, g := range route.Groups() {
		var items []jsonObject
		for o := range table.All() {
			if o.Group == g {
				items = append(items, jsonObject{"name": strings.TrimSuffix(o.Summary, "."), "request": postmanRequest(o, examples[o.Path].Target)})
			}
		}
		folders = append(folders, jsonObject{"name": string(g), "item": items})
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(jsonObject{
		"info": jsonObject{
			"name":        "Touchline",
			"description": "Every route of the API. Set keyId and secret in an environment of your own: the script of the collection signs each request with them. Send Ping first, then go down, or run the whole collection: the ids in a response are kept in variables for the requests that follow.",
			"version":     openapi.Version,
			"schema":      "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
		},
		"item":     folders,
		"event":    []jsonObject{postmanEvent("prerequest", postmanSign), postmanEvent("test", postmanKeep)},
		"variable": variables,
	})
	if err != nil {
		panic(err) // only strings, which always encode
	}
	return b.Bytes()
}

func postmanEvent(listen, script string) jsonObject {
	return jsonObject{"listen": listen, "script": jsonObject{"type": "text/javascript", "exec": strings.Split(strings.TrimRight(script, "\n"), "\n")}}
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

// postmanRequest is the request to a route, like that of its example.
func postmanRequest(o *route.Operation, target string) jsonObject {
	sent := postmanValues(o, target)
	values := map[string]string{"alias": "organizations", "id": map[route.Group]string{
		route.GroupOrganizations: "{{organizationId}}", route.GroupTournaments: "{{competitionId}}",
		route.GroupMatches: "{{matchId}}", route.GroupTeams: "{{teamId}}", route.GroupPlayers: "{{playerId}}",
	}[o.Group]}
	var path []string
	var variables, query []jsonObject
	for segment := range strings.SplitSeq(strings.TrimPrefix(o.Path, "/"), "/") {
		name, variable := strings.CutPrefix(strings.TrimSuffix(segment, "}"), "{")
		if variable {
			variables = append(variables, jsonObject{"key": name, "value": values[name]})
			segment = ":" + name
		}
		path = append(path, segment)
	}
	var pairs []string
	for _, p := range o.Params {
		value, there := sent[p.Name]
		if !there {
			value = p.Default
		}
		query = append(query, jsonObject{"key": p.Name, "value": value, "description": p.Summary, "disabled": !there})
		if there {
			pairs = append(pairs, p.Name+"="+value)
		}
	}
	raw, description := "{{baseUrl}}/"+strings.Join(path, "/"), o.Summary
	if pairs != nil {
		raw += "?" + strings.Join(pairs, "&")
	}
	var needs []string
	for _, s := range o.Scopes {
		needs = append(needs, string(s))
	}
	if needs != nil {
		description += " Needs " + strings.Join(needs, " and ") + "."
	}
	u := jsonObject{"raw": raw, "host": []string{"{{baseUrl}}"}, "path": path}
	if query != nil {
		u["query"] = query
	}
	if variables != nil {
		u["variable"] = variables
	}
	return jsonObject{"method": "GET", "header": []jsonObject{}, "url": u, "description": description}
}
