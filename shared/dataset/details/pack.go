package details

import (
	"touchline/shared/dataset/ids"
	"touchline/shared/packed"
	"touchline/shared/sport"
)

// Details are those of one match. They are stored in this form, too
// (records.DetailRecord): to change it is to change the layout.
type Details struct {
	Lineups    *sport.Lineups
	Events     []sport.Event
	Statistics *sport.MatchStatistics
}

// Packed are the details of a match in their packed form. The zero value has none.
type Packed struct {
	text  []byte
	words *ids.Words // what text refers to
}

// Pack takes the details out of a match and packs them, with the words of its dataset.
// Details that hold nothing give the zero value.
func Pack(words *ids.Words, m *sport.Match) Packed {
	all := Details{m.Lineups, m.Events, m.Statistics}
	m.Lineups, m.Events, m.Statistics = nil, nil, nil
	if all.Lineups == nil && len(all.Events) == 0 && all.Statistics == nil {
		return Packed{}
	}
	return Packed{packed.AppendWith(words, nil, &all), words}
}

// Of are the details that Text gave.
func Of(words *ids.Words, text []byte) Packed { return Packed{text, words} }

// Text is what is packed: nothing where there are no details.
func (p Packed) Text() []byte { return p.text }

// IsZero reports whether there are no details.
func (p Packed) IsZero() bool { return len(p.text) == 0 }

// Unpack puts the details, if there are any, into their match. Ids of events that had none
// stay empty.
func (p Packed) Unpack(m *sport.Match) {
	if p.IsZero() {
		return
	}
	var all Details
	if err := packed.ValueWith(p.words, p.text, &all); err != nil {
		panic(err) // Pack wrote it, and it has not left memory
	}
	m.Lineups, m.Events, m.Statistics = all.Lineups, all.Events, all.Statistics
}
