package sheet

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/slips"
)

// NDJSONOnly are the fields of a match that no sheet can have.
var NDJSONOnly = []string{"lineups", "events", "statistics"}

// named is the column of a name; nil: there isn't one.
func named(columns []jsonl.Column, name string) *jsonl.Column {
	if i := slices.IndexFunc(columns, func(c jsonl.Column) bool { return c.Path == name }); i >= 0 {
		return &columns[i]
	}
	return nil
}

// names are those of columns.
func names(columns []jsonl.Column) []string {
	all := make([]string, len(columns))
	for i, c := range columns {
		all[i] = c.Path
	}
	return all
}

// KindOf is the only kind that has the fields in a first row: most of them, and those that
// say which record a row is. Any: there isn't one, or several have as many.
func KindOf(header []string, columnsOf func(files.Kind) []jsonl.Column) files.Kind {
	header = slices.DeleteFunc(slices.Clone(header), func(name string) bool { return strings.TrimSpace(name) == "" || IsOwn(name) })
	best, most, tie := files.Any, 0, false
	for k := range files.Kinds {
		columns := columnsOf(k)
		known, found := 0, map[string]bool{}
		for _, name := range header {
			name = canonical(columns, name)
			found[name] = true
			if named(columns, name) != nil || twoCells(columns) && slices.Contains(twoColumns, name) {
				known++
			}
		}
		whole := !slices.ContainsFunc(columns, func(c jsonl.Column) bool { return !identified(c, func(name string) bool { return found[name] }) })
		switch {
		case !whole || 2*known <= len(header) || known < most:
		case known == most:
			tie = true
		default:
			best, most, tie = k, known, false
		}
	}
	if tie {
		return files.Any
	}
	return best
}

// identified reports whether a header has a column that says which record a row is, or those
// in its place; of other columns it is true.
func identified(c jsonl.Column, has func(string) bool) bool {
	return !c.Identifies || has(c.Path) || c.Or != nil && !slices.ContainsFunc(c.Or, func(one []string) bool { return !slices.ContainsFunc(one, has) })
}

// IsOwn reports whether a heading is of a column for those who fill the sheet in, which is
// not read: one that begins with "#", but for what a formula leaves (#REF!).
func IsOwn(heading string) bool {
	heading = strings.TrimSpace(heading)
	return strings.HasPrefix(heading, "#") && slips.Wrong(heading) == ""
}

// HeaderError is what is wrong with the names in the first row: nothing of the file
// is read.
type HeaderError struct{ Wrong []RowError }

// Error gives the first message.
func (e *HeaderError) Error() string { return e.Wrong[0].Message }

// template ends a message on the names in a first row.
const template = "; `touchline template` writes a file with every column"

// name finds the columns by their names in the header.
func (s *Sheet) name() error {
	if len(s.header) > maxColumns {
		return files.Unreadable(fmt.Sprintf("has more than %d columns", maxColumns))
	}
	given := make([]string, len(s.header))
	for i, name := range s.header {
		switch given[i] = canonical(s.known, name); {
		case !utf8.ValidString(name):
			return files.Unreadable(notUTF8)
		case given[i] == "":
			s.unnamed = append(s.unnamed, i)
		case IsOwn(name):
			s.own, given[i], s.header[i] = append(s.own, i), "", ""
		case slices.Contains(given[:i], given[i]):
			return files.Unreadable("has two columns for " + jsonl.Shown(given[i]))
		}
	}
	if len(s.unnamed)+len(s.own) == len(given) {
		return files.Unreadable("has no names of fields in its first row")
	}
	date, time := slices.Index(given, "date"), slices.Index(given, "time")
	if date >= 0 && twoCells(s.known) && !slices.Contains(given, "kickoffLocal") && !slices.Contains(given, "kickoffAt") {
		s.date, s.time = date, time
		if given[date] = "kickoffLocal"; time >= 0 {
			given[time] = ""
		}
	}
	if i := slices.Index(given, resultColumn); i >= 0 && twoCells(s.known) {
		s.result, given[i] = i, ""
		given = append(given, "score.home", "score.away")
	}
	var wrong []RowError
	for _, name := range given {
		if name != "" && named(s.known, name) == nil {
			wrong = append(wrong, RowError{jsonl.Shown(name), "is not a known column" + meant(s.known, name)})
		}
	}
	for _, c := range s.known {
		if at := slices.Index(given, c.Path); at >= 0 {
			s.columns = append(s.columns, column{Column: c, at: at})
		} else if !identified(c, func(name string) bool { return slices.Contains(given, name) }) {
			wrong = append(wrong, RowError{c.Path, "has no column, and without it no row says which record it is" + template})
		}
	}
	switch {
	case s.columns == nil && len(given) == 1 && strings.ContainsAny(given[0], ",;|\t"):
		return &HeaderError{[]RowError{{Message: fmt.Sprintf("the first row is a single cell, %s: separate cells by commas, semicolons or tabs, and quote a cell, not a row", quoted(given[0]))}}}
	case s.columns == nil:
		return &HeaderError{[]RowError{{Message: fmt.Sprintf("the first row is not a header: it must name the columns, such as %s%s", strings.Join(names(s.known)[:4], ", "), template)}}}
	case wrong != nil:
		return &HeaderError{wrong}
	}
	return nil
}

// meant ends the message on a column that is not known.
func meant(columns []jsonl.Column, name string) string {
	head, _, _ := strings.Cut(name, ".")
	if slices.Contains(NDJSONOnly, head) {
		return ": events and lineups are sheets of their own, and statistics need NDJSON"
	}
	if name == twoColumns[1] && twoCells(columns) {
		return ": it stands beside a column date"
	}
	if slips.Wrong(name) != "" {
		return ", but what a formula left"
	}
	parts := slices.DeleteFunc(names(columns), func(c string) bool { return !strings.HasPrefix(c, name+".") })
	if len(parts) > 0 {
		return "; its parts have columns of their own: " + strings.Join(parts, ", ")
	}
	if best := slips.Near(name, names(columns)); best != "" {
		return "; did you mean " + best + "?"
	}
	return "; known here are " + strings.Join(names(columns), ", ") + "; one of your own begins with #, and is not read"
}

// twoColumns together are a kick-off, and one column is a score.
var (
	twoColumns   = []string{"date", "time"}
	resultColumn = "result"
	joined       = append(twoColumns, resultColumn)
)

// twoCells reports whether a kick-off may be in twoColumns.
func twoCells(columns []jsonl.Column) bool { return named(columns, "kickoffLocal") != nil }

// canonical is a name of a column as the format writes it: its case does not count.
func canonical(columns []jsonl.Column, name string) string {
	name = strings.TrimSpace(name)
	for _, known := range append(names(columns), joined...) {
		if strings.EqualFold(known, name) {
			return known
		}
	}
	return name
}

// truthOf is a truth as spreadsheets of some languages write it, in English.
func truthOf(cell string) string {
	switch cell = strings.ToLower(cell); cell {
	case "wahr", "vrai", "vero", "verdadero", "yes", "ja", "oui", "sì", "si", "sí":
		return "true"
	case "falsch", "faux", "falso", "no", "nein", "non":
		return "false"
	}
	return cell
}

// Heading is the heading of the first column of these in which a field of a row may stand,
// and where its cell is: F2. Both are empty where the sheet has none of them.
func (s *Sheet) Heading(line int, columns ...string) (heading, cell string) {
	for _, name := range columns {
		if heading, cell = s.headed(name, line); heading != "" {
			return heading, cell
		}
	}
	return "", ""
}

func (s *Sheet) headed(field string, line int) (heading, cell string) {
	plain := index.ReplaceAllString(field, "")
	i := slices.IndexFunc(s.columns, func(c column) bool { return InField(c.Path, plain) })
	at, path := s.result, resultColumn
	switch {
	case plain == "kickoffLocal" && s.untimely[line]:
		at, path = s.time, plain
	case i >= 0 && s.columns[i].at < len(s.header):
		at, path = s.columns[i].at, s.columns[i].Path
	case i < 0 && plain != resultColumn:
		return "", ""
	}
	if at < 0 {
		return "", ""
	}
	if heading = s.header[at]; s.rules != nil {
		if _, constant := s.rules[at].constant(); constant {
			return "", ""
		}
		return jsonl.Shown(s.rules[at].Heading), letters(s.places[at]) + strconv.Itoa(line)
	}
	if path != plain || strings.EqualFold(strings.TrimSpace(heading), plain) {
		heading = field
	}
	return jsonl.Shown(heading), letters(at) + strconv.Itoa(line)
}

// index is the place in a list, which a cell holds whole.
var index = regexp.MustCompile(`\[[0-9]+\]`)

// letters name a column as spreadsheets do: A, B, to Z, AA and so on.
func letters(column int) string {
	name := ""
	for column++; column > 0; column = (column - 1) / 26 {
		name = string(rune('A'+(column-1)%26)) + name
	}
	return name
}

// quoted is a cell that is fit for a message.
func quoted(cell string) string { return strconv.Quote(jsonl.Excerpt(cell)) }
