package times

import (
	"strings"
	"testing"
	"time"
)

func TestInstantsNeedADateATimeAndAnOffset(t *testing.T) {
	for text, want := range map[string]string{
		"2025-08-01T20:30:00+02:00":           "2025-08-01T18:30:00.000Z",
		"2025-08-01T20:30Z":                   "2025-08-01T20:30:00.000Z",
		"2025-08-01T20:30:15.1Z":              "2025-08-01T20:30:15.100Z",
		"2025-08-01T20:30:15.123456789-23:59": "2025-08-02T20:29:15.123Z",
		"2024-02-29T00:00+00:00":              "2024-02-29T00:00:00.000Z",
		"9999-12-31T23:59:59.999Z":            "9999-12-31T23:59:59.999Z",
		"2025-08-01":                          "",
		"2025-08-01T20:30:00":                 "",
		"2025-08-01 20:30:00Z":                "2025-08-01T20:30:00.000Z",
		"2025-08-01T24:00:00Z":                "",
		"2025-08-01T20:60Z":                   "",
		"2025-08-01T20:30:60Z":                "",
		"2025-08-01T20:30:15,5Z":              "",
		"2025-08-01T20:30:00+24:00":           "",
		"2025-08-01T20:30:00+02:60":           "",
		"2025-08-01T20:30:00+0200":            "2025-08-01T18:30:00.000Z",
		"2025-02-29T20:30:00Z":                "",
		"2025-00-01T20:30:00Z":                "",
		"2025-01-00T20:30:00Z":                "",
		"0000-01-01T20:30:00Z":                "",
		"0001-01-01T00:30:00+02:00":           "",
		"9999-12-31T23:30:00-02:00":           "",
		"":                                    "",
	} {
		got, err := ParseInstant(text)
		if want == "" {
			if err == nil {
				t.Errorf("%q is taken for %v", text, got)
			}
			continue
		}
		if err != nil || got.Format("2006-01-02T15:04:05.000Z") != want || got.Nanosecond()%1e6 != 0 {
			t.Errorf("%q is %v, %v; want %s", text, got, err, want)
		}
	}
}

// Central Europe changed its clocks on 30 March and 26 October 2025, Samoa left
// out 30 December 2011, Lord Howe Island's summer time is half an hour.
func TestKickoffsAreReadInTheTimeZoneOfTheCompetition(t *testing.T) {
	for _, c := range []struct{ name, local, zone, want string }{
		{"summer", "2025-08-01T20:30", "Europe/Vienna", "2025-08-01T18:30Z"},
		{"winter", "2025-12-01T20:30:00", "Europe/Vienna", "2025-12-01T19:30Z"},
		{"a date is midnight", "2025-12-01", "Europe/Vienna", "2025-11-30T23:00Z"},
		{"no zone is UTC", "2025-12-01T20:30", "", "2025-12-01T20:30Z"},
		{"before the clocks skip", "2025-03-30T01:59", "Europe/Vienna", "2025-03-30T00:59Z"},
		{"skipped: read with the offset before", "2025-03-30T02:30", "Europe/Vienna", "2025-03-30T01:30Z"},
		{"after the clocks skip", "2025-03-30T03:00", "Europe/Vienna", "2025-03-30T01:00Z"},
		{"before the hour that comes again", "2025-10-26T01:59", "Europe/Vienna", "2025-10-25T23:59Z"},
		{"twice: the earlier", "2025-10-26T02:30", "Europe/Vienna", "2025-10-26T00:30Z"},
		{"after the hour that comes again", "2025-10-26T03:00", "Europe/Vienna", "2025-10-26T02:00Z"},
		{"west of Greenwich, skipped", "2025-03-09T02:30", "America/New_York", "2025-03-09T07:30Z"},
		{"west of Greenwich, twice", "2025-11-02T01:30", "America/New_York", "2025-11-02T05:30Z"},
		{"half an hour, skipped", "2025-10-05T02:15", "Australia/Lord_Howe", "2025-10-04T15:45Z"},
		{"half an hour, twice", "2025-04-06T01:45", "Australia/Lord_Howe", "2025-04-05T14:45Z"},
		{"a day skipped", "2011-12-30T12:00", "Pacific/Apia", "2011-12-30T22:00Z"},
		{"midnight skipped", "2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, shown, err := new(Zones).Kickoff(c.local, c.zone)
			often := ""
			switch {
			case !strings.Contains(c.local, "T"): // a date alone is never odd
			case strings.Contains(c.name, "twice"):
				often = twice
			case strings.Contains(c.name, "skipped"):
				often = skipped
			}
			if shown != often {
				t.Errorf("it %q, want %q", shown, often)
			}
			if err != nil || got.Format("2006-01-02T15:04Z") != c.want || got.Location() != time.UTC {
				t.Errorf("got %v, %v; want %s", got, err, c.want)
			}
		})
	}
}

func TestKickoffThatCannotBeReadSaysWhy(t *testing.T) {
	for _, c := range []struct{ local, zone, want string }{
		{"2025-02-30", "Europe/Vienna", "2025-02-30"},
		{"2025-08-01T20:30Z", "Europe/Vienna", "without an offset"},
		{"0001-01-01", "Europe/Vienna", "0001-01-01"},
		{"2025-08-01", "Europe/Wien", "Europe/Wien"},
		{"2025-08-01", "Local", "Local"},
		{"2025-08-01", "../passwd", "passwd"},
	} {
		if _, _, err := new(Zones).Kickoff(c.local, c.zone); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s in %s: %v", c.local, c.zone, err)
		}
	}
}

func TestEndOfACompetition(t *testing.T) {
	var z Zones
	loc, err := z.Load("Europe/Vienna")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"2025-05-24":                "2025-05-24T21:59:59.999Z",
		"2025-10-26":                "2025-10-26T22:59:59.999Z",
		"24.05.2025":                "2025-05-24T21:59:59.999Z",
		"2025-05-24T18:00":          "2025-05-24T16:00:00.000Z",
		"2025-05-24T18:00:00Z":      "2025-05-24T18:00:00.000Z",
		"2025-05-24T18:00:00+05:30": "2025-05-24T12:30:00.000Z",
	} {
		if got, err := ParseEnd(text, loc); err != nil || got.Format("2006-01-02T15:04:05.000Z") != want {
			t.Errorf("%q is %v, %v; want %s", text, got, err, want)
		}
	}
	if _, err := ParseEnd("24.05.25", loc); err == nil {
		t.Error("24.05.25 is taken for a date")
	}
}

func FuzzInstant(f *testing.F) {
	f.Add("2025-08-01T20:30:15.123+02:00")
	f.Add("0001-01-01T00:00Z")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseInstant(text)
		if err != nil {
			return
		}
		again, err := ParseInstant(got.Format("2006-01-02T15:04:05.000Z"))
		if err != nil || !again.Equal(got) {
			t.Errorf("%q is %v, and that %v, %v", text, got, again, err)
		}
	})
}
