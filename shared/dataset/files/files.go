// Package files finds and opens the files of a dataset: which kinds there are,
// how their files are called, and the lines of one, compressed or not
// (dataset.md). It knows nothing of what a line says.
//
// [Find] lists a folder and refuses a name that looks like a mistyped one, so
// that no file is left out unnoticed (D52). [Open] gives the lines of a file,
// without their ends; a line above the bound is skipped, and reading continues
// after it.
package files

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"touchline/shared/sport"
)

// Kind is one of the kinds of records, each of which has a file. Their order is
// the one in which files are read and faults are listed: what is referred to
// comes before what refers to it.
type Kind uint8

// The kinds, and how many there are. Events and Lineups are details of matches, a row each,
// and no records: sheets alone have them, and a folder only as CSV.
const (
	Organizations Kind = iota
	Competitions
	Teams
	Players
	Matches
	Standings
	Events
	Lineups
	Kinds
)

// HasRecords reports whether a file of the kind has records.
func (k Kind) HasRecords() bool { return k < Events }

// Any is the kind of a file whose name does not say what it holds.
const Any = Kinds

// stems are the names of the files without what follows the first point.
var stems = [Kinds]string{
	Organizations: "organizations",
	Competitions:  "competitions",
	Teams:         "teams",
	Players:       "players",
	Matches:       "matches",
	Standings:     "standings",
	Events:        "events",
	Lineups:       "lineups",
}

// String gives the name of the kind's file without its ending.
func (k Kind) String() string {
	if k == Any {
		return "any"
	}
	return stems[k]
}

// Holds is the kind of the ids of its records, empty where they have none.
func (k Kind) Holds() sport.Kind {
	if k < Standings {
		return SportKinds()[k]
	}
	return ""
}

// SportKinds are those of the records that have an id, in the order of the files.
func SportKinds() []sport.Kind {
	return []sport.Kind{sport.KindOrganization, sport.KindCompetition, sport.KindTeam, sport.KindPlayer, sport.KindMatch}
}

// Holding gives the kind of the file that holds records of a kind, or given tables.
func Holding(kind sport.Kind) Kind {
	return Kind(slices.IndexFunc(stems[:], func(stem string) bool { return strings.HasPrefix(stem, string(kind)) })) //nolint:gosec // one of eight
}

// Sheet is a sheet of a workbook in the list of a folder. It knows its kind, which its
// name need not say.
type Sheet interface {
	fs.DirEntry
	Kind() Kind
}

// MaxRows bounds the rows of a sheet, as spreadsheet programs do.
const MaxRows = 1 << 20

// Of gives the kind of a file by its name, Any for one that is of no kind.
func Of(name string) Kind {
	if k := kindOf(name); k >= 0 {
		return Kind(k) //nolint:gosec // one of eight
	}
	for k, stem := range stems {
		if strings.HasPrefix(name, stem+".") {
			return Kind(k)
		}
	}
	return Any
}

const (
	plainSuffix = ".ndjson"
	sheetSuffix = ".csv"
	bookSuffix  = ".xlsx"
	gzipSuffix  = ".gz"
)

// Erased is the name of the file that says what was erased elsewhere. It may be compressed.
const Erased = "erased" + plainSuffix

// IsFile reports whether a name is one of a dataset's files, of CSV, which may be read as a
// sheet columns says, or of a workbook, which may hold several.
func IsFile(name string) bool {
	return kindOf(name) >= 0 || IsBook(name) || isErased(name) || IsSheet(name) && !IsInBook(name)
}

func isErased(name string) bool { return strings.TrimSuffix(name, gzipSuffix) == Erased }

// IsBook reports whether a file is a workbook, by its name. Programs that have one open
// keep a hidden file beside it, which begins with "~$".
func IsBook(name string) bool {
	return strings.EqualFold(path.Ext(name), bookSuffix) && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "~$")
}

// columns is the name of the sheet that says how others are read.
const columns = "columns"

// IsColumns reports whether a file, or a sheet of a workbook, says how others are read.
func IsColumns(name string) bool { return strings.EqualFold(Stem(name), columns) && IsSheet(name) }

// Stem is what a sheet columns calls a CSV file, or a sheet of a workbook.
func Stem(name string) string {
	if sheet, ok := SheetOf(name); ok {
		return sheet
	}
	return strings.TrimSuffix(strings.TrimSuffix(name, gzipSuffix), sheetSuffix)
}

// inBook is between the name of a workbook and that of a sheet.
const inBook = ", sheet "

// InBook names a sheet of a workbook as a file of the dataset.
func InBook(book, sheet string) string { return book + inBook + sheet }

// SheetOf is the sheet that a file is, by the name that InBook gives.
func SheetOf(name string) (sheet string, ok bool) {
	book, sheet, ok := strings.Cut(name, inBook)
	return sheet, ok && IsBook(book)
}

// IsInBook reports whether a file of a dataset is a sheet of a workbook, by its name.
func IsInBook(name string) bool {
	_, ok := SheetOf(name)
	return ok
}

// kindOf is the kind of a file that has exactly the name of one, else -1. The case of a
// sheet's name does not count.
func kindOf(name string) int {
	if sheet, ok := SheetOf(name); ok {
		return slices.Index(stems[:], strings.ToLower(sheet))
	}
	name = strings.TrimSuffix(name, gzipSuffix)
	return slices.IndexFunc(stems[:], func(stem string) bool {
		return name == stem+sheetSuffix || name == stem+plainSuffix && slices.Index(stems[:Events], stem) >= 0
	})
}

// IsSheet reports whether a file of a dataset is CSV, or a sheet that is read like it,
// by its name.
func IsSheet(name string) bool {
	return IsInBook(name) || strings.HasSuffix(strings.TrimSuffix(name, gzipSuffix), sheetSuffix)
}

// Names lists the files of records in the order of reading. Each may be
// compressed and then ends in .ndjson.gz.
func Names() []string {
	names := make([]string, Events)
	for i, stem := range stems[:Events] {
		names[i] = stem + plainSuffix
	}
	return names
}
