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

// Packed are the parts of a match in their packed form. The zero value has none.
type Packed struct {
	text  []byte
	words *ids.Words // what text refers to
}

// Pack packs the parts of a match, with the words of its dataset; parts that hold
// nothing give the zero value.
func Pack(words *ids.Words, all Parts) Packed {
	if all.Lineups == nil && len(all.Events) == 0 && all.Statistics == nil {
		return Packed{}
	}
	return Packed{packed.AppendWith(words, nil, &all), words}
}

// Of are the parts that Text gave.
func Of(words *ids.Words, text []byte) Packed { return Packed{text, words} }

// Text is what is packed: nothing where there are no parts.
func (p Packed) Text() []byte { return p.text }

// IsZero reports whether there are no parts.
func (p Packed) IsZero() bool { return len(p.text) == 0 }

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
