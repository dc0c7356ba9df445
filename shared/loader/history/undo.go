package history

import (
	"bufio"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"touchline/shared/dataset/fields"
	"touchline/shared/sport"
)

// Step undoes what a load did to one record.
type Step struct {
	Record
	// Hash is the hash of the record after the load (HashOf). It is empty if the load
	// deleted the record.
	Hash string `json:"hash,omitempty"`
	// Was is the line that the record had, if the load deleted it.
	Was json.RawMessage `json:"was,omitempty"`
	// Changed is true if the load changed a record that was there. Back are the fields
	// to set to earlier values, Gone the fields to remove.
	Changed bool     `json:"changed,omitempty"`
	Back    []back   `json:"back,omitempty"`
	Gone    []string `json:"gone,omitempty"`
}

// back is the value that a field had.
type back struct {
	Name  string         `json:"name"`
	Value jsontext.Value `json:"value"`
	// Of a list: how many elements at its beginning and end are as they were;
	// Value holds those between.
	Same *[2]int `json:"same,omitempty"`
}

// HashOf is the hash of a record's line: enough of it that no two lines that
// one record had are taken for each other.
func HashOf(line []byte) string {
	sum := sha256.Sum256(line)
	return base64.RawStdEncoding.EncodeToString(sum[:6])
}

// NewStep gives the way back of a record: before and after are its lines, nil
// where it is not there.
func NewStep(r Record, before, after []byte, hash string) (Step, error) {
	s := Step{Record: r, Hash: hash}
	if before == nil {
		return s, nil
	}
	if after == nil {
		s.Was = bytes.TrimSpace(before)
		return s, nil
	}
	was, is, err := splitBoth(before, after)
	if err != nil {
		return s, err
	}
	s.Changed = true
	for _, name := range fieldsOf(was, is) {
		x, y := was.Of(name), is.Of(name)
		switch {
		case string(x) == string(y):
		case x == nil:
			s.Gone = append(s.Gone, name)
		default:
			s.Back = append(s.Back, backOf(name, x, y))
		}
	}
	return s, nil
}

// backOf notes of a list only what differs: a match's events grow one by one.
func backOf(name string, was, is jsontext.Value) back {
	if was.Kind() != '[' || is.Kind() != '[' {
		return back{Name: name, Value: was}
	}
	a, _ := fields.Elements(was)
	b, _ := fields.Elements(is)
	same := func(x, y jsontext.Value) bool { return string(x) == string(y) }
	first := 0
	for first < len(a) && first < len(b) && same(a[first], b[first]) {
		first++
	}
	last := 0
	for last < len(a)-first && last < len(b)-first && same(a[len(a)-1-last], b[len(b)-1-last]) {
		last++
	}
	return back{Name: name, Value: fields.List(a[first : len(a)-last]), Same: &[2]int{first, last}}
}

// Undo gives the line of a record as it was, from its line as the load left it,
// nil where the load deleted it. A record that the load created was nothing: nil.
func (s *Step) Undo(after []byte) ([]byte, error) {
	if s.Was != nil {
		return s.Was, nil
	}
	if !s.Changed {
		return nil, nil
	}
	is, err := split(after)
	if err != nil {
		return nil, err
	}
	is = slices.DeleteFunc(is, func(m fields.Field) bool { return slices.Contains(s.Gone, m.Name) })
	for _, b := range s.Back {
		value := b.Value
		if b.Same != nil {
			now, _ := fields.Elements(is.Of(b.Name))
			back, _ := fields.Elements(value)
			if b.Same[0]+b.Same[1] > len(now) {
				return nil, fmt.Errorf("the list %s is shorter than it was left", b.Name)
			}
			value = fields.List(slices.Concat(now[:b.Same[0]], back, now[len(now)-b.Same[1]:]))
		}
		at := slices.IndexFunc(is, func(m fields.Field) bool { return m.Name == b.Name })
		if at < 0 {
			is = append(is, fields.Field{Name: b.Name, Value: value})
			continue
		}
		is[at].Value = value
	}
	return is.Text(), nil
}

// LargestUndo bounds, in bytes, the way back that is kept of a load: that of some
// hundred thousand records. A larger load cannot be undone.
const LargestUndo = 8 << 20

// Undo is the way back of a load, packed as it is collected.
type Undo struct {
	packed bytes.Buffer
	out    *flate.Writer
	lines  *json.Encoder
	large  bool
}

// NewUndo begins a way back.
func NewUndo() *Undo {
	u := &Undo{}
	u.out, _ = flate.NewWriter(&u.packed, flate.BestCompression) // the level is one
	u.lines = json.NewEncoder(u.out)
	u.lines.SetEscapeHTML(false)
	return u
}

// TooLarge reports whether the way back will not be kept, whatever is added.
func (u *Undo) TooLarge() bool {
	u.large = u.large || u.packed.Len() > LargestUndo
	return u.large
}

// Add adds the step of a record.
func (u *Undo) Add(s Step) error {
	if u.TooLarge() {
		return nil
	}
	return u.lines.Encode(s)
}

// pack ends the collection; nil: it is too large to be kept.
func (u *Undo) pack() ([]byte, error) {
	if u.large {
		return nil, nil
	}
	if err := u.out.Close(); err != nil {
		return nil, err
	}
	return u.packed.Bytes(), nil
}

// steps reads what pack gave.
func steps(packed []byte) ([]Step, error) {
	d := json.NewDecoder(bufio.NewReader(flate.NewReader(bytes.NewReader(packed))))
	var all []Step
	for {
		var s Step
		switch err := d.Decode(&s); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("read what it takes to undo a load: %w", err)
		}
		all = append(all, s)
	}
}

// Deletion is the line that deletes a record.
func (r Record) Deletion() []byte {
	line := struct {
		ID            sport.ID        `json:"id,omitempty"`
		CompetitionID sport.ID        `json:"competitionId,omitempty"`
		Season        int             `json:"season,omitempty"`
		Table         sport.TableName `json:"table,omitempty"`
		Deleted       bool            `json:"deleted"`
	}{r.ID, "", r.Season, r.Table, true}
	if r.Kind == KindStandings {
		line.ID, line.CompetitionID = "", r.ID
	}
	text, _ := json.Marshal(line) // strings and numbers
	return text
}

// Map changes the values that a step goes back to. Their numbers stay as they are.
func (s *Step) Map(f func(any) any) error {
	change := func(value []byte) ([]byte, error) {
		d := json.NewDecoder(bytes.NewReader(value))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			return nil, fmt.Errorf("read what it takes to undo a load: %w", err)
		}
		return json.Marshal(f(v))
	}
	var err error
	if s.Was != nil {
		if s.Was, err = change(s.Was); err != nil {
			return err
		}
	}
	for i := range s.Back {
		if s.Back[i].Value, err = change(s.Back[i].Value); err != nil {
			return err
		}
	}
	return nil
}
