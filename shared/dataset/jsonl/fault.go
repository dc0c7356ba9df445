package jsonl

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"touchline/shared/dataset/files"
)

// Origin is the place of a record: the file's name in its folder and the line,
// counted from 1.
type Origin struct {
	File string
	Line int
}

// Fault is one thing wrong with a dataset.
type Fault struct {
	File    string `json:"file"`
	Line    int    `json:"line"`            // from 1; 0: the file itself, or without one the dataset
	Field   string `json:"field,omitempty"` // such as lineups.home.starting[3].playerId, in a sheet its heading; empty: the whole line
	Cell    string `json:"cell,omitempty"`  // of a workbook, such as matches!F2
	Message string `json:"message"`         // reads on after the field: "must be a string"
	// Times is how often there is one of its Kind; 0: once. Also are the next lines
	// with one.
	Times int   `json:"times,omitempty"`
	Also  []int `json:"also,omitempty"`
	// Kind is what Message has in common with others that are listed once; empty: all of it.
	Kind string `json:"-"`
	// Note: it is a warning that a strict reader takes for none.
	Note bool `json:"note,omitempty"`
}

// Error gives the fault in one line, file and line first, where it has them.
func (f Fault) Error() string {
	place := f.File
	if f.Line > 0 {
		place = fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	if f.Field != "" {
		place += ": " + f.Field
	}
	if f.Cell != "" {
		place += " (" + f.Cell + ")"
	}
	if place != "" {
		place += ": "
	}
	// A file's name, and what it holds, could move the cursor of a terminal.
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '\uFFFD'
		}
		return r
	}, place+f.Text())
}

// Text is the message, and on which other lines there is one of the kind.
func (f Fault) Text() string {
	if f.Times == 0 {
		return f.Message
	}
	const most = 3 // lines that are named
	var also []string
	for _, line := range f.Also[:min(len(f.Also), most)] {
		also = append(also, strconv.Itoa(line))
	}
	if more := f.Times - 1 - len(also); more > 0 {
		also = append(also, strconv.Itoa(more)+" more")
	}
	return fmt.Sprintf("%s (%d times: also on line %s)", f.Message, f.Times, strings.Join(also, ", "))
}

// kept is how many faults are kept, and how many warnings: enough to mend a dataset by,
// few enough to read.
const kept = 100

// Faults are the faults of a dataset, sorted by the order of the files, then by
// line. They are an error: a dataset with faults is not loaded.
type Faults struct {
	List []Fault `json:"faults"`         // the first ones
	More int     `json:"more,omitempty"` // how many were found beyond List
	// Warnings were found as well; nil: none.
	Warnings *Warnings `json:"warnings,omitempty"`

	files int // how many are of whole files
}

// Add puts a fault in its place. One of a sheet is counted with that of its kind on the same
// field: of a value that is not what it must be the first is shown.
func (f *Faults) Add(fault Fault) {
	if !files.IsSheet(fault.File) {
		f.List, f.More = insert(f.List, f.More, fault)
		return
	}
	f.List, f.More = add(f.List, f.More, fault)
}

// AddFile adds a fault of a file that is not read, or not to its end.
func (f *Faults) AddFile(fault Fault) {
	f.files++
	f.Add(fault)
}

// Merge adds the faults and warnings of another list; nil adds none.
func (f *Faults) Merge(other *Faults) {
	if other == nil {
		return
	}
	for _, fault := range other.List {
		f.Add(fault)
	}
	f.More += other.More
	f.files += other.files
	f.Warnings = f.Warnings.With(other.Warnings)
}

// Count is the number of faults found.
func (f *Faults) Count() int {
	if f == nil {
		return 0
	}
	return count(f.List, f.More)
}

// OfFiles reports whether a file is at fault as a whole: one that was not read.
// Then nobody knows what is missing, and the records that could be read are no
// good part.
func (f *Faults) OfFiles() bool { return f != nil && f.files > 0 }

// Error gives the faults, one a line.
func (f *Faults) Error() string { return text(f.List, f.More) }

// Warnings are what is odd in a dataset but possible (D51), sorted as faults
// are, those of one kind once. They keep nothing from being loaded, but a strict reader
// takes all but notes for faults.
type Warnings struct {
	List []Fault `json:"warnings"`       // the first ones
	More int     `json:"more,omitempty"` // how many were found beyond List
}

// maxAlso bounds the lines that a warning lists beside its own.
const maxAlso = 20

// Add puts a warning in its place, or counts it with the one of its kind on the same field
// of the same file: of 90 that say the same, none hides another.
func (w *Warnings) Add(warning Fault) { w.List, w.More = add(w.List, w.More, warning) }

func add(list []Fault, more int, fault Fault) ([]Fault, int) {
	i := slices.IndexFunc(list, func(f Fault) bool { return alike(&f, &fault) })
	if i < 0 {
		return insert(list, more, fault)
	}
	first, second := list[i], fault
	if second.Line < first.Line {
		first, second = second, first
	}
	first.Times = max(first.Times, 1) + max(second.Times, 1)
	if n := len(first.Also); n < maxAlso || second.Line < first.Also[n-1] {
		also := slices.Concat(first.Also, []int{second.Line}, second.Also)
		slices.Sort(also)
		first.Also = also[:min(len(also), maxAlso)]
	}
	return insert(slices.Delete(list, i, i+1), more, first)
}

// alike reports whether two faults, or warnings, are of one kind.
func alike(a, b *Fault) bool {
	field := func(f *Fault) string { name, _, _ := strings.Cut(f.Field, "["); return name }
	kind := func(f *Fault) string { name, _, _ := strings.Cut(cmp.Or(f.Kind, f.Message), notGiven); return name }
	return a.Line != b.Line && min(a.Line, b.Line) > 0 && a.File == b.File && field(a) == field(b) && kind(a) == kind(b)
}

// With gives the warnings of both lists, either of which may be nil; nil if
// neither has any.
func (w *Warnings) With(other *Warnings) *Warnings {
	if w.Count() == 0 && other.Count() == 0 {
		return nil
	}
	both := &Warnings{}
	for _, part := range []*Warnings{w, other} {
		if part == nil {
			continue
		}
		both.More += part.More
		for _, warning := range part.List {
			both.Add(warning)
		}
	}
	return both
}

// Faults gives the warnings as faults, but for notes; nil if there aren't any.
func (w *Warnings) Faults() *Faults {
	if w.Count() == 0 {
		return nil
	}
	return &Faults{List: slices.DeleteFunc(slices.Clone(w.List), func(f Fault) bool { return f.Note }), More: w.More}
}

// Notes are those of the warnings that are notes; nil if there aren't any.
func (w *Warnings) Notes() *Warnings {
	if w == nil {
		return nil
	}
	return (&Warnings{List: slices.DeleteFunc(slices.Clone(w.List), func(f Fault) bool { return !f.Note })}).With(nil)
}

// Count is the number of warnings found.
func (w *Warnings) Count() int {
	if w == nil {
		return 0
	}
	return count(w.List, w.More)
}

func count(list []Fault, more int) int {
	for i := range list {
		more += max(list[i].Times, 1)
	}
	return more
}

// String gives the warnings, one a line.
func (w *Warnings) String() string { return text(w.List, w.More) }

// insert puts a fault in its place in a list that keeps the first of them. It returns
// the list and how many were left out.
func insert(list []Fault, more int, fault Fault) ([]Fault, int) {
	at := len(list)
	for at > 0 && before(fault, list[at-1]) {
		at--
	}
	if at >= kept {
		return list, more + 1
	}
	list = slices.Insert(list, at, fault)
	if len(list) > kept {
		return list[:kept], more + 1
	}
	return list, more
}

func text(list []Fault, more int) string {
	var b strings.Builder
	for i, fault := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(fault.Error())
	}
	if more > 0 {
		fmt.Fprintf(&b, "\nand %d more", more)
	}
	return b.String()
}

// before orders faults by the order of the files, files of no kind last, then by name and
// line.
func before(a, b Fault) bool {
	return cmp.Or(cmp.Compare(files.Of(a.File), files.Of(b.File)), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) < 0
}
