package openapi

import (
	"fmt"
	"strings"
)

// open makes the bodies of responses open (read-api, Versioning): objects may
// have more fields than the document knows, and sets more values. So a client
// that was generated from this version reads what a later one returns.
// Parameters stay as they are: the service refuses any other value.
func (d *Document) open() {
	seen := make(map[*Schema]bool)
	for _, s := range d.Components.Schemas.values {
		s.open(seen)
	}
	for _, item := range d.Paths.values {
		for _, r := range item.Get.Responses.values {
			for _, m := range r.Content.values {
				m.Schema.open(seen)
			}
		}
	}
}

// open opens the schema and all within it, each once.
func (s *Schema) open(seen map[*Schema]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	s.AdditionalProperties = nil
	if s.Enum != nil {
		s.Extensible = s.Enum
		s.Enum = nil
		if s.Extensible[len(s.Extensible)-1] == nil {
			s.Extensible = s.Extensible[:len(s.Extensible)-1] // null is in the type
		}
		s.Description = strings.TrimSpace(s.Description + " " + valuesSoFar(s.Extensible))
	}
	s.Items.open(seen)
	for _, one := range s.OneOf {
		one.open(seen)
	}
	for _, property := range s.Properties.values {
		property.open(seen)
	}
}

// valuesSoFar says in words what x-extensible-enum says: not every renderer shows
// that.
func valuesSoFar(values []any) string {
	var names []string
	for _, v := range values {
		names = append(names, fmt.Sprint(v))
	}
	return "Values so far: " + strings.Join(names, ", ") + "."
}
