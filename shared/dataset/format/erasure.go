package format

import (
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

var erasureFields = []jsonl.Field[dataset.Erasure]{
	jsonl.Required("kind", jsonl.OneOf(files.SportKinds()), func(e *dataset.Erasure) *sport.Kind { return &e.Kind }),
	jsonl.Required("id", jsonl.String(digest), func(e *dataset.Erasure) *sport.ID { return &e.ID }),
	jsonl.Optional("season", season, func(e *dataset.Erasure) *int { return &e.Season }),
	jsonl.Required("day", jsonl.String(day), func(e *dataset.Erasure) *string { return &e.Day }),
	jsonl.Required("federation", jsonl.String(digest), func(e *dataset.Erasure) *sport.ID { return &e.Federation }),
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
func AppendErasure(dst []byte, e *dataset.Erasure) []byte {
	return append(jsonl.AppendObject(dst, erasureFields, e), '\n')
}

// erasure reads a line of erased.ndjson. With a fault in it no part of a dataset is loaded:
// that could bring back whom it means.
func (r *reader) erasure(text []byte, at dataset.Origin) {
	l := jsonl.New(r.ids, r.faults.AddFile, r.set.Warnings.Add)
	l.Start(text, at)
	e := dataset.Erasure{Origin: at}
	jsonl.ReadObject(l, erasureFields, &e)
	l.End()
	if l.Faults() == 0 {
		r.set.Erasures = append(r.set.Erasures, e)
	}
}
