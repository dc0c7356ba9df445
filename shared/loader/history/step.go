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

	"github.com/go-json-experiment/json/jsontext"

	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// Step undoes what a load did to one record.
type Step struct {
	Record
	// Left is the digest (DigestOf) of the record as the load left it. It is empty if the
	// load deleted the record.
	Left string `json:"left,omitempty"`
	// Back are the fields that the load changed, as they were, null for one that was not
	// there; of a record that it deleted the whole line. It is empty if the load created
	// the record.
	Back json.RawMessage `json:"back,omitempty"`
}

// DigestOf is the digest of a record's line: enough of it that no two lines that
// one record had are taken for each other.
func DigestOf(line []byte) string {
	sum := sha256.Sum256(line)
	return base64.RawStdEncoding.EncodeToString(sum[:6])
}

// NewStep gives the way back of a record: before and after are its lines, nil
// where it is not there.
func NewStep(r Record, before, after []byte, left string) (Step, error) {
	s := Step{Record: r, Left: left}
	if before == nil || after == nil {
		s.Back = bytes.TrimSpace(before)
		return s, nil
	}
	was, is, err := splitBoth(before, after)
	if err != nil {
		return s, err
	}
	back := jsonl.Object{}
	for _, name := range fieldsOf(was, is) {
		x := was.Of(name)
		switch {
		case string(x) == string(is.Of(name)):
			continue
		case x == nil:
			x = jsontext.Value("null")
		}
		back = append(back, jsonl.Member{Name: name, Value: x})
	}
	s.Back = back.Text()
	return s, nil
}

// Line is the line of a dataset that takes the step: what the record was, or its
// deletion. Now is the record's line as the load left it, nil where the load deleted it.
func (s *Step) Line(now []byte) ([]byte, error) {
	if s.Back == nil {
		return s.deletion(), nil
	}
	back, is, err := splitBoth(s.Back, now)
	if err != nil {
		return nil, fmt.Errorf("undo %s %s: %w", s.Kind, s.ID, err)
	}
	return jsonl.Merge(is, back).Text(), nil
}

// deletion is the line that deletes a record.
func (r Record) deletion() []byte {
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

// LargestUndo bounds, in bytes, the way back that is kept of a load: that of some
// hundred thousand records. A larger load cannot be undone.
const LargestUndo = 8 << 20

// Undo is the way back of a load, packed as it is collected.
type Undo struct {
	limit  int // bytes
	packed bytes.Buffer
	out    *flate.Writer
	lines  *json.Encoder
	large  bool
}

// NewUndo begins a way back of at most so many bytes, packed.
func NewUndo(limit int) *Undo {
	u := &Undo{limit: limit}
	u.out, _ = flate.NewWriter(&u.packed, flate.BestCompression) // the level is one
	u.lines = json.NewEncoder(u.out)
	u.lines.SetEscapeHTML(false)
	return u
}

// TooLarge reports whether the way back will not be kept, whatever is added.
func (u *Undo) TooLarge() bool {
	u.large = u.large || u.packed.Len() > u.limit
	return u.large
}

// Add adds the step of a record.
func (u *Undo) Add(s Step) error {
	if u.TooLarge() {
		return nil
	}
	return u.lines.Encode(s)
}

// pack ends the collection; nil: there is no way back, or it is too large to be kept.
func (u *Undo) pack() ([]byte, error) {
	if u == nil {
		return nil, nil
	}
	if err := u.out.Close(); err != nil || u.TooLarge() {
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
