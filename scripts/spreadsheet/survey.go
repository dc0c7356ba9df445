package spreadsheet

import (
	"archive/zip"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/sheet"
)

// The bounds of a workbook. Workbooks compress to a tenth or a thirtieth. With these a
// reader takes at most 100 MB and 20 times the size of the file
// (TestMemoryIsAMultipleOfTheFile): excelize keeps where each shared text is, and decodes
// styles and relations into some hundred bytes an element.
const (
	unpackedTimes  = 50
	unpackedAlways = 32 << 20 // bytes
	heldTimes      = 2        // bytes of parts that are no sheets and no shared texts
	heldAlways     = 16 << 20
	decodedAlways  = 150_000 // elements of such parts, and one more for each bytesADecoded
	bytesADecoded  = 64
	textsAlways    = 500_000 // shared texts, and one more for each bytesAText
	bytesAText     = 6
	maxPiece       = 1 << 20 // bytes between two ends of an element
	maxSheets      = 200
	maxDepth       = 100     // elements within each other
	onDisk         = 1 << 20 // bytes of a sheet, or of shared texts, from which on it is put on the disk
)

const damaged = "is damaged, or no .xlsx workbook: open it in a spreadsheet program and save it again"

// survey is what a look through a workbook has found before it is read. excelize takes
// the size of a part from the directory, ends at the first mistake in a sheet as at its
// end, and gives an empty cell for a formula without a saved result; a load would take
// the rest of the sheet, and the field, for deleted.
type survey struct {
	size, left    int64 // of the file, and bytes that may still be unpacked
	held, decoded int64
	texts         int
	relations     map[string]string // parts by the ids that the workbook has for them
	sheets        map[string]*looks // by part
}

// looks are what a sheet says beside the values of its cells.
type looks struct {
	unsaved  string   // the first cell whose formula has no saved result
	lastText int      // the highest of the shared texts; -1: there isn't one
	merged   []merged // below the first row
	hidden   []int    // rows that have a value and are not shown, from the second on
}

// merged are cells that are merged, in columns from 1.
type merged struct {
	name        string // such as D2:D6
	left, right int
}

// maxRanges bounds how many merged cells and hidden rows are kept of a sheet, for a message.
const maxRanges = 1000

// look looks through a workbook. Errors are *files.UnreadableError.
func look(z *zip.Reader, size int64) (*survey, error) {
	s := &survey{size: size, left: max(unpackedAlways, unpackedTimes*size), relations: map[string]string{}, sheets: map[string]*looks{}}
	for _, f := range z.File {
		if err := s.part(f); errors.As(err, new(*files.UnreadableError)) {
			return nil, err
		} else if err != nil {
			return nil, files.Unreadable(damaged)
		}
	}
	for _, of := range s.sheets {
		if of.lastText >= s.texts {
			return nil, files.Unreadable(damaged)
		}
	}
	return s, nil
}

// part looks through a part.
func (s *survey) part(f *zip.File) error {
	name := strings.ReplaceAll(f.Name, "\\", "/")
	from, err := f.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	p := &pieces{survey: s, from: from}
	rows, shared := path.Dir(name) == "xl/worksheets", name == "xl/sharedStrings.xml"
	switch {
	case rows:
		s.sheets[name] = &looks{lastText: -1}
		err = s.sheets[name].read(p)
	case shared:
		err = each(p, func(token xml.Token) error {
			if x, ok := token.(xml.StartElement); ok && x.Name.Local == "si" {
				s.texts++
			}
			if int64(s.texts) > textsAlways+s.size/bytesAText {
				return files.Unreadable("has more texts for its size than may be held in memory: save each sheet as CSV")
			}
			return nil
		})
	case name == "xl/_rels/workbook.xml.rels":
		err = each(p, func(token xml.Token) error {
			if x, ok := token.(xml.StartElement); ok {
				target := attribute(x, "Target")
				if !strings.HasPrefix(target, "/") {
					target = path.Join("/xl", target)
				}
				s.relations[attribute(x, "Id")] = strings.TrimPrefix(target, "/")
			}
			return nil
		})
	}
	if err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, p); err != nil {
		return err
	}
	if !rows && !shared {
		s.held += p.all
	}
	if ext := path.Ext(name); ext == ".rels" || ext == ".xml" && slices.Contains([]string{".", "docProps", "xl", "xl/theme"}, path.Dir(name)) && !shared {
		s.decoded += p.elements
	}
	switch {
	case uint64(p.all) != f.UncompressedSize64: //nolint:gosec // a count
		return files.Unreadable(damaged)
	case s.held > heldAlways+heldTimes*s.size, s.decoded > decodedAlways+s.size/bytesADecoded:
		return files.Unreadable("has more styles, pictures or other things besides its sheets than may be held in memory: copy the cells into a new workbook")
	}
	return nil
}

// each calls do for each token of XML. No element may be too deep, since each that is open
// is kept.
func each(from io.Reader, do func(xml.Token) error) error {
	d, depth := xml.NewDecoder(from), 0
	for {
		token, err := d.Token()
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err == nil && depth > maxDepth:
			return files.Unreadable(damaged)
		case err == nil:
			err = do(token)
		}
		if err != nil {
			return err
		}
	}
}

// read looks through a sheet.
func (l *looks) read(from io.Reader) error {
	at := cursor{looks: l}
	return each(from, func(token xml.Token) error {
		switch x := token.(type) {
		case xml.StartElement:
			at.text = at.text[:0]
			return at.begin(x)
		case xml.CharData:
			at.text = append(at.text, x...)
		case xml.EndElement:
			err := at.end(x.Name.Local)
			at.text = at.text[:0]
			return err
		}
		return nil
	})
}

// cursor is where a look through a sheet is.
type cursor struct {
	*looks
	row, column    int
	hides          bool   // the row is not shown
	cell, kind     string // the reference and the type of the cell
	formula, value bool   // what the cell has
	text           []byte // of the element
}

func (c *cursor) begin(x xml.StartElement) error {
	switch x.Name.Local {
	case "row":
		at := place(attribute(x, "r"), c.row)
		if at <= c.row || at > files.MaxRows {
			return files.Unreadable(damaged)
		}
		c.row, c.column, c.hides = at, 0, at > 1 && slices.Contains([]string{"1", "true"}, attribute(x, "hidden"))
	case "c":
		c.cell, c.kind, c.formula, c.value = attribute(x, "r"), attribute(x, "t"), false, false
		at := c.column + 1
		var err error
		if c.cell != "" {
			at, _, err = excelize.CellNameToCoordinates(c.cell)
		}
		if err != nil || at <= c.column {
			return files.Unreadable(damaged)
		}
		c.column = at
	case "f":
		c.formula = true
	case "mergeCell":
		name := attribute(x, "ref")
		first, last, _ := strings.Cut(name, ":")
		left, _, err := excelize.CellNameToCoordinates(first)
		right, bottom, err2 := excelize.CellNameToCoordinates(last)
		if cmp.Or(err, err2) == nil && bottom > 1 && len(c.merged) < maxRanges {
			c.merged = append(c.merged, merged{name, left, right})
		}
	}
	return nil
}

func (c *cursor) end(element string) error {
	switch element {
	case "v":
		c.value = len(c.text) > 0
		if c.kind == "s" && c.value {
			at, err := strconv.Atoi(strings.TrimSpace(string(c.text)))
			if err != nil || at < 0 {
				return files.Unreadable(damaged)
			}
			c.lastText = max(c.lastText, at)
		}
	case "t":
		c.value = c.value || len(c.text) > 0 // of a text that stands in its cell
	case "c":
		if c.formula && !c.value && c.kind != "str" {
			c.unsaved = cmp.Or(c.unsaved, c.cell, fmt.Sprintf("row %d", c.row))
		}
		if n := len(c.hidden); c.hides && c.value && n < maxRanges && (n == 0 || c.hidden[n-1] != c.row) {
			c.hidden = append(c.hidden, c.row)
		}
	}
	return nil
}

// warnings are what is odd about how the values lie, below a first row. What is in columns
// that are not read is not odd.
func (l *looks) warnings(header []string) (all []string) {
	var cells, rows []string
	for _, m := range l.merged {
		for _, heading := range header[min(m.left-1, len(header)):min(m.right, len(header))] {
			if heading != "" && !sheet.IsOwn(heading) {
				cells = append(cells, m.name)
				break
			}
		}
	}
	for _, row := range l.hidden {
		rows = append(rows, strconv.Itoa(row))
	}
	if cells != nil {
		all = append(all, "has merged cells ("+few(cells)+"), of which the first alone has the value: unmerge them, and fill each in")
	}
	if rows != nil {
		all = append(all, "has hidden rows ("+few(rows)+"), which are read like others: show them, or take them out")
	}
	return all
}

// few names the first of them.
func few(names []string) string {
	const most = 5
	if more := len(names) - most; more > 0 {
		names = append(names[:most:most], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// place is a number that is given, else the one after the last.
func place(given string, last int) int {
	if at, err := strconv.Atoi(given); given != "" && given != "0" {
		if err != nil {
			return 0
		}
		return at
	}
	return last + 1
}

func attribute(x xml.StartElement, name string) string {
	for _, a := range x.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// pieces bounds what is read of a part: of all parts together, and between two ends of an
// element.
type pieces struct {
	*survey
	from          io.Reader
	all, elements int64
	long          int
}

// Read implements io.Reader.
func (p *pieces) Read(to []byte) (int, error) {
	n, err := p.from.Read(to)
	p.all += int64(n)
	if p.left -= int64(n); p.left < 0 {
		return 0, files.Unreadable(fmt.Sprintf("unpacks to more than %d MB and %d times its size, as no dataset does", int64(unpackedAlways)>>20, unpackedTimes))
	}
	for _, c := range to[:n] {
		if p.long++; c == '>' {
			p.long = 0
			p.elements++
		} else if p.long > maxPiece {
			return 0, files.Unreadable(damaged)
		}
	}
	return n, err
}
