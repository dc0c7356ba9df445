package openapi

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"touchline/shared/route"
	"touchline/shared/sport"
)

// item is an operation of the table as GET and as HEAD.
func item(o *route.Operation, types *catalog, answers *answers) pathItem {
	get := operation{
		Tags:        []string{string(o.Group)},
		OperationID: operationID(o),
		Summary:     strings.TrimSuffix(o.Summary, "."),
		Description: describe(o),
		Security:    signed(o.Scopes),
	}
	head := get
	head.OperationID = "head" + strings.TrimLeft(get.OperationID, "abcdefghijklmnopqrstuvwxyz")
	head.Summary += ", without the body"

	const good = "200"
	get.Responses.set(good, Response{
		Description: o.Summary, Headers: headersOf(after, goodHeaders...), Content: bodies(types.of(o.ReplyType), Ordered[exampleOfError]{}),
	})
	head.Responses.set(good, Response{Description: o.Summary, Headers: headersOf(after, append(goodHeaders[:len(goodHeaders):len(goodHeaders)], "Content-Length")...)})
	for _, r := range refusals(o) {
		answers.add(r)
		get.Responses.set(r.status(), Response{Ref: "#/components/responses/" + r.Name})
		head.Responses.set(r.status(), Response{Ref: "#/components/responses/" + r.Name + onHead})
	}
	return pathItem{Parameters: append(pathParameters(o.Path), queryParameters(o)...), Get: get, Head: &head}
}

// operationID is list if paged and get otherwise, then the resource, then the
// part of it: listTournamentTopScorers.
func operationID(o *route.Operation) string {
	name := strings.Builder{}
	name.WriteString("get")
	if hasParams(o, "page") {
		name.Reset()
		name.WriteString("list")
	}
	name.WriteString(resource(o.Group))
	segments := strings.Split(strings.TrimPrefix(o.Path, route.Prefix), "/")
	for _, segment := range segments[1:] {
		if segment == "{id}" {
			continue
		}
		for word := range strings.SplitSeq(segment, "-") {
			name.WriteString(capital(word))
		}
	}
	return name.String()
}

// resource is the name of one resource of a group, whose own name is that of many.
func resource(g route.Group) string {
	one := strings.TrimSuffix(string(g), "s")
	if g == route.GroupMatches {
		one = "match"
	}
	return capital(one)
}

// describe is what the row of the table says besides its summary.
func describe(o *route.Operation) string {
	var says []string
	switch len(o.Scopes) {
	case 0:
		says = append(says, "Needs no scope.")
	case 1:
		says = append(says, fmt.Sprintf("Needs the scope %s.", o.Scopes[0]))
	default:
		var names []string
		for _, s := range o.Scopes {
			names = append(names, string(s))
		}
		says = append(says, fmt.Sprintf("Needs the scopes %s, all of them.", strings.Join(names, " and ")))
	}
	if o.Cache > 0 {
		says = append(says, fmt.Sprintf("Answers are at most %d seconds old.", o.Cache/time.Second))
	} else {
		says = append(says, "Never cached.")
	}
	if o.Window {
		says = append(says, fmt.Sprintf("page * limit is at most %d.", route.PageWindow))
	}
	return strings.Join(says, " ")
}

func hasID(path string) bool { return strings.Contains(path, "{id}") }

// hasParams reports whether the operation has all the parameters.
func hasParams(o *route.Operation, names ...string) bool {
	for _, name := range names {
		if !slices.ContainsFunc(o.Params, func(p route.Param) bool { return p.Name == name }) {
			return false
		}
	}
	return true
}

func pathParameters(path string) []Parameter {
	var all []Parameter
	add := func(name, description string, s *Schema) {
		all = append(all, Parameter{Name: name, In: "path", Description: description, Required: true, Schema: s})
	}
	if strings.Contains(path, "{alias}") {
		add("alias", "The type that the organization has to be of; organizations: any.", stringIn(route.Aliases()...))
	}
	if hasID(path) {
		add("id", "24 lower-case hex digits.", &Schema{Type: typeString, Pattern: idPattern})
	}
	return all
}

func queryParameters(o *route.Operation) []Parameter {
	var all []Parameter
	for _, p := range o.Params {
		all = append(all, Parameter{Name: p.Name, In: "query", Description: p.Summary, Schema: parameterSchema(o, p)})
	}
	return all
}

// parameterSchema is the schema of a parameter, with its default.
func parameterSchema(o *route.Operation, p route.Param) *Schema {
	s := &Schema{}
	if p.Default != "" {
		s.Default = p.Default
	}
	switch p.Form {
	case route.FormInteger:
		s.Type, s.Minimum = typeInteger, new(p.Min)
		if p.Max > 0 {
			s.Maximum = new(p.Max)
		}
		if p.Name == "page" && o.Window {
			s.Maximum = new(route.PageWindow) // with a limit of 1
		}
		if n := 0; p.Default != "" {
			_, _ = fmt.Sscan(p.Default, &n) // route.Define has checked it
			s.Default = n
		}
	case route.FormBoolean:
		s.Type = typeBoolean
		if p.Default != "" {
			s.Default = p.Default == "true"
		}
	case route.FormEnum:
		s.Type, s.Enum = typeString, stringIn(p.Enum...).Enum
	case route.FormIdentifier:
		s.Type, s.Pattern = typeString, idPattern
	case route.FormInstant:
		s.Type, s.Pattern = typeString, sport.StampPattern
	default:
		panic(fmt.Sprintf("openapi: parameter %s is of an unknown form %q", p.Name, p.Form))
	}
	return s
}
