package history

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"touchline/shared/dataset/jsonl"
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
	return jsonl.Merge(is, back).Text(), nil
}

// LargestUndo bounds, in bytes before it is packed, the way back that is kept of a load:
// that of some hundred thousand records. A larger load cannot be undone.
const LargestUndo = 32 << 20

// WayBack collects the way back of a load. Where it is too large, it is not kept.
type WayBack struct {
	Limit int // bytes
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
	return deflated(b.lines)
}

// steps reads what packed gave.
func steps(packed []byte) (all []Step, err error) {
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
