package dataset

import (
	"context"
	"fmt"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/ids"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// Presence is what a set knows of a reference's target.
type Presence uint8

// What a set can know of a target.
const (
	Unknown Presence = iota // not in the set: it may be stored
	Present                 // the set holds it
	Absent                  // the set deletes it, or replaces what would have to hold it
)

// Find returns what the set knows of a target. A record that was left out or
// dropped is Unknown: an earlier version may be stored.
func (s *Set) Find(t Target) Presence {
	switch t.Kind {
	case sport.KindCompetition:
		return s.findSeason(t.ID, t.Season)
	case sport.KindGroup:
		return s.findGroup(t)
	}
	k, ok := kindOf(t.Kind)
	if !ok {
		return Unknown
	}
	return s.index[Identity{Kind: k, ID: ids.Pack(t.ID)}].is
}

func kindOf(k sport.Kind) (files.Kind, bool) {
	of := files.Holding(k)
	return of, of.HasRecords() && k != sport.KindCompetition
}

// findSeason finds a season of a competition; season 0 is any.
func (s *Set) findSeason(id sport.ID, season int) Presence {
	if season == 0 && len(s.seasons[ids.Pack(id)]) > 0 {
		return Present
	}
	if s.index[SeasonOf(id, 0)].is == Absent {
		return Absent
	}
	if season == 0 {
		return Unknown
	}
	return s.index[SeasonOf(id, season)].is
}

// findGroup finds a group in its competition, or in a child of it where that
// will do. A season that the set holds has the groups of its record and no
// others.
func (s *Set) findGroup(t Target) Presence {
	if s.seasonHas(t.Competition, t.Season, t.ID) {
		return Present
	}
	if t.Child {
		owner := s.groups[ids.Pack(t.ID)].ID()
		for _, c := range s.seasons[ids.Pack(owner)] {
			if c.Value.ParentID == t.Competition && s.seasonHas(owner, t.Season, t.ID) {
				return Present
			}
		}
		return Unknown
	}
	switch where := s.findSeason(t.Competition, t.Season); {
	case where == Absent, where == Present && t.Season != 0:
		return Absent
	}
	return Unknown
}

// seasonHas reports whether the set's record of a season, 0 for any, lists a
// group.
func (s *Set) seasonHas(competition sport.ID, season int, group sport.ID) bool {
	for _, c := range s.seasons[ids.Pack(competition)] {
		if season != 0 && c.Value.Season != season {
			continue
		}
		for _, g := range c.Value.Groups {
			if g.ID == group {
				return true
			}
		}
	}
	return false
}

// deletes reports whether a target is one of the records that the set deletes.
func (s *Set) deletes(t Target) bool {
	return t.Kind != sport.KindGroup && s.Find(t) == Absent
}

// Stays reports which of some distinct targets, none of them in the set, are
// stored and stay stored: one value for each target. A competition's target
// with a season is that season.
type Stays func(ctx context.Context, targets []Target) ([]bool, error)

// Resolve checks every reference of the set. It calls stays for the targets
// that are not in the set, each once, except those that the set deletes. The
// faults are those of the references whose targets do not exist, nil for none. A
// reference to a record that was left out for its own fault is no second fault.
//
// With drop, the records that hold such references leave the set, and then
// those that refer to what has left, until the rest is whole: a good part. Each
// of them is a fault, since it is not loaded.
func (s *Set) Resolve(ctx context.Context, stays Stays, drop bool) (*Faults, error) {
	faults := &jsonl.Faults{}
	hints := &hints{set: s, left: maxHints}
	stored := map[Target]bool{}
	for {
		whole, err := s.ask(ctx, stays, stored)
		if err != nil {
			return nil, err
		}
		if whole {
			break
		}
		broken := map[Origin]bool{}
		for ref := range s.References() {
			if s.holds(ref.Target, stored) || !drop && s.faulty(ref.Target) {
				continue
			}
			if ref.Kind == sport.KindGroup && !s.holds(Target{Kind: sport.KindCompetition, ID: ref.Competition, Season: ref.Season}, stored) {
				continue // the reference to its competition is the fault
			}
			faults.Add(ref.fault(hints))
			broken[ref.From] = true
		}
		if len(broken) > 0 && drop {
			s.drop(broken)
			continue
		}
		break
	}
	if faults.Count() == 0 {
		return nil, nil //nolint:nilnil // no faults, no error
	}
	return faults, nil
}

// holds reports whether a target is in the set, or is stored and stays so.
func (s *Set) holds(t Target, stored map[Target]bool) bool {
	where := s.Find(t)
	return where == Present || where == Unknown && stored[t]
}

// ask calls stays for the targets that are neither in the set nor in stored, and keeps
// the answers in stored. whole is true if every target is then known to be in one of the
// two.
func (s *Set) ask(ctx context.Context, stays Stays, stored map[Target]bool) (whole bool, err error) {
	var targets []Target
	whole = true
	for ref := range s.References() {
		switch s.Find(ref.Target) {
		case Present:
		case Absent:
			whole = false
		case Unknown:
			is, asked := stored[ref.Target]
			if !asked {
				is, stored[ref.Target] = true, true // until there is an answer
				targets = append(targets, ref.Target)
			}
			whole = whole && is
		}
	}
	if len(targets) == 0 {
		return whole, nil
	}
	answers, err := stays(ctx, targets)
	if err != nil {
		return false, err
	}
	if len(answers) != len(targets) {
		return false, fmt.Errorf("asked for %d targets, got %d answers", len(targets), len(answers))
	}
	for i, t := range targets {
		stored[t] = answers[i]
		whole = whole && answers[i]
	}
	return whole, nil
}

// Drop removes from the set the records at the lines of some faults, for a
// caller that has found them faulty itself. Resolve, called after it, drops
// what refers to them.
func (s *Set) Drop(faults []Fault) {
	at := make(map[Origin]bool, len(faults))
	for _, f := range faults {
		at[Origin{File: f.File, Line: f.Line}] = true
	}
	s.drop(at)
}

func (s *Set) drop(gone map[Origin]bool) {
	s.Organizations = keep(s, s.Organizations, gone)
	s.Competitions = keep(s, s.Competitions, gone)
	s.Teams = keep(s, s.Teams, gone)
	s.Players.keep(gone)
	s.Matches.keep(gone)
	s.Standings = keep(s, s.Standings, gone)
	clear(s.seasons)
	for _, c := range s.Competitions {
		s.hold(c)
	}
}

// takeOut notes that a record of the set is in it no more.
func (s *Set) takeOut(who Identity, at Origin, hides bool) {
	left := s.index[who]
	left.is = Unknown
	s.index[who] = left
	s.leaveOut(who, at, hides)
}

// keep gives the records that stay, and notes those that leave the set.
func keep[T Entity](s *Set, records []*Record[T], gone map[Origin]bool) []*Record[T] {
	kept := records[:0]
	for _, rec := range records {
		if !gone[rec.Origin] {
			kept = append(kept, rec)
			continue
		}
		c, season := any(rec).(*Record[sport.Competition])
		v := Visibility(&rec.Value)
		s.takeOut(IdentityOf(rec), rec.Origin, v != nil && *v != "" && *v != sport.Public || season && c.Value.Rules.HidePlayers)
	}
	clear(records[len(kept):])
	return kept
}

// faulty reports whether a target is, or may be, a record of the dataset that was
// left out for its own fault: that nothing else holds it is no second fault.
func (s *Set) faulty(t Target) bool {
	switch t.Kind {
	case sport.KindCompetition, sport.KindGroup:
		id := t.ID
		if t.Kind == sport.KindGroup {
			id = t.Competition
		}
		if _, left := s.faultyCompetitions[ids.Pack(id)]; left || s.unread[files.Competitions] {
			return true
		}
		return t.Child && len(s.faultyCompetitions) > 0 // one of them may be the child
	}
	k, ok := kindOf(t.Kind)
	if !ok {
		return false
	}
	p, named := s.index[Identity{Kind: k, ID: ids.Pack(t.ID)}]
	return named && p.is == Unknown || s.unread[k]
}
