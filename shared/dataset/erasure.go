package dataset

import (
	"time"

	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// Erasure is a line of erased.ndjson: a record was erased in a table of a federation, and
// is refused from then on where the line was loaded (D92).
type Erasure struct {
	Target            // its id as the table keeps it, a digest; Season 0: any of a competition, or another kind
	Day        string // YYYY-MM-DD
	Federation sport.ID
	Origin     Origin
}

var erasureFields = []jsonl.Field[Erasure]{
	jsonl.Required("kind", jsonl.OneOf(sportKinds[:]), func(e *Erasure) *sport.Kind { return &e.Kind }),
	jsonl.Required("id", jsonl.String(digest), func(e *Erasure) *sport.ID { return &e.ID }),
	jsonl.Optional("season", season, func(e *Erasure) *int { return &e.Season }),
	jsonl.Required("day", jsonl.String(day), func(e *Erasure) *string { return &e.Day }),
	jsonl.Required("federation", jsonl.String(digest), func(e *Erasure) *sport.ID { return &e.Federation }),
}

func digest(l *jsonl.Line) sport.ID {
	text := l.Text(sport.IDLength)
	if text != "" && !sport.IsID(text) {
		l.Fault("", "must be an id of 24 digits, as an export writes it")
	}
	return sport.ID(text)
}

func day(l *jsonl.Line) string {
	text := l.Text(len(time.DateOnly))
	if _, err := time.Parse(time.DateOnly, text); text != "" && err != nil {
		l.Fault("", "must be a date such as 2026-03-14")
	}
	return text
}

// AppendErasure appends an erasure to dst as a line of erased.ndjson, line end included.
func AppendErasure(dst []byte, e *Erasure) []byte {
	return append(jsonl.AppendObject(dst, erasureFields, e), '\n')
}

// erasure reads a line of erased.ndjson. With a fault in it no part of a dataset is loaded:
// that could bring back whom it means.
func (r *reader) erasure(text []byte, at Origin) {
	l := jsonl.New(r.set.ids, r.faults.AddFile, r.set.Warnings.Add)
	l.Start(text, at)
	e := Erasure{Origin: at}
	jsonl.ReadObject(l, erasureFields, &e)
	l.End()
	if l.Faults() == 0 {
		r.set.Erasures = append(r.set.Erasures, e)
	}
}
