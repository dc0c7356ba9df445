package wire

import (
	"time"

	"touchline/shared/sport"
)

// Instant is a point in time as answers show it.
type Instant string

// instantForm is UTC with milliseconds, always (D32).
const instantForm = "2006-01-02T15:04:05.000Z"

// At shows t.
func At(t time.Time) Instant { return Instant(t.UTC().Format(instantForm)) }

// Time is the point in time.
func (i Instant) Time() (time.Time, error) { return time.Parse(instantForm, string(i)) }

// AtMilli shows a time in Unix milliseconds.
func AtMilli(ms int64) Instant { return At(time.UnixMilli(ms)) }

// nullable is nil, which is written as null, for the zero value: records have it for
// what is not known.
func nullable[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

// Score are the goals, or the scored penalties, of two sides.
type Score struct {
	Home int `json:"home"`
	Away int `json:"away"`
}

func scoreOf(s *sport.Score) Score { return Score{Home: s.Home, Away: s.Away} }

// orNull shows what may not be there.
func orNull[R, T any](r *R, show func(*R) T) *T {
	if r == nil {
		return nil
	}
	return new(show(r))
}

// each shows a list, which is never null.
func each[R, T any](list []R, show func(*R) T) []T {
	shown := make([]T, 0, len(list))
	for i := range list {
		shown = append(shown, show(&list[i]))
	}
	return shown
}
