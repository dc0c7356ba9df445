package dataset

import (
	"fmt"
	"slices"
	"strings"

	"touchline/shared/sport"
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
	Line    int    `json:"line"`            // from 1; 0: the file itself
	Field   string `json:"field,omitempty"` // such as lineups.home.starting[3].playerId; empty: the whole line
	Message string `json:"message"`         // reads on after the field: "must be a string"
}

// Error gives the fault in one line, file and line first.
func (f Fault) Error() string {
	place := f.File
	if f.Line > 0 {
		place = fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	if f.Field == "" {
		return place + ": " + f.Message
	}
	return place + ": " + f.Field + ": " + f.Message
}

// DefaultFaultLimit is how many faults are kept where Options name no number:
// enough to mend a dataset by, few enough to read.
const DefaultFaultLimit = 100

// Faults are the faults of a dataset, sorted by the order of the files, then by
// line. They are an error: a dataset with faults is not loaded.
type Faults struct {
	List  []Fault `json:"faults"`         // the first ones
	More  int     `json:"more,omitempty"` // how many were found beyond List
	limit int
}

// NewFaults gives an empty list that keeps the first limit faults and counts
// the rest; 0 stands for DefaultFaultLimit.
func NewFaults(limit int) *Faults {
	if limit <= 0 {
		limit = DefaultFaultLimit
	}
	return &Faults{limit: limit}
}

// Add puts a fault in its place.
func (f *Faults) Add(fault Fault) {
	if f.limit <= 0 {
		f.limit = DefaultFaultLimit
	}
	at := len(f.List)
	for at > 0 && before(fault, f.List[at-1]) {
		at--
	}
	if at >= f.limit {
		f.More++
		return
	}
	f.List = slices.Insert(f.List, at, fault)
	if len(f.List) > f.limit {
		f.List = f.List[:f.limit]
		f.More++
	}
}

// Merge adds the faults of another list; nil adds none.
func (f *Faults) Merge(other *Faults) {
	if other == nil {
		return
	}
	for _, fault := range other.List {
		f.Add(fault)
	}
	f.More += other.More
}

// Count is the number of faults found.
func (f *Faults) Count() int {
	if f == nil {
		return 0
	}
	return len(f.List) + f.More
}

// Error gives the faults, one a line.
func (f *Faults) Error() string {
	var b strings.Builder
	for i, fault := range f.List {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(fault.Error())
	}
	if f.More > 0 {
		fmt.Fprintf(&b, "\nand %d more", f.More)
	}
	return b.String()
}

// before orders faults by the order of the files, then by line.
func before(a, b Fault) bool {
	x, y := fileRank(a.File), fileRank(b.File)
	return x < y || x == y && a.Line < b.Line
}

// fileRank is the place of a file in the order of reading; files of no kind
// come last.
func fileRank(file string) int {
	for i, stem := range kinds {
		if strings.HasPrefix(file, stem+".") {
			return i
		}
	}
	return len(kinds)
}

// quoted names a record by what the operator calls it.
func quoted(kind sport.Kind, given string) string {
	return fmt.Sprintf("%s %q", kind, given)
}
