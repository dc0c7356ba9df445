package times

import (
	"errors"
	"testing"
)

func TestTimesAsSpreadsheetsWriteThem(t *testing.T) {
	for text, want := range map[string]string{
		"2026-09-12 18:30": "2026-09-12T18:30", "2026-09-12 18:30:00": "2026-09-12T18:30", "12.09.2026 18:30": "2026-09-12T18:30", " 2026-09-12  18:30": "2026-09-12T18:30",
		"12.9.2026 9:05": "2026-09-12T09:05", "12.09.2026": "2026-09-12T00:00", "12. 9. 2026 18:30": "2026-09-12T18:30",
		"Sa 12.09.2026 18h30": "2026-09-12T18:30", "Sa., 12. 9. 2026 9:05 Uhr": "2026-09-12T09:05", "samedi 2026-09-12 18:30": "2026-09-12T18:30",
	} {
		wall, dateOnly, err := ParseLocal(text)
		if err != nil || wall.Format("2006-01-02T15:04") != want || dateOnly != (text == "12.09.2026") {
			t.Errorf("%q is %v, %t, %v; want %s", text, wall, dateOnly, err, want)
		}
	}
	if wall, dateOnly, err := ParseLocal("2026-09-12 00:00:00"); err != nil || !dateOnly || wall.Day() != 12 {
		t.Errorf("midnight with its seconds is %v, %t, %v", wall, dateOnly, err)
	}
	for _, text := range []string{
		"9/12/2026", "x12.09.2026", "12.09.2026 18h", "5 March 2026", "13/09/2026 18:30", "2026/9/12", "12.09.26", "12.09.2026 24:00", "12.13.2026", "31.02.2026", "46277.77", "12.09.2026 6:00 PM", "2026-09-12 18", "12.09.2026 :30",
	} {
		if wall, _, err := ParseLocal(text); !errors.Is(err, ErrLocal) {
			t.Errorf("%q is %v, %v", text, wall, err)
		}
	}
}

func TestAdviceOnTimesThatSpreadsheetsCount(t *testing.T) {
	for text, want := range map[string]string{
		"46277,75": ": 46277,75 is 2026-09-12 in a spreadsheet; give its cells the format of a date", "46277 0.75": ": 46277 is 2026-09-12 in a spreadsheet; give its cells the format of a date",
		"2026-09-12 0,75":   ": 0,75 is 18:00 in a spreadsheet; give its cells the format of a time",
		"Sa 14/03/26 18h30": ": if the day comes first, write 14.03.2026", "9/12/2026": ": if the day comes first, write 9.12.2026", "Sa 14.03.26": ": if the day comes first, write 14.03.2026",
		"": "", "7": "", "20260912": "", "2026-09-12 18": ": write the time as 18:30", "46277 18:00": ": 46277 is 2026-09-12 in a spreadsheet; give its cells the format of a date", "x y": "", "12.09.2026": "", "-46277": "", "NaN": "", "Inf": "",
	} {
		if got := Advice(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
