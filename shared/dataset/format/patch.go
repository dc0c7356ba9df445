package format

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// Lookup gives the lines of stored records of a kind, for records that change some
// of their fields ("patch": true, or a row of CSV); nil for one that is not stored.
type Lookup func(ctx context.Context, kind sport.Kind, wanted []Wanted) ([][]byte, error)

// Wanted is a stored record that is asked for. Key is the id as the dataset gives it,
// and its line must give the same; Season is that of a competition, 0 for other kinds.
type Wanted struct {
	Key    string
	Season int
}

// complete gives the line of a record that changes only some fields of a stored
// one: the stored record with those fields. Other lines stay as they are. ok is false
// where the line is faulty, which is reported.
func (r *reader) complete(ctx context.Context, of files.Kind, text []byte) (line []byte, ok bool, err error) {
	if !bytes.Contains(text, []byte(`"patch"`)) {
		return text, true, nil
	}
	patch, isObject := jsonl.Split(text)
	asked := patch.Of("patch")
	if !isObject || asked == nil || of == files.Standings {
		return text, true, nil // what is wrong with it, if anything, is found as in any line
	}
	r.line.Start(text, r.line.Origin())
	switch {
	case asked.Kind() != 't' && asked.Kind() != 'f':
		r.line.Fault("patch", "must be true or false")
		return nil, false, nil
	case asked.Kind() == 'f':
		return patch.Without("patch").Text(), true, nil
	case patch.Of("deleted").Kind() == 't', patch.Of("erase").Kind() == 't':
		r.line.Fault("patch", "cannot stand in a deletion")
		return nil, false, nil
	}
	wanted, identified := wantedBy(of, patch)
	if !identified {
		return patch.Without("patch").Text(), true, nil // as a whole record it lacks the same field
	}
	stored, err := r.stored(ctx, of.Holds(), []Wanted{wanted})
	if err != nil {
		return nil, false, err
	}
	base, isObject := jsonl.Split(stored[0])
	if !isObject {
		what := dataset.Quoted(of.Holds(), wanted.Key)
		if wanted.Season != 0 {
			what = fmt.Sprintf("season %d of %s", wanted.Season, what)
		}
		r.line.Faultf("id", "%s is not stored: a record with patch changes one that is", what)
		return nil, false, nil
	}
	r.over = patch
	line, ok = r.patched(of, base, patch)
	return line, ok, nil
}

// patched gives a stored record the fields of a patch, and a match the events that it
// appends.
func (r *reader) patched(of files.Kind, stored, patch jsonl.Object) (line []byte, ok bool) {
	if of == files.Matches {
		id := func(key string) string { return string(dataset.ID(sport.KindEvent, key)) }
		if patch, ok = jsonl.Extend(stored, patch, "events", appendEvents, id); !ok {
			r.line.Fault(appendEvents, "must be a list of events, and cannot stand beside events")
			return nil, false
		}
	}
	return jsonl.Merge(lessWinner(of, stored, patch), patch).Text(), true
}

// lessWinner is a stored record without the winner, where it is a match that has another
// with the result that is given: it was the winner by the former one.
func lessWinner(of files.Kind, stored, given jsonl.Object) jsonl.Object {
	winner := string(stored.Of("winner"))
	if of != files.Matches || winner == "" {
		return stored
	}
	var m sport.Match
	by := func(o jsonl.Object) string {
		_ = json.Unmarshal(o.Of("status"), &m.Status) // what is faulty is reported with its record
		_ = json.Unmarshal(o.Of("score"), &m.Score)
		_ = json.Unmarshal(o.Of("penalties"), &m.Penalties)
		return strconv.Quote(string(m.WonBy("")))
	}
	if before := by(stored); before != winner || by(given) == before {
		return stored
	}
	return slices.DeleteFunc(stored, func(m jsonl.Member) bool { return m.Name == "winner" })
}

// appendEvents is the field of a patch whose events come after those that are stored.
const appendEvents = "appendEvents"

// wantedBy is the stored record that a patch or a row is about; false where it does not
// say which.
func wantedBy(of files.Kind, given jsonl.Object) (w Wanted, ok bool) {
	w.Key = string(jsonl.NFC([]byte(jsonl.TextOf(given.Of("id")))))
	if of == files.Competitions {
		w.Season, _ = strconv.Atoi(string(given.Of("season")))
	}
	return w, w.Key != "" && (of != files.Competitions || w.Season != 0)
}
