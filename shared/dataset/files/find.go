package files

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Find returns the name of each kind's file in the folder, none where it is
// missing, and that of what was erased. Sheets of workbooks may be several of a kind, one
// after the other. It calls report for a name that seems meant for one of them (D52): with
// the kind, which is not read then, and with what is wrong, to be read after the
// name. Other files are no part of a dataset. The error says that the folder cannot
// be read, or holds nothing of a dataset.
func Find(fsys fs.FS, report func(unread Kind, name, message string)) (found [Kinds][]string, erased string, err error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return found, "", fmt.Errorf("the dataset folder cannot be read: %w", err)
	}
	some, sheets := false, [Kinds]bool{} // kinds that sheets are of
	for _, e := range entries {
		name := e.Name()
		i := kindOf(name)
		sheet, inBook := e.(Sheet)
		if inBook {
			i = int(sheet.Kind())
		}
		of, message := Kind(max(i, 0)), "" //nolint:gosec // one of nine
		if (i >= 0 || isErased(name)) && !inBook {
			message = NoFile(fsys, e)
		}
		switch {
		case message != "":
		case isErased(name) && erased != "":
			of, message = Any, "is a second file of what was erased in addition to "+erased+": remove one of them"
		case isErased(name):
			erased = name
		case i < 0 && !e.IsDir():
			of, message = mistaken(name)
		case i < 0:
		case found[i] != nil && (!inBook || !sheets[i]):
			message = "is a second file of " + stems[i] + " in addition to " + found[i][0] + ": remove one of them"
		default:
			found[i], sheets[i] = append(found[i], name), inBook
		}
		if message != "" {
			report(of, name, message)
		}
		some = some || i >= 0 || erased != "" || message != ""
	}
	if !some {
		return found, "", fmt.Errorf("the folder holds no dataset; its files are %s, each also as .csv, and with .gz; or a workbook (.xlsx) with sheets of these names",
			strings.Join(Names(), ", "))
	}
	return found, erased, nil
}

// NoFile says what an entry of a folder is if it is no file, to be read after its name,
// and nothing of a file. A link is what it leads to. Such an entry is not to be opened:
// a pipe that nobody writes to would wait for ever.
func NoFile(fsys fs.FS, e fs.DirEntry) string {
	mode := e.Type()
	if follows, ok := fsys.(fs.StatFS); ok && mode&fs.ModeSymlink != 0 {
		if info, err := follows.Stat(e.Name()); err == nil {
			mode = info.Mode()
		}
	}
	switch {
	case mode.IsDir():
		return "is a folder, not a file"
	case mode&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) != 0:
		return "is a pipe, a socket or a device, not a file"
	}
	return ""
}

// publishedTables is the one name of this kind that is no mistake: final tables
// as they were published, to compare those of a dataset with.
const publishedTables = "tables.json"

// mistaken says what a name that is no file of a dataset seems meant for: one
// that begins with a kind, and every file in a form that
// datasets have. Without a message it is no part of a dataset.
func mistaken(name string) (of Kind, message string) {
	base := strings.ToLower(name)
	switch {
	case strings.HasPrefix(base, "."), strings.HasPrefix(base, "~$"), base == publishedTables:
		return Any, ""
	case IsBook(name):
		return Any, "is a workbook, which is not read here: load it with `touchline import` or in the console, or save each sheet as CSV"
	case slices.Contains([]string{".xls", ".xlsm", ".xlsb", ".ods", ".numbers"}, path.Ext(base)):
		return Any, "is not read: save it as .xlsx, or each sheet as CSV"
	}
	for k, stem := range stems {
		if strings.HasSuffix(base, "-"+stem+sheetSuffix) { // as an office program saves a sheet
			return Kind(k), "is not read: name it " + stem + sheetSuffix
		}
		switch {
		case !strings.HasPrefix(base, stem):
		case Kind(k).HasRecords():
			return Kind(k), "is not read: the file of " + stem + " is " + stem + plainSuffix + " or " + stem + sheetSuffix + ", also with .gz"
		case slices.Contains([]string{plainSuffix, sheetSuffix, ".json", ".jsonl", ".gz"}, path.Ext(base)):
			return Kind(k), "is not read: the sheet of " + stem + " is " + stem + sheetSuffix + ", and NDJSON has them in " + stems[Matches] + plainSuffix
		}
	}
	switch ext := path.Ext(base); ext {
	case ".gz", ".bz2", ".xz", ".zst", ".zip":
		base = strings.TrimSuffix(base, ext)
	}
	switch path.Ext(base) {
	case ".ndjson", ".jsonl", ".csv":
		return Any, "is not read: the files of a dataset are " + strings.Join(Names(), ", ") + ", each also as .csv, and with .gz"
	}
	return Any, ""
}
