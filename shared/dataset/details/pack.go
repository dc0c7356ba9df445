package details

import (
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

// Packed are the details of a match as they are stored. The zero value has none.
type Packed []byte

// Pack takes the details out of a match and packs them. Details that hold nothing give
// the zero value.
func Pack(m *sport.Match) Packed {
	all := Details{m.Lineups, m.Events, m.Statistics}
	m.Lineups, m.Events, m.Statistics = nil, nil, nil
	if all.Lineups == nil && len(all.Events) == 0 && all.Statistics == nil {
		return nil
	}
	return packed.Deflate(&all)
}

// Unpack puts the details, if there are any, into their match. Ids of events that had none
// stay empty.
func (p Packed) Unpack(m *sport.Match) {
	if len(p) == 0 {
		return
	}
	var all Details
	if err := packed.Unmarshal(p, &all); err != nil {
		panic(err) // Pack wrote it, and it has not left memory
	}
	m.Lineups, m.Events, m.Statistics = all.Lineups, all.Events, all.Statistics
}
