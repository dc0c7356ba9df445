package dataset

import (
	"touchline/shared/dataset/ids"
	"touchline/shared/dataset/times"
	"touchline/shared/sport"
)

// Settle resolves what depends on competitions that the set itself holds: the
// season of a team or match that names none, and kick-offs without an offset.
// It is for checking a folder without a table; what depends on a competition
// that is not in the set stays as it is. The faults are those of kick-offs.
// resolve does for a match what Settle has done for the teams: see package relations.
func (s *Set) Settle() (resolve func(*Record[Match]), faults, warnings []Fault) {
	for _, t := range s.Teams {
		if v := &t.Value; !t.Deleted && v.CompetitionID != "" && v.Season == 0 {
			v.Season = s.CurrentSeason(v.CompetitionID)
		}
	}
	var zones times.Zones
	for _, m := range s.Matches.All() {
		at := Fault{File: m.Origin.File, Line: m.Origin.Line, Field: "kickoffLocal"}
		shown, err := s.settle(m, &zones)
		if err != nil {
			at.Message = err.Error()
			faults = append(faults, at)
		} else if at.Message = shown.Warning(); at.Message != "" {
			warnings = append(warnings, at)
		}
	}
	return func(m *Record[Match]) { _, _ = s.settle(m, &zones) }, faults, warnings
}

// settle resolves a match. The error is that of its kick-off.
func (s *Set) settle(m *Record[Match], zones *times.Zones) (shown times.Shown, err error) {
	b := &m.Value.Base
	if m.Deleted || b.CompetitionID == "" {
		return shown, nil
	}
	if b.Season == 0 {
		b.Season = s.CurrentSeason(b.CompetitionID)
	}
	c := s.Season(b.CompetitionID, b.Season)
	if c == nil || m.Value.KickoffLocal == "" {
		return shown, nil
	}
	kickoff, shown, err := zones.Kickoff(m.Value.KickoffLocal, c.Timezone)
	if err == nil {
		b.Kickoff, m.Value.KickoffLocal = kickoff, ""
	}
	return shown, err
}

// Season returns the set's record of a season, nil if there isn't one.
func (s *Set) Season(id sport.ID, year int) *sport.Competition {
	for _, c := range s.seasons[ids.Pack(id)] {
		if c.Value.Season == year {
			return &c.Value
		}
	}
	return nil
}

// CurrentSeason is the season that is called current, else the highest of those
// that are not called otherwise, else the highest; 0: the set holds none.
func (s *Set) CurrentSeason(id sport.ID) int {
	best, rank := 0, -1
	for _, c := range s.seasons[ids.Pack(id)] {
		r := 1
		if current := c.Value.Current; current != nil {
			r = 0
			if *current {
				r = 2
			}
		}
		if r > rank || r == rank && c.Value.Season > best {
			best, rank = c.Value.Season, r
		}
	}
	return best
}
