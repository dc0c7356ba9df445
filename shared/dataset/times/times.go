// Package times reads the times of a dataset: instants with an offset, kick-offs
// in the time zone of a competition, and the end of a competition (dataset.md,
// D14, D35). Errors read on after a field's name.
//
// Time zones come from the system or from an embedded time/tzdata, which is for
// the commands to import.
package times

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"touchline/shared/sport"
)

// What a time must look like. The texts read on after a field's name.
var (
	ErrInstant = errors.New("must be a time with an offset, such as 2025-08-01T20:30:00+02:00; one without is kickoffLocal")
	ErrLocal   = errors.New("must be a date, or a date and a time without an offset, such as 2025-10-04 18:00 or 04.10.2025 18:00")
	ErrEnd     = errors.New("must be a date or a time, such as 2025-05-24, 24.05.2025 or 2025-05-24T23:59:59+02:00")
)

// parseStamp reads a date or a time (D14, D35) of a year from 0001. Fractions finer
// than a millisecond are cut.
// They may be written as spreadsheets do (iso).
func parseStamp(s string) (sport.Stamp, bool) {
	st, ok := sport.ParseStamp(iso(s))
	st.Wall = st.Wall.Truncate(time.Millisecond)
	return st, ok && st.Wall.Year() >= 1
}

// ParseInstant reads a time with an offset as UTC. Fractions finer than a millisecond
// are cut.
func ParseInstant(s string) (time.Time, error) {
	st, ok := parseStamp(s)
	t := st.Wall.Add(-st.Offset)
	if !ok || !st.Zoned || !writable(t) {
		return time.Time{}, ErrInstant
	}
	return t, nil
}

// Written is a time as an instant with milliseconds (D32); the zero time is empty.
func Written(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// writable reports whether a UTC time has a year of four digits, as responses
// write it (D32).
func writable(t time.Time) bool { return t.Year() >= 1 && t.Year() <= 9999 }

// ParseLocal reads a time without an offset: the digits as if they were UTC. A
// date alone is midnight, and dateOnly.
func ParseLocal(s string) (wall time.Time, dateOnly bool, err error) {
	st, ok := parseStamp(s)
	if !ok || st.Zoned {
		return time.Time{}, false, ErrLocal
	}
	return st.Wall, st.DateOnly, nil
}

// Zones resolves times without an offset, remembering the time zones it has
// loaded. The zero value is ready to use, also concurrently.
type Zones struct {
	mu     sync.Mutex
	loaded map[string]*time.Location
}

// What is odd about a wall time (D51): clocks skip an hour where summer time begins and show one
// twice where it ends.
const (
	skipped = "is skipped by the clocks of the time zone: taken for as much later"
	twice   = "is shown twice by the clocks of the time zone: taken for the first time"
)

// Kickoff gives the UTC instant of a match's kickoffLocal in the time zone of
// its competition, an IANA name; empty is UTC. A date alone is midnight.
//
// A wall time that clocks show twice (the end of summer time) is the earlier of
// the two; one that they never show (its beginning) is read with the offset
// before the change, which is as much later as the clocks were put forward.
//
// Odd is a warning about a time that clocks do not show once, and about how it is read.
func (z *Zones) Kickoff(local, zone string) (at time.Time, odd string, err error) {
	wall, dateOnly, err := ParseLocal(local)
	if err != nil {
		return time.Time{}, "", fmt.Errorf("kickoffLocal %q %w", local, err)
	}
	loc, err := z.Load(zone)
	if err != nil {
		return time.Time{}, "", err
	}
	t, odd := inZone(wall, loc)
	if !writable(t) {
		return time.Time{}, "", fmt.Errorf("kickoffLocal %q %w", local, ErrLocal)
	}
	if dateOnly {
		odd = "" // its midnight is no time that anybody gave
	}
	return t, odd, nil
}

// Load finds a time zone by its IANA name. It refuses Local, which
// time.LoadLocation takes for the zone of the machine.
func (z *Zones) Load(name string) (*time.Location, error) {
	z.mu.Lock()
	defer z.mu.Unlock()
	if loc := z.loaded[name]; loc != nil {
		return loc, nil
	}
	if name == "Local" {
		return nil, fmt.Errorf("%q is not an IANA time zone", name)
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("%q is not an IANA time zone, such as Europe/Vienna: %w", name, err)
	}
	if z.loaded == nil {
		z.loaded = map[string]*time.Location{}
	}
	z.loaded[name] = loc
	return loc, nil
}

// inZone gives the instant at which clocks of a zone show a wall time, as
// Kickoff describes it, and what is odd about it. Offsets change at most once in
// two days, so only those a day before and a day after can apply.
func inZone(wall time.Time, loc *time.Location) (at time.Time, odd string) {
	earlier := wall.Add(-offsetAt(wall.Add(-24*time.Hour), loc))
	later := wall.Add(-offsetAt(wall.Add(24*time.Hour), loc))
	switch first, second := shows(earlier, loc, wall), shows(later, loc, wall); {
	case first && second && !earlier.Equal(later):
		return earlier, twice
	case first:
		return earlier, ""
	case second:
		return later, ""
	}
	return earlier, skipped
}

func offsetAt(t time.Time, loc *time.Location) time.Duration {
	_, seconds := t.In(loc).Zone()
	return time.Duration(seconds) * time.Second
}

func shows(t time.Time, loc *time.Location, wall time.Time) bool {
	return t.Add(offsetAt(t, loc)).Equal(wall)
}

// ParseEnd reads a competition's endsAt: with an offset, or in its time zone loc.
// A date alone is the last millisecond of that day.
func ParseEnd(s string, loc *time.Location) (time.Time, error) {
	return parseBound(s, loc, func(day time.Time) time.Time {
		t, _ := inZone(day.AddDate(0, 0, 1), loc)
		return t.Add(-time.Millisecond)
	})
}

// ParseBeginning is ParseEnd for a time from which something holds: a date alone is
// the beginning of that day.
func ParseBeginning(s string, loc *time.Location) (time.Time, error) {
	return parseBound(s, loc, func(day time.Time) time.Time {
		t, _ := inZone(day, loc)
		return t
	})
}

func parseBound(s string, loc *time.Location, day func(time.Time) time.Time) (time.Time, error) {
	st, ok := parseStamp(s)
	var t time.Time
	switch {
	case st.Zoned:
		t = st.Wall.Add(-st.Offset)
	case st.DateOnly:
		t = day(st.Wall)
	default:
		t, _ = inZone(st.Wall, loc)
	}
	if !ok || !writable(t) {
		return time.Time{}, ErrEnd
	}
	return t, nil
}
