package openapi

import (
	"bytes"
	"encoding/json"
	"iter"

	"touchline/shared/route"
)

// Ordered is a JSON object whose members keep the order in which they were
// added: paths that of the contract, fields that of the responses.
type Ordered[T any] struct {
	names  []string
	values map[string]T
}

// set adds a member, or replaces it in place.
func (o *Ordered[T]) set(name string, value T) {
	if o.values == nil {
		o.values = make(map[string]T)
	}
	if _, there := o.values[name]; !there {
		o.names = append(o.names, name)
	}
	o.values[name] = value
}

// Has reports whether a member is there.
func (o Ordered[T]) Has(name string) bool {
	_, there := o.values[name]
	return there
}

// At is a member; the zero value for one that is not there.
func (o Ordered[T]) At(name string) T { return o.values[name] }

// All yields the members in order.
func (o Ordered[T]) All() iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		for _, name := range o.names {
			if !yield(name, o.values[name]) {
				return
			}
		}
	}
}

// IsZero implements omitzero.
func (o Ordered[T]) IsZero() bool { return len(o.names) == 0 }

// MarshalJSON writes the members in order.
func (o Ordered[T]) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range o.names {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := route.JSON(name)
		if err != nil {
			return nil, err
		}
		value, err := route.JSON(o.values[name])
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

// UnmarshalJSON reads the members in order.
func (o *Ordered[T]) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	_, err := d.Token()
	for err == nil && d.More() {
		var name json.Token
		var value T
		if name, err = d.Token(); err == nil {
			if err = d.Decode(&value); err == nil {
				o.set(name.(string), value)
			}
		}
	}
	return err
}
