package jsonl

import "slices"

// Column is a field as a sheet has it. A nested field is a column for each of its parts.
type Column struct {
	Path       string // such as score.home
	In         string // the list of objects of each of which it is a field; empty: of none
	Holds      Cell
	Values     []string // those that a text can have; nil: any
	Identifies bool     // without it no row says whose it is
	Needed     bool     // every record has it
	// LookedUp: by its name, or in it, another record is found; it is not a field.
	LookedUp bool
	// Or are columns in the place of one that identifies: one of each list.
	Or [][]string
}

// Cell is what the cells of a column hold.
type Cell uint8

// What a cell can hold. A list separates its elements by "|".
const (
	TextCell Cell = iota
	NumberCell
	TruthCell
	ListCell
)

// IsNumber reports whether a cell is a number by itself.
func (c Column) IsNumber() bool { return c.Holds == NumberCell && c.In == "" }

// Choices are all values that a cell can have, nil where it can have any.
func (c Column) Choices() []string {
	switch {
	case c.In != "":
		return nil
	case c.Holds == TruthCell:
		return []string{"true", "false"}
	}
	return c.Values
}

// Shape says what the cells of a value are. The zero value is one text.
type Shape struct {
	cell   Column
	parts  func() []Column // of an object
	isList bool            // of objects
}

// Columns are those of the fields of an object, in their order.
func Columns[T any](fields []Field[T]) []Column {
	var all []Column
	for i := range fields {
		all = append(all, fields[i].shape.columns(fields[i].name, fields[i].rule)...)
	}
	return all
}

func (s *Shape) columns(name string, r rule) []Column {
	if s.parts == nil {
		c := s.cell
		c.Path, c.Identifies, c.Needed = name, r == identifying, r == required || r == narrowing
		return []Column{c}
	}
	all := slices.Clone(s.parts())
	for i := range all {
		c := &all[i]
		if c.Path, c.Identifies, c.Needed = name+"."+c.Path, false, false; s.isList {
			c.In = name
		} else if c.In != "" {
			c.In = name + "." + c.In
		}
	}
	return all
}
