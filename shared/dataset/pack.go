package dataset

import (
	"touchline/shared/dataset/ids"
	"touchline/shared/packed"
	"touchline/shared/sport"
)

// parts are those of a match that are packed while a set is in memory: in about
// a tenth of what the structs take.
type parts struct {
	Lineups    *sport.Lineups
	Events     []sport.Event
	Statistics *sport.MatchStatistics
}

// words numbers the strings of packed matches: the ids of the dataset, even, and
// what is no id, odd. Other ids, which are those of events, are written out.
type words struct {
	ids     *ids.Table
	numbers map[string]uint64
	texts   []string
}

func (w *words) Number(s string) (uint64, bool) {
	if sport.IsID(s) {
		n, known := w.ids.Number(sport.ID(s))
		return 2 * uint64(n), known
	}
	n, known := w.numbers[s]
	if !known {
		n = uint64(len(w.texts))
		w.numbers[s], w.texts = n, append(w.texts, s)
	}
	return 2*n + 1, true
}

func (w *words) Text(number uint64) (string, bool) {
	n := number / 2
	switch {
	case number%2 == 0:
		id, known := w.ids.ID(n)
		return string(id), known
	case n < uint64(len(w.texts)):
		return w.texts[n], true
	}
	return "", false
}

// pack moves the parts of a match that Read has filled in into their packed form.
func (m *Match) pack(shared *words) {
	b := &m.Base
	if b.Lineups != nil || len(b.Events) > 0 || b.Statistics != nil {
		m.parts = packed.AppendWith(shared, nil, &parts{b.Lineups, b.Events, b.Statistics})
		m.shared = shared
	}
	b.Lineups, b.Events, b.Statistics = nil, nil, nil
}

// unpack fills in the parts of a match. Ids of events that had none stay empty.
func (m *Match) unpack(full *sport.Match) {
	if m.parts == nil {
		return
	}
	var p parts
	if err := packed.ValueWith(m.shared, m.parts, &p); err != nil {
		panic(err) // pack wrote it, and it has not left memory
	}
	full.Lineups, full.Events, full.Statistics = p.Lineups, p.Events, p.Statistics
}
