package jsonl

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"touchline/shared/sport"
)

// Value is how the value of a field is read and written.
type Value[V any] struct {
	// Read is called with the path at the value, and not for null.
	Read func(*Line) V
	// Append appends the value as JSON.
	Append func([]byte, V) []byte
	// None reports whether an optional field with the value is left out when it is
	// written; nil: it never is.
	None func(V) bool
	// Shape says what its cells in a sheet are.
	Shape Shape
}

// ReadBy is the value with another reader.
func (value Value[V]) ReadBy(read func(*Line) V) Value[V] {
	value.Read = read
	return value
}

// AsOneCell is the value as a list of texts in one cell of a sheet.
func (value Value[V]) AsOneCell() Value[V] {
	value.Shape = Shape{cell: Column{Holds: ListCell}}
	return value
}

// Field is one field of a JSON object that is read into a T, and written from one.
type Field[T any] struct {
	name  string
	rule  rule
	kind  sport.Kind // of the record that an identifying field is the id of
	shape Shape

	read   func(*Line, *T)
	append func([]byte, *T) []byte
	none   func(*T) bool     // nil for an id
	copy   func(to, from *T) // nil for an id
}

// rule says whether a field must be there.
type rule uint8

const (
	optional rule = iota
	required
	nullable
	identifying
	narrowing
	deletion
)

func field[T, V any](name string, r rule, value Value[V], at func(*T) *V) Field[T] {
	return Field[T]{
		name: name, rule: r, shape: value.Shape,
		read:   func(l *Line, t *T) { *at(t) = value.Read(l) },
		append: func(dst []byte, t *T) []byte { return value.Append(dst, *at(t)) },
		none:   func(t *T) bool { return value.None != nil && value.None(*at(t)) },
		copy:   func(to, from *T) { *at(to) = *at(from) },
	}
}

// Required is a field that must be there, and must not be in a deletion.
func Required[T, V any](name string, value Value[V], at func(*T) *V) Field[T] {
	return field(name, required, value, at)
}

// Nullable is a field that must be there and may be null. It is not one of a record.
func Nullable[T, V any](name string, value Value[V], at func(*T) *V) Field[T] {
	return field(name, nullable, value, at)
}

// Optional is a field that may be left out or null; a deletion must not have it.
func Optional[T, V any](name string, value Value[V], at func(*T) *V) Field[T] {
	return field(name, optional, value, at)
}

// Identifying is a field that must be there, in a deletion too.
func Identifying[T, V any](name string, value Value[V], at func(*T) *V) Field[T] {
	return field(name, identifying, value, at)
}

// Narrowing is a field that must be there, but may be left out of a deletion,
// which then deletes more.
func Narrowing[T, V any](name string, value Value[V], at func(*T) *V) Field[T] {
	return field(name, narrowing, value, at)
}

// Deletion is a field that makes a record a deletion.
func Deletion[T any](name string, at func(*T) *bool) Field[T] {
	return field(name, deletion, Bool(), at)
}

// ID is the identifying field of a record of a kind: its id, and the key as it is given.
// The id is written where there is no key.
func ID[T any](name string, kind sport.Kind, at func(*T) (*sport.ID, *string)) Field[T] {
	return Field[T]{
		name: name, rule: identifying, kind: kind,
		read: func(l *Line, t *T) {
			id, key := at(t)
			*id, *key = l.ID(kind)
		},
		append: func(dst []byte, t *T) []byte {
			id, key := at(t)
			return quoted(dst, cmp.Or(*key, string(*id)))
		},
	}
}

// Copy copies the fields that have been read of an object to another.
func Copy[T any](fields []Field[T], read Seen, to, from *T) {
	for i, f := range fields {
		if read.has(i) {
			f.copy(to, from)
		}
	}
}

// Differ calls report for the fields that were read and that two values have different, each
// as it is written; "nothing" is what has no value.
func Differ[T any](fields []Field[T], read Seen, a, b *T, report func(name, a, b string)) {
	for i, f := range fields {
		text := func(v *T) string {
			if f.none(v) {
				return "nothing"
			}
			return string(f.append(nil, v))
		}
		if read.has(i) && text(a) != text(b) {
			report(f.name, text(a), text(b))
		}
	}
}

// AppendRecord writes the object that is a whole line. Of a deletion it writes what
// identifies it, and the first field of [Deletion].
func AppendRecord[T any](dst []byte, fields []Field[T], v *T, deleted bool) []byte {
	if deleted {
		last := slices.IndexFunc(fields, func(f Field[T]) bool { return f.rule == deletion })
		fields = slices.DeleteFunc(slices.Clone(fields[:last+1]), func(f Field[T]) bool { return f.rule == optional || f.rule == required })
		fields[len(fields)-1].rule = required
	}
	return AppendObject(dst, fields, v)
}

// AppendObject writes an object. Optional fields with their default are left out.
func AppendObject[T any](dst []byte, fields []Field[T], v *T) []byte {
	dst = append(dst, '{')
	begin := len(dst)
	for _, f := range fields {
		if f.rule == deletion || (f.rule == optional || f.rule == narrowing) && f.none(v) {
			continue
		}
		if len(dst) > begin {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), f.name...), '"', ':')
		if f.rule == nullable && f.none(v) {
			dst = append(dst, "null"...)
		} else {
			dst = f.append(dst, v)
		}
	}
	return append(dst, '}')
}

// quoted writes a JSON string. A string that is not UTF-8 cannot come from a dataset;
// its faulty bytes are replaced.
func quoted[S ~string](dst []byte, v S) []byte {
	dst, _ = jsontext.AppendQuote(dst, string(v))
	return dst
}

func isZero[V comparable](v V) bool {
	var zero V
	return v == zero
}

// String is the value that a function reads as a string.
func String[S ~string](read func(*Line) S) Value[S] {
	return Value[S]{Read: read, Append: quoted[S], None: isZero[S]}
}

// Text is a string of 1 to limit characters.
func Text(limit int) Value[string] {
	return String(func(l *Line) string { return l.Text(limit) })
}

// URL is an absolute http or https URL.
func URL() Value[string] { return String((*Line).URL) }

// OneOf is one of the allowed strings.
func OneOf[S ~string](allowed []S) Value[S] {
	value := String(func(l *Line) S { return Enum(l, allowed) })
	value.Shape.cell.Values = texts(allowed)
	return value
}

// Ref is a reference to a record of a kind.
func Ref(kind sport.Kind) Value[sport.ID] {
	return String(func(l *Line) sport.ID { return l.Ref(kind) })
}

// Integer is an integer within bounds.
func Integer(least, most int) Value[int] {
	return Value[int]{
		Read:   func(l *Line) int { return l.Integer(least, most) },
		Append: func(dst []byte, v int) []byte { return strconv.AppendInt(dst, int64(v), 10) },
		None:   isZero[int],
		Shape:  Shape{cell: Column{Holds: NumberCell}},
	}
}

// Count is an integer from 0.
func Count() Value[int] { return Integer(0, MaxInt) }

// Bool is true or false.
func Bool() Value[bool] {
	return Value[bool]{(*Line).Bool, strconv.AppendBool, isZero[bool], Shape{cell: Column{Holds: TruthCell}}}
}

// Default is a value that is left out where it is the default.
func Default[V comparable](value Value[V], byDefault V) Value[V] {
	value.None = func(v V) bool { return isZero(v) || v == byDefault }
	return value
}

// Always is a value that is written whatever it is.
func Always[V any](value Value[V]) Value[V] {
	value.None = nil
	return value
}

// Pointer is a value behind a pointer: nil where it is not given.
func Pointer[V any](value Value[V]) Value[*V] {
	return Value[*V]{
		Read: func(l *Line) *V {
			v := value.Read(l)
			return &v
		},
		Append: func(dst []byte, v *V) []byte { return value.Append(dst, *v) },
		None:   func(v *V) bool { return v == nil },
		Shape:  value.Shape,
	}
}

// Struct is an object.
func Struct[T any](fields []Field[T]) Value[T] {
	return Value[T]{
		Read: func(l *Line) T {
			var v T
			ReadObject(l, fields, &v)
			return v
		},
		Append: func(dst []byte, v T) []byte { return AppendObject(dst, fields, &v) },
		Shape:  Shape{parts: func() []Column { return Columns(fields) }},
	}
}

// ListOf is a list of at most most elements. Check, where it is given, looks at an
// element beside those before it, with the path at the element.
func ListOf[V any](most int, of Value[V], check func(l *Line, before []V, v *V)) Value[[]V] {
	return Value[[]V]{
		Read: func(l *Line) []V {
			var all []V
			l.List(most, func(int) {
				n := len(all)
				if all = append(all, of.Read(l)); check != nil {
					check(l, all[:n], &all[n])
				}
			})
			return all
		},
		Append: func(dst []byte, all []V) []byte {
			dst = append(dst, '[')
			for i, v := range all {
				if i > 0 {
					dst = append(dst, ',')
				}
				dst = of.Append(dst, v)
			}
			return append(dst, ']')
		},
		None:  func(all []V) bool { return len(all) == 0 },
		Shape: Shape{cell: Column{Holds: ListCell}, parts: of.Shape.parts, isList: true},
	}
}
