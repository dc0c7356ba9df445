package times

import (
	"errors"
	"testing"
)

func TestTimesAsSpreadsheetsWriteThem(t *testing.T) {
	for text, want := range map[string]string{
		"2026-09-12 18:30": "2026-09-12T18:30", "2026-09-12 18:30:00": "2026-09-12T18:30", "12.09.2026 18:30": "2026-09-12T18:30",
		"12.9.2026 9:05": "2026-09-12T09:05", "12.09.2026": "2026-09-12T00:00", "13/09/2026 18:30": "2026-09-13T18:30",
		"9/13/2026 6:30 PM": "2026-09-13T18:30", "09/09/2026": "2026-09-09T00:00", "12.09.2026 12:15 AM": "2026-09-12T00:15",
	} {
		wall, _, err := ParseLocal(text)
		if err != nil || wall.Format("2006-01-02T15:04") != want {
			t.Errorf("%q is %v, %v; want %s", text, wall, err, want)
		}
	}
	for text, want := range map[string]error{
		"9/12/2026": ErrAmbiguous, "09/12/2026 18:30": ErrAmbiguous, "9/12/26": ErrAmbiguous, "12.09.26": ErrLocal, "12.09.2026 24:00": ErrLocal,
		"12.13.2026": ErrLocal, "31.02.2026": ErrLocal, "46277.77": ErrLocal, "12.09.2026 13:00 PM": ErrLocal, "2026-09-12 18": ErrLocal,
	} {
		if wall, _, err := ParseLocal(text); !errors.Is(err, want) {
			t.Errorf("%q is %v, %v; want %v", text, wall, err, want)
		}
	}
}
