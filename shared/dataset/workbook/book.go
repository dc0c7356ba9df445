package workbook

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"touchline/shared/dataset/files"
)

// book is a workbook.
type book struct {
	parts    map[string]*zip.File
	left     int64 // bytes that may still be read and written
	limit    int64
	sheets   []sheet
	texts    []string // that its sheets share
	formats  []format // by the style of a cell
	from1904 bool     // what day its dates count from
}

// sheet is a sheet, and its part of the workbook.
type sheet struct {
	name, part string
	hidden     bool
}

// newBook reads what the sheets of a workbook have in common. Errors are
// *files.UnreadableError.
func newBook(z *zip.Reader, size int64) (*book, error) {
	b := &book{parts: map[string]*zip.File{}, limit: max(unpackedAlways, unpackedTimes*size)}
	b.left = b.limit
	for _, f := range z.File {
		b.parts[strings.ToLower(strings.TrimPrefix(f.Name, "/"))] = f
	}
	main := "xl/workbook.xml"
	if err := b.relations("_rels/.rels", func(_, kind, target string) {
		if strings.HasSuffix(kind, "/officeDocument") {
			main = within("", target)
		}
	}); err != nil {
		return nil, err
	}
	folder := path.Dir(main)
	named, shared, styles := map[string]string{}, "", ""
	if err := b.relations(path.Join(folder, "_rels", path.Base(main)+".rels"), func(id, kind, target string) {
		target = within(folder, target)
		switch path.Base(kind) {
		case "worksheet":
			named[id] = target
		case "sharedStrings":
			shared = target
		case "styles":
			styles = target
		}
	}); err != nil {
		return nil, err
	}
	if b.parts[main] == nil {
		return nil, files.Unreadable(damaged)
	}
	if err := b.each(main, func(x *piece, _ []string) error {
		switch x.start {
		case "workbookPr":
			on := x.attribute("date1904")
			b.from1904 = on == "1" || on == "true"
		case "sheet":
			if part := named[x.attribute("id")]; part != "" {
				b.sheets = append(b.sheets, sheet{strings.TrimSpace(x.attribute("name")), part, strings.HasSuffix(strings.ToLower(x.attribute("state")), "hidden")})
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	if len(b.sheets) > maxSheets {
		return nil, files.Unreadable(fmt.Sprintf("has more than %d sheets", maxSheets))
	}
	if err := b.sharedTexts(shared); err != nil {
		return nil, err
	}
	return b, b.styles(styles)
}

// maxSheets bounds the sheets of a workbook: a dataset has six kinds.
const maxSheets = 200

// within is the name of a part that another in a folder refers to.
func within(folder, target string) string {
	if strings.HasPrefix(target, "/") {
		return strings.ToLower(strings.TrimPrefix(path.Clean(target), "/"))
	}
	return strings.ToLower(path.Join(folder, target))
}

// relations reads what a part refers to; a part that is missing refers to nothing.
func (b *book) relations(name string, each func(id, kind, target string)) error {
	return b.each(name, func(x *piece, _ []string) error {
		if x.start == "Relationship" {
			each(x.attribute("Id"), x.attribute("Type"), x.attribute("Target"))
		}
		return nil
	})
}

// sharedTexts reads the texts that sheets share. How a text is pronounced (rPh) is no
// part of it.
func (b *book) sharedTexts(name string) error {
	var text strings.Builder
	return b.each(name, func(x *piece, in []string) error {
		switch {
		case x.end == "si":
			b.texts = append(b.texts, text.String())
			text.Reset()
		case x.text != nil && len(in) > 0 && in[len(in)-1] == "t" && !slices.Contains(in, "rPh"):
			text.Write(x.text)
		}
		return nil
	})
}

// styles reads what the numbers of each style of a cell are.
func (b *book) styles(name string) error {
	custom := map[int]format{}
	return b.each(name, func(x *piece, in []string) error {
		switch {
		case x.start == "numFmt":
			if id, err := strconv.Atoi(x.attribute("numFmtId")); err == nil {
				custom[id] = formatOf(x.attribute("formatCode"))
			}
		case x.start == "xf" && len(in) > 1 && in[len(in)-2] == "cellXfs":
			id, _ := strconv.Atoi(x.attribute("numFmtId")) // 0: a plain number
			f, ok := custom[id]
			if !ok {
				f = builtIn(id)
			}
			b.formats = append(b.formats, f)
		}
		return nil
	})
}

// piece is a token of XML: the start of an element, its end, or text.
type piece struct {
	start, end string
	attributes []xml.Attr
	text       []byte
}

func (x *piece) attribute(name string) string {
	for _, a := range x.attributes {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// xmlReader reads the pieces of a part.
type xmlReader struct {
	dec *xml.Decoder // nil: there is no such part
	in  []string     // the elements that are open
}

// maxDepth bounds elements in elements, of which sheets have some ten.
const maxDepth = 64

func (b *book) part(name string) (*xmlReader, error) {
	f := b.parts[name]
	if f == nil {
		return &xmlReader{}, nil
	}
	from, err := f.Open()
	if err != nil {
		return nil, files.Unreadable(damaged)
	}
	return &xmlReader{dec: xml.NewDecoder(&pieces{book: b, from: from})}, nil
}

// next gives the next piece, valid until the next call. The error is io.EOF at the end.
func (r *xmlReader) next() (*piece, error) {
	for r.dec != nil {
		token, err := r.dec.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			if errors.As(err, new(*files.UnreadableError)) {
				return nil, err
			}
			return nil, files.Unreadable(damaged)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if r.in = append(r.in, t.Name.Local); len(r.in) > maxDepth {
				return nil, files.Unreadable(damaged)
			}
			return &piece{start: t.Name.Local, attributes: t.Attr}, nil
		case xml.EndElement:
			r.in = r.in[:max(0, len(r.in)-1)]
			return &piece{end: t.Name.Local}, nil
		case xml.CharData:
			return &piece{text: t}, nil
		}
	}
	return nil, io.EOF
}

// each calls do for each piece of a part, with the elements that are open.
func (b *book) each(name string, do func(x *piece, in []string) error) error {
	r, err := b.part(name)
	for err == nil {
		var x *piece
		if x, err = r.next(); err == nil {
			err = do(x, r.in)
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// take counts bytes that are read or written of the workbook.
func (b *book) take(n int) error {
	if b.left -= int64(n); b.left < 0 {
		return files.Unreadable(fmt.Sprintf("unpacks to more than %d MB and %d times its size, as no dataset does", int64(unpackedAlways)>>20, unpackedTimes))
	}
	return nil
}

// pieces bounds what is read of a part: in all, and between two ends of an element.
type pieces struct {
	book *book
	from io.Reader
	long int
}

// Read implements io.Reader.
func (p *pieces) Read(to []byte) (int, error) {
	n, err := p.from.Read(to)
	if failed := p.book.take(n); failed != nil {
		return 0, failed
	}
	for _, c := range to[:n] {
		if p.long++; c == '>' {
			p.long = 0
		} else if p.long > maxPiece {
			return 0, files.Unreadable(damaged)
		}
	}
	return n, err
}
