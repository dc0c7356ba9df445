package route

import (
	"time"

	"touchline/shared/sport"
)

// Bound is an inclusive bound on kickoff, in UTC. Kickoffs are whole
// milliseconds, so From is rounded up and To down to one, which keeps exactly
// the same matches.
type Bound struct {
	Set bool      // sent
	At  time.Time // between the years -1 and 10000: an offset may lead out of the four digits
}

// Time is the bound; nil where none was sent.
func (b Bound) Time() *time.Time {
	if !b.Set {
		return nil
	}
	return &b.At
}

// lastMillisecond is where a day ends for a bound (read-api, Time filters).
const lastMillisecond = 24*time.Hour - time.Millisecond

// parseBound reads a date or a time, in UTC where it has no offset (D14, D35); end says
// that a date alone is the end of its day and not the start.
func parseBound(s string, end bool) (Bound, bool) {
	st, ok := sport.ParseStamp(s)
	at := st.Wall.Add(-st.Offset)
	if st.DateOnly && end {
		at = at.Add(lastMillisecond)
	}
	return Bound{Set: ok, At: at}, ok
}

func ceilMillisecond(t time.Time) time.Time {
	return t.Add(time.Millisecond - 1).Truncate(time.Millisecond)
}
