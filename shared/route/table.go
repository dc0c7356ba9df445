package route

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"touchline/shared/sport"
)

// Prefix is what every path of the service begins with.
const Prefix = "/v1/"

// Alias is the first word of an organization's path (read-api, Aliases).
type Alias string

// The aliases.
const (
	Organizations Alias = "organizations"
	Federations   Alias = "federations"
	Associations  Alias = "associations"
	Clubs         Alias = "clubs"
)

// Aliases lists the words that {alias} stands for.
func Aliases() []Alias { return []Alias{Organizations, Federations, Associations, Clubs} }

// Type is that of the organizations that the alias addresses, empty: any. The
// response to one of another type is that to an unknown id.
func (a Alias) Type() sport.OrganizationType {
	switch a {
	case Federations:
		return sport.Federation
	case Associations:
		return sport.Association
	case Clubs:
		return sport.Club
	}
	return ""
}

// pattern is a Row.Path taken apart.
type pattern struct {
	heads []string // the first segment after Prefix; the aliases where it is {alias}
	alias bool     // the first segment is {alias}
	id    bool     // the second is {id}
	tail  string   // the third, empty: none
}

func parsePattern(path string) (pattern, error) {
	rest, ok := strings.CutPrefix(path, Prefix)
	if !ok {
		return pattern{}, errors.New("a path begins with " + Prefix)
	}
	segments := strings.Split(rest, "/")
	p := pattern{heads: segments[:1]}
	if segments[0] == "{alias}" {
		p.alias = true
		p.heads = nil
		for _, a := range Aliases() {
			p.heads = append(p.heads, string(a))
		}
	}
	if len(segments) > 1 {
		p.id = segments[1] == "{id}"
	}
	if len(segments) > 2 {
		p.tail = segments[2]
	}
	literals := append(slices.Clone(p.heads), p.tail)
	switch {
	case len(segments) > 3, len(segments) > 1 && !p.id, len(segments) == 3 && p.tail == "", p.heads[0] == "",
		slices.ContainsFunc(literals, func(s string) bool { return strings.ContainsAny(s, "{}%?") }):
		return pattern{}, errors.New("a path is /v1/name, /v1/name/{id} or /v1/name/{id}/name")
	case p.alias && !p.id:
		return pattern{}, errors.New("an {alias} needs an {id}")
	}
	return p, nil
}

// Table is the operations that a worker serves, or all of them.
type Table struct {
	operations []Operation
	byHead     map[string][]*Operation
}

// NewTable orders the operations as given. It panics where two have one path.
func NewTable(operations ...Operation) *Table {
	t := &Table{operations: slices.Clone(operations), byHead: make(map[string][]*Operation)}
	for i := range t.operations {
		o := &t.operations[i]
		for _, head := range o.pattern.heads {
			for _, other := range t.byHead[head] {
				if other.pattern.id == o.pattern.id && other.pattern.tail == o.pattern.tail {
					panic(fmt.Sprintf("route: %s and %s match the same path", other.Path, o.Path))
				}
			}
			t.byHead[head] = append(t.byHead[head], o)
		}
	}
	return t
}

// All yields the operations in order.
func (t *Table) All() iter.Seq[*Operation] {
	return func(yield func(*Operation) bool) {
		for i := range t.operations {
			if !yield(&t.operations[i]) {
				return
			}
		}
	}
}

// PathParams are the segments that a path's placeholders stand for, as they
// arrived.
type PathParams struct {
	Alias Alias
	ID    string
}

// Match finds the operation of a path, as it arrived and without the query.
func (t *Table) Match(path string) (*Operation, PathParams, bool) {
	rest, ok := strings.CutPrefix(path, Prefix)
	if !ok {
		return nil, PathParams{}, false
	}
	head, rest, hasID := strings.Cut(rest, "/")
	id, tail, hasTail := strings.Cut(rest, "/")
	if hasID && id == "" || hasTail && tail == "" {
		return nil, PathParams{}, false
	}
	for _, o := range t.byHead[head] {
		if o.pattern.id != hasID || o.pattern.tail != tail {
			continue
		}
		params := PathParams{ID: id}
		if o.pattern.alias {
			params.Alias = Alias(head)
		}
		return o, params, true
	}
	return nil, PathParams{}, false
}
