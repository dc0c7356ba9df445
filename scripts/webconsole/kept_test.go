package webconsole

import (
	"errors"
	"testing"
	"time"
)

func TestAValueIsReadOnceInItsTerm(t *testing.T) {
	var v kept[int]
	reads := 0
	read := func() (int, error) { reads++; return reads, nil }
	begin := time.Date(2026, time.March, 14, 15, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		after  time.Duration
		forget bool
		want   int
	}{{0, false, 1}, {keptTerm - 1, false, 1}, {keptTerm, false, 2}, {keptTerm, true, 3}, {keptTerm, false, 3}} {
		if tt.forget {
			v.Forget()
		}
		if got, err := v.Get(begin.Add(tt.after), read); got != tt.want || err != nil {
			t.Errorf("after %s: %d, want %d", tt.after, got, tt.want)
		}
	}
	failed := errors.New("failed")
	later := begin.Add(time.Hour)
	if _, err := v.Get(later, func() (int, error) { return 0, failed }); !errors.Is(err, failed) {
		t.Error(err)
	}
	if got, _ := v.Get(later, read); got != 4 {
		t.Errorf("a failure is kept: %d", got)
	}
}
