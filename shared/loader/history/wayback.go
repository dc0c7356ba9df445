package history

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"touchline/shared/dataset/jsonl"
	"touchline/shared/store"
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

// Step is the way back of the record, whose digest is left.
func (d Difference) Step(left string) Step {
	s := Step{Record: d.Record, Left: left}
	if d.op != Update {
		s.Back = bytes.TrimSpace(d.before)
		return s
	}
	back := jsonl.Object{}
	for _, name := range fieldsOf(d.was, d.is) {
		x := d.was.Of(name)
		switch {
		case string(x) == string(d.is.Of(name)):
			continue
		case x == nil:
			x = jsontext.Value("null")
		}
		back = append(back, jsonl.Member{Name: name, Value: x})
	}
	s.Back = back.Text()
	return s
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
	is = slices.DeleteFunc(is, func(m jsonl.Member) bool { return back.Of(m.Name) != nil })
	return append(is, back...).Text(), nil
}

// LargestUndo bounds, in bytes before it is packed, the way back that is kept of a load:
// that of some hundred thousand records. A larger load cannot be undone.
const LargestUndo = 32 << 20

// WayBack collects the way back of a load. Where it is too large, it is not kept.
type WayBack struct {
	Limit int    // bytes
	Kept  []byte // Past.Packed, of a way back that stays as it is
	lines []byte
	large bool
}

// TooLarge reports whether the way back will not be kept, whatever is added.
func (b *WayBack) TooLarge() bool { return b.large }

// Add adds the step of a record.
func (b *WayBack) Add(s Step) error {
	line, err := json.Marshal(s)
	if b.large = b.large || len(b.lines)+len(line) > b.Limit; b.large {
		b.lines = nil
		return err
	}
	b.lines = append(append(b.lines, line...), '\n')
	return err
}

// packed is the way back for steps; nil: there isn't one.
func (b *WayBack) packed() []byte {
	if b == nil || b.large {
		return nil
	}
	if b.Kept != nil {
		return b.Kept
	}
	return deflated(b.lines)
}

// StepsOf reads what packed gave.
func StepsOf(packed []byte) (all []Step, err error) {
	lines, err := inflated(packed)
	for line := range bytes.Lines(lines) {
		var s Step
		err = cmp.Or(err, json.Unmarshal(line, &s))
		all = append(all, s)
	}
	if err != nil {
		return nil, fmt.Errorf("read what it takes to undo a load: %w", err)
	}
	return all, nil
}

// Piece is an item that holds a piece of a way back, or of a journal.
type Piece struct {
	ID   string `dynamodbav:"i"` // of the journal
	Data []byte `dynamodbav:"z"`
}

// errMissing is the error of a piece that is not there, or is one of another journal.
var errMissing = errors.New("is missing, of what is kept of a load")

// ReadPieces reads what lies in so many pieces.
func ReadPieces(ctx context.Context, table *store.Table, id string, pieces int, key func(n int) store.Key) io.Reader {
	return &pieceReader{ctx: ctx, table: table, id: id, pieces: pieces, key: key}
}

type pieceReader struct {
	ctx    context.Context //nolint:containedctx // that of one load
	table  *store.Table
	id     string
	pieces int
	key    func(n int) store.Key
	next   int
	rest   []byte
}

// Read implements io.Reader.
func (r *pieceReader) Read(b []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.next == r.pieces {
			return 0, io.EOF
		}
		key := r.key(r.next)
		item, err := r.table.Get(r.ctx, key, true)
		if err != nil {
			return 0, err
		}
		p, err := store.Decode[Piece](item)
		if err != nil {
			return 0, err
		}
		if p.ID != r.id || len(p.Data) == 0 {
			return 0, fmt.Errorf("%s %s %w", key.PK, key.SK, errMissing)
		}
		r.next, r.rest = r.next+1, p.Data
	}
	n := copy(b, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// ErrNotKept is the error of a load that is older than those that are kept.
var ErrNotKept = errors.New("is not kept, so that it cannot be undone")

// UndoneError is the error of an undo that was done before.
type UndoneError struct {
	Number int // of the load that was undone
	By     int // the number of the undo
}

// Error names the load.
func (e *UndoneError) Error() string {
	return fmt.Sprintf("load %d is undone already, by load %d", e.Number, e.By)
}

// ToUndo finds the load to undo among loads, the newest first, that begin with the last.
// The error is *UndoneError where an undo took it back, or where it is one, and else wraps
// ErrNotKept. The load is nil where it is not kept.
func ToUndo(loads []Past, number int) (*Past, error) {
	var undone error
	for i := range loads {
		switch e := &loads[i]; {
		case e.Undoes == number:
			undone = &UndoneError{Number: number, By: e.Number}
		case e.Number == number && e.Undoes > 0:
			return e, &UndoneError{Number: e.Undoes, By: e.Number}
		case e.Number == number:
			return e, undone
		}
	}
	return nil, fmt.Errorf("load %d %w", number, ErrNotKept)
}

// ChangedError refuses to undo a load after which its records were changed (D72).
type ChangedError struct {
	Number  int      `json:"load"`
	Records []Change `json:"changedSince"` // the record, its key and its name
}

// shownChanged bounds the records that the message names.
const shownChanged = 10

// Error names the first of the records.
func (e *ChangedError) Error() string {
	names := make([]string, min(len(e.Records), shownChanged))
	for i := range names {
		names[i] = e.Records[i].called(e.Records[i].Key)
	}
	if more := len(e.Records) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("load %d cannot be undone: changed since: %s", e.Number, strings.Join(names, ", "))
}
