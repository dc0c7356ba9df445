package dataset

import (
	"encoding/binary"
	"slices"

	"touchline/shared/sport"
)

// A packed match holds its line-ups, events and statistics in about a tenth of
// the memory of the structs: players are numbers of the set's names, values of
// a set are its places, numbers are varints. The form lives in memory only.

// Bits of what a packed match, entry and event hold.
const (
	hasLineups = 1 << iota
	isConfirmed
	hasEvents
	hasStatistics
)

const (
	isCaptain = 1 << iota
	hasGrid
	entryBits = iota // the position follows, from 0 for none
)

const (
	hasID = 1 << iota
	hasPlayer
	hasAssist
	hasPlayerIn
	hasPlayerOut
	hasExtra
)

// packer appends to a packed match.
type packer struct {
	out   []byte
	names *names
}

func (p *packer) uint(n int) {
	p.out = binary.AppendUvarint(p.out, uint64(n)) //nolint:gosec // counts, bounded at reading
}

func (p *packer) text(s string) {
	p.uint(len(s))
	p.out = append(p.out, s...)
}

func (p *packer) ref(id sport.ID) {
	if id != "" {
		p.uint(int(p.names.number(id)))
	}
}

// pack moves the parts of a match that Read has filled in into their packed
// form.
func (m *Match) pack(shared *names) {
	b := &m.Base
	flags := 0
	if b.Lineups != nil {
		flags |= hasLineups | bit(b.Lineups.Confirmed, isConfirmed)
	}
	flags |= bit(len(b.Events) > 0, hasEvents) | bit(b.Statistics != nil, hasStatistics)
	if flags != 0 {
		p := &packer{names: shared}
		p.uint(flags)
		if b.Lineups != nil {
			p.squad(b.Lineups.Home)
			p.squad(b.Lineups.Away)
		}
		if len(b.Events) > 0 {
			p.uint(len(b.Events))
			for _, e := range b.Events {
				p.event(e)
			}
		}
		if b.Statistics != nil {
			p.statistics(b.Statistics)
		}
		m.parts, m.shared = slices.Clip(p.out), shared
	}
	b.Lineups, b.Events, b.Statistics = nil, nil, nil
}

func bit(set bool, flag int) int {
	if set {
		return flag
	}
	return 0
}

func (p *packer) squad(s sport.Squad) {
	p.text(s.Formation)
	p.text(s.Coach)
	for _, entries := range [...][]sport.LineupEntry{s.Starting, s.Bench} {
		p.uint(len(entries))
		for _, e := range entries {
			p.ref(e.PlayerID)
			p.uint(bit(e.Captain, isCaptain) | bit(e.Grid != "", hasGrid) | place(positions, e.Position)<<entryBits)
			if e.Grid != "" {
				p.text(e.Grid)
			}
		}
	}
}

// place is where a value stands in its set, from 1; 0 is none.
func place[T comparable](values []T, v T) int { return slices.Index(values, v) + 1 }

func (p *packer) event(e sport.Event) {
	p.uint(bit(e.ID != "", hasID) | bit(e.PlayerID != "", hasPlayer) | bit(e.AssistID != "", hasAssist) |
		bit(e.PlayerInID != "", hasPlayerIn) | bit(e.PlayerOutID != "", hasPlayerOut) | bit(e.ExtraMinute != 0, hasExtra))
	p.uint(place(eventTypes, e.Type))
	p.uint(place(eventDetails, e.Detail))
	p.uint(place(periods, e.Period))
	p.uint(place(sides, e.Side))
	p.uint(e.Minute)
	if e.ExtraMinute != 0 {
		p.uint(e.ExtraMinute)
	}
	if e.ID != "" {
		b := binaryOf(e.ID)
		p.out = append(p.out, b[:]...)
	}
	for _, id := range [...]sport.ID{e.PlayerID, e.AssistID, e.PlayerInID, e.PlayerOutID} {
		p.ref(id)
	}
}

func (p *packer) statistics(v *sport.MatchStatistics) {
	p.figures(&v.Home)
	p.figures(&v.Away)
	p.uint(len(v.Periods))
	for i := range v.Periods {
		p.uint(place(periods, v.Periods[i].Period))
		p.figures(&v.Periods[i].Home)
		p.figures(&v.Periods[i].Away)
	}
}

// figures packs each figure as its value and 1, with 0 for one not known.
func (p *packer) figures(v *sport.StatLine) {
	for _, f := range figures {
		n := 0
		if known := *f.of(v); known != nil {
			n = *known + 1
		}
		p.uint(n)
	}
}

// unpacker takes a packed match apart.
type unpacker struct {
	in    []byte
	names *names
}

func (u *unpacker) uint() int {
	n, size := binary.Uvarint(u.in)
	u.in = u.in[size:]
	return int(n) //nolint:gosec // what packer wrote
}

func (u *unpacker) text() string {
	n := u.uint()
	s := string(u.in[:n])
	u.in = u.in[n:]
	return s
}

func (u *unpacker) ref(there bool) sport.ID {
	if !there {
		return ""
	}
	return u.names.ids[u.uint()]
}

// unpack fills in the parts of a match. Ids of events that had none stay empty.
func unpack(parts []byte, shared *names, m *sport.Match) {
	u := &unpacker{in: parts, names: shared}
	flags := u.uint()
	if flags&hasLineups != 0 {
		m.Lineups = &sport.Lineups{Confirmed: flags&isConfirmed != 0, Home: u.squad(), Away: u.squad()}
	}
	if flags&hasEvents != 0 {
		m.Events = make([]sport.Event, u.uint())
		for i := range m.Events {
			m.Events[i] = u.event()
		}
	}
	if flags&hasStatistics != 0 {
		m.Statistics = u.statistics()
	}
}

func (u *unpacker) squad() sport.Squad {
	s := sport.Squad{Formation: u.text(), Coach: u.text()}
	s.Starting = u.entries()
	s.Bench = u.entries()
	return s
}

func (u *unpacker) entries() []sport.LineupEntry {
	n := u.uint()
	if n == 0 {
		return nil
	}
	entries := make([]sport.LineupEntry, n)
	for i := range entries {
		e := &entries[i]
		e.PlayerID = u.ref(true)
		flags := u.uint()
		e.Captain = flags&isCaptain != 0
		e.Position = at(positions, flags>>entryBits)
		if flags&hasGrid != 0 {
			e.Grid = u.text()
		}
	}
	return entries
}

// at is the inverse of place.
func at[T ~string](values []T, place int) T {
	if place == 0 {
		return ""
	}
	return values[place-1]
}

func (u *unpacker) event() sport.Event {
	flags := u.uint()
	e := sport.Event{
		Type: at(eventTypes, u.uint()), Detail: at(eventDetails, u.uint()),
		Period: at(periods, u.uint()), Side: at(sides, u.uint()), Minute: u.uint(),
	}
	if flags&hasExtra != 0 {
		e.ExtraMinute = u.uint()
	}
	if flags&hasID != 0 {
		e.ID = binaryID(u.in[:len(binaryID{})]).id()
		u.in = u.in[len(binaryID{}):]
	}
	e.PlayerID = u.ref(flags&hasPlayer != 0)
	e.AssistID = u.ref(flags&hasAssist != 0)
	e.PlayerInID = u.ref(flags&hasPlayerIn != 0)
	e.PlayerOutID = u.ref(flags&hasPlayerOut != 0)
	return e
}

func (u *unpacker) statistics() *sport.MatchStatistics {
	v := &sport.MatchStatistics{}
	u.figures(&v.Home)
	u.figures(&v.Away)
	if n := u.uint(); n > 0 {
		v.Periods = make([]sport.PeriodStatistics, n)
	}
	for i := range v.Periods {
		v.Periods[i].Period = at(periods, u.uint())
		u.figures(&v.Periods[i].Home)
		u.figures(&v.Periods[i].Away)
	}
	return v
}

func (u *unpacker) figures(v *sport.StatLine) {
	for _, f := range figures {
		if n := u.uint(); n > 0 {
			n--
			*f.of(v) = &n
		}
	}
}
