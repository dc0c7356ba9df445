package openapi

import (
	"bytes"
	"encoding/json"
)

// ordered is a JSON object whose members keep the order in which they were
// added: paths that of the contract, fields that of the responses.
type ordered[T any] struct {
	names  []string
	values map[string]T
}

// set adds a member, or replaces it in place.
func (o *ordered[T]) set(name string, value T) {
	if o.values == nil {
		o.values = make(map[string]T)
	}
	if _, there := o.values[name]; !there {
		o.names = append(o.names, name)
	}
	o.values[name] = value
}

func (o *ordered[T]) has(name string) bool {
	_, there := o.values[name]
	return there
}

// IsZero implements omitzero.
func (o ordered[T]) IsZero() bool { return len(o.names) == 0 }

// MarshalJSON writes the members in order.
func (o ordered[T]) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range o.names {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := encode(name)
		if err != nil {
			return nil, err
		}
		value, err := encode(o.values[name])
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// encode writes JSON without HTML escaping and without a final line feed.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
