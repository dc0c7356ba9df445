package parts

import (
	"touchline/shared/dataset/ids"
	"touchline/shared/packed"
	"touchline/shared/sport"
)

// Parts are those of one match.
type Parts struct {
	Lineups    *sport.Lineups
	Events     []sport.Event
	Statistics *sport.MatchStatistics
}

// Packer packs the parts of a dataset's matches. It numbers their strings: the ids
// of the dataset, even, and what is no id, odd. Other ids, which are those of
// events, are written out.
type Packer struct{ words *words }

// NewPacker gives a packer for a dataset with these ids.
func NewPacker(table *ids.Table) Packer {
	return Packer{&words{ids: table, numbers: map[string]uint64{}}}
}

// Packed are the parts of a match in their packed form. The zero value has none.
type Packed struct {
	text  []byte
	words *words // what text refers to
}

// Pack packs the parts of a match; parts that hold nothing give the zero value.
func (p Packer) Pack(all Parts) Packed {
	if all.Lineups == nil && len(all.Events) == 0 && all.Statistics == nil {
		return Packed{}
	}
	return Packed{packed.AppendWith(p.words, nil, &all), p.words}
}

// IsZero reports whether there are no parts.
func (p Packed) IsZero() bool { return p.text == nil }

// Unpack gives the parts. Ids of events that had none stay empty.
func (p Packed) Unpack() Parts {
	var all Parts
	if p.IsZero() {
		return all
	}
	if err := packed.ValueWith(p.words, p.text, &all); err != nil {
		panic(err) // Pack wrote it, and it has not left memory
	}
	return all
}

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
