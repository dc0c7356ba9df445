package world

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"time"

	"touchline/shared/dataset/details"
	"touchline/shared/packed"
	"touchline/shared/sport"
)

// hashLength is how many bytes of a SHA-256 identify details: enough that none
// of billions is taken for another.
const hashLength = 16

// NewMatch keeps what tables and lists need of a match, and the rest as it is stored:
// nil where it is still to be packed.
func NewMatch(full sport.Match, stored details.Packed) *Match {
	m := &Match{Match: full}
	m.Lineups, m.Events, m.Statistics = nil, nil, nil
	m.Kickoff = m.Kickoff.Truncate(time.Millisecond)
	if full.Lineups == nil && len(full.Events) == 0 && full.Statistics == nil {
		return m
	}
	d := &details.Details{Lineups: full.Lineups, Events: full.Events, Statistics: full.Statistics}
	sum := sha256.Sum256(packed.Marshal(d))
	m.DetailHash = sum[:hashLength]
	if m.Detail = stored; stored == nil {
		m.Detail = packed.Deflate(d)
	}
	m.Squad = squadOf(&full)
	return m
}

// squadOf are the players whom a match shows, in id order: those of its line-ups, if these
// are published (D45), and those whom its events name.
func squadOf(m *sport.Match) []sport.ID {
	shown := *m
	if m.Lineups != nil && !m.Lineups.Confirmed {
		shown.Lineups = nil
	}
	squad := shown.Involved()
	slices.Sort(squad)
	return slices.Compact(squad)
}

func unpackDetails(b []byte) (*details.Details, error) {
	d := new(details.Details)
	if err := packed.Unmarshal(b, d); err != nil {
		return nil, fmt.Errorf("decode the details of a match: %w", err)
	}
	return d, nil
}

// Full is a match in a view with its details, as it counts (Ruled). Periods and ids of
// events that the dataset left out are filled in (details.Complete). The details must have
// been fetched; where they cannot be read, Err says so.
func (w *World) Full(v View, m *Match) *sport.Match {
	given, err := m.Full()
	w.failed = cmp.Or(w.failed, err)
	details.Complete(cmp.Or(m.Key, string(m.ID)), w.Clock(v, m), given.Events)
	if c := w.Competitions.At(v, m.SeasonID()); c != nil {
		return c.Ruled(&given)
	}
	return &given
}

// Clock is how a match is divided: as its competition says, a friendly in halves.
func (w *World) Clock(v View, m *Match) sport.Clock {
	if c := w.Competitions.At(v, m.SeasonID()); c != nil {
		return c.Rules.Clock()
	}
	return sport.Halves()
}

// Full is the match with its details as they are given, which must have been fetched.
func (m *Match) Full() (sport.Match, error) {
	full := m.Match
	if len(m.DetailHash) == 0 {
		return full, nil
	}
	d, err := unpackDetails(m.Detail)
	if err != nil {
		return full, err
	}
	full.Lineups, full.Events, full.Statistics = d.Lineups, d.Events, d.Statistics
	return full, nil
}

// Lineup is whom a match makes players of its competition.
type Lineup struct {
	Season SeasonID
	Squad  []sport.ID
}

// Appearing is whom a match makes a player of its competition: those whom it shows, unless
// it is a friendly or outside every scope.
func (w *World) Appearing(v View, id sport.ID) Lineup {
	m := w.Matches.At(v, id)
	if m == nil || m.CompetitionID == "" || len(m.Squad) == 0 {
		return Lineup{}
	}
	if w.Competitions.At(v, m.SeasonID()) == nil || w.MatchHidden(v, m) {
		return Lineup{}
	}
	return Lineup{Season: m.SeasonID(), Squad: m.Squad}
}

// NoteAppearances notes what changes between the two views of a match.
func (w *World) NoteAppearances(id sport.ID) {
	was, is := w.Appearing(Before, id), w.Appearing(After, id)
	for _, x := range was.Squad {
		w.appearances.Remove(x, appearance{was.Season, id})
	}
	for _, x := range is.Squad {
		w.appearances.Add(x, appearance{is.Season, id})
	}
}

// SetLineups decides, in the view after, in the matches of which competitions a player
// appears: as it is stored, but in the seasons whose matches it may have left, which must
// have been read (AppearancesIn), and with those that it comes to.
func (w *World) SetLineups(id sport.ID, left Set[SeasonID]) {
	x := w.Players.At(After, id)
	if x == nil {
		return
	}
	in := Set[SeasonID]{}
	for _, s := range x.Lineups {
		if !left.Has(s) {
			in.Add(s)
		}
	}
	for a := range w.appearances.In(After, id) {
		in.Add(a.SeasonID)
	}
	w.Players.Renew(id, func(x *Player) {
		if lineups := slices.SortedFunc(maps.Keys(in), SeasonID.Compare); !slices.Equal(lineups, x.Lineups) {
			x.Lineups = lineups
		}
	})
}
