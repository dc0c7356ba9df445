package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestTheTickerOfThePageSaysWhatHappens: a goal, one whose scorer is corrected, one
// that is annulled, two cards in a minute that come without a goal, the first of which is
// annulled and leaves its id to the second, and the end.
func TestTheTickerOfThePageSaysWhatHappens(t *testing.T) {
	const (
		goal   = `{"id":"1","type":"goal","detail":"regular","minute":%d,"player":{"name":"%s"}}`
		second = `,{"id":"2","type":"goal","detail":"penalty","minute":45,"extraMinute":2,"player":{"name":"Cy"}}`
		card   = `,{"id":"%d","type":"card","detail":"red","minute":50,"player":{"name":"%s"}}`
	)
	kickoff := time.Date(2026, 11, 1, 19, 0, 0, 0, time.UTC)
	looks := []struct{ status, score, events string }{
		{"live", `{"home":1,"away":0}`, fmt.Sprintf(goal, 7, "Al")},
		{"live", `{"home":2,"away":0}`, fmt.Sprintf(goal, 7, "Al") + second},
		{"live", `{"home":1,"away":0}`, fmt.Sprintf(goal, 7, "Bo")},
		{"live", `{"home":1,"away":0}`, fmt.Sprintf(goal, 7, "Bo")},
		{"live", `{"home":1,"away":0}`, fmt.Sprintf(goal, 7, "Bo") + fmt.Sprintf(card, 3, "Di") + fmt.Sprintf(card, 4, "Ed")},
		{"live", `{"home":1,"away":0}`, fmt.Sprintf(goal, 7, "Bo") + fmt.Sprintf(card, 3, "Di") + fmt.Sprintf(card, 4, "Ed")},
		{"finished", `{"home":1,"away":0}`, fmt.Sprintf(goal, 7, "Bo") + fmt.Sprintf(card, 3, "Ed")},
	}
	at := func(now time.Time) (status, score, events string) {
		minute := int(now.Sub(kickoff).Minutes())
		if minute < 0 {
			return "upcoming", "null", ""
		}
		l := looks[min(minute, len(looks)-1)]
		return l.status, l.score, l.events
	}
	got, _ := tick(t, "America/New_York", kickoff.Add(-time.Hour), "c 2026-11-01", func(now time.Time, r *http.Request) string {
		status, score, events := at(now)
		if strings.HasSuffix(r.URL.Path, "/events") {
			return fmt.Sprintf(`{"data":{"events":[%s]}}`, events)
		}
		// The day on which the clocks are put back.
		if q := r.URL.Query(); q.Get("from") != "2026-11-01T00:00-04:00" || q.Get("to") != "2026-11-01T23:59-05:00" {
			t.Errorf("asked for %s", r.URL.RawQuery)
		}
		return fmt.Sprintf(`{"data":[{"id":"m","status":"%s","kickoffAt":"%s","score":%s,"home":{"name":"A"},"away":{"name":"B"}}],"hasMore":false}`, status, kickoff.Format(time.RFC3339), score)
	})
	want := `A - B: upcoming
A 1:0 B: live
A 1:0 B: 7 goal regular Al
A 2:0 B: 45+2 goal penalty Cy
A 1:0 B: corrected: 7 goal regular Bo
A 1:0 B: annulled: 45+2 goal penalty Cy
A 1:0 B: 50 card red Di
A 1:0 B: 50 card red Ed
A 1:0 B: finished
A 1:0 B: annulled: 50 card red Di
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// tick runs the ticker of the page from a moment on, by a clock that goes on where the program
// sleeps, and gives what it prints and how many requests it sent. What the service says of a
// list or of events may depend on that clock.
func tick(t *testing.T, zone string, from time.Time, args string, says func(now time.Time, r *http.Request) string) (out string, requests int) {
	t.Helper()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		now, err := strconv.ParseInt(r.Header.Get("X-Service-Timestamp"), 10, 64)
		must(t, err)
		body := fmt.Sprintf(`{"data":{"competition":{"timezone":%q}}}`, zone)
		if r.URL.Path != "/v1/tournaments/c" {
			body = says(time.Unix(now, 0).UTC(), r)
		}
		_, _ = io.WriteString(w, body)
	}))
	defer service.Close()
	t.Setenv("TOUCHLINE_BASE_URL", service.URL)
	t.Setenv("TOUCHLINE_KEY_ID", "k")
	t.Setenv("TOUCHLINE_SECRET", "secret")
	program, err := os.ReadFile("site/content/examples/ticker.mjs")
	must(t, err)
	clock := fmt.Sprintf(`let now = %d
const Real = Date
globalThis.Date = class extends Real {
  constructor (...given) { given.length > 0 ? super(...given) : super(now) }
  static now () { return now }
}
`, from.UnixMilli())
	text := strings.Replace(string(program), "const { TOUCHLINE_BASE_URL", clock+"const { TOUCHLINE_BASE_URL", 1)
	text = strings.Replace(text, "\nconsole.error(", "\napi.sleep = async seconds => { now += seconds * 1000 }\nconsole.error(", 1)
	return runWithKit(t, "node", text, "", strings.Fields(args)...), requests
}

// evening is a day whose only match kicks off at 19:00 UTC and is finished two hours later, with
// a goal every half hour; or, where it is never entered, stays upcoming.
func evening(entered bool) func(now time.Time, r *http.Request) string {
	return func(now time.Time, r *http.Request) string {
		if strings.HasSuffix(r.URL.Path, "/events") {
			return `{"data":{"events":[]}}`
		}
		kickoff := time.Date(2026, 9, 12, 19, 0, 0, 0, time.UTC)
		status, goals := "upcoming", 0
		if since := now.Sub(kickoff); since >= 0 && entered {
			status, goals = "live", int(since/(30*time.Minute))
			if since >= 2*time.Hour {
				status = "finished"
			}
		}
		return fmt.Sprintf(`{"data":[{"id":"m","status":%q,"kickoffAt":"%s","score":{"home":%d,"away":0},"home":{"name":"A"},"away":{"name":"B"}}],"hasMore":false}`,
			status, kickoff.Format(time.RFC3339), goals)
	}
}

// TestTheTickerEndsAndAsksLittle: on a day without a match, with one, with one that is never
// entered, and where its share of the month is spent.
func TestTheTickerEndsAndAsksLittle(t *testing.T) {
	morning := time.Date(2026, 9, 12, 0, 5, 0, 0, time.UTC)
	nothing := func(time.Time, *http.Request) string { return `{"data":[],"hasMore":false}` }
	week := 0
	for day := range 7 {
		_, n := tick(t, "UTC", morning.AddDate(0, 0, day-1), "c", func(now time.Time, r *http.Request) string {
			if day != 1 {
				return nothing(now, r)
			}
			return evening(true)(now, r)
		})
		week += n
	}
	_, without := tick(t, "UTC", morning, "c", nothing)
	_, one := tick(t, "UTC", morning, "c", evening(true))
	_, never := tick(t, "UTC", morning, "c", evening(false))
	for _, row := range []struct {
		name     string
		requests int
	}{
		{"[`ticker.mjs`](live.html), one league, no match", without},
		{"`ticker.mjs`, one match of two hours in the evening", one},
		{"`ticker.mjs`, a match that is never entered", never},
	} {
		onPage(t, "limits.md", fmt.Sprintf("| %s | %d | %d |", row.name, row.requests, 31*row.requests))
	}
	if week != 6*without+one {
		t.Errorf("%d requests in a week with one match, %d on its day", week, one)
	}
}

// A match of 22:45 is there at 00:25, and its goal is said.
func TestAMatchRunsPastMidnight(t *testing.T) {
	kickoff := time.Date(2026, 9, 12, 22, 45, 0, 0, time.UTC)
	out, _ := tick(t, "UTC", kickoff.Add(100*time.Minute), "c", func(now time.Time, r *http.Request) string {
		if strings.HasSuffix(r.URL.Path, "/events") {
			return `{"data":{"events":[{"id":"1","type":"goal","detail":"regular","minute":88,"player":{"name":"Al"}}]}}`
		}
		from, err := time.Parse(time.RFC3339, r.URL.Query().Get("from"))
		if err != nil || from.After(kickoff) {
			return `{"data":[],"hasMore":false}`
		}
		status, goals := "live", 0
		if now.After(kickoff.Add(105 * time.Minute)) {
			status, goals = "finished", 1
		}
		return fmt.Sprintf(`{"data":[{"id":"m","status":%q,"kickoffAt":"%s","score":{"home":%d,"away":0},"home":{"name":"A"},"away":{"name":"B"}}],"hasMore":false}`,
			status, kickoff.Format(time.RFC3339), goals)
	})
	if !strings.Contains(out, "88 goal regular Al\n") {
		t.Error(out)
	}
}

// onPage looks for a line of a page.
func onPage(t *testing.T, page, want string) {
	t.Helper()
	text, err := os.ReadFile("site/content/" + page)
	must(t, err)
	if !strings.Contains(string(text), want+"\n") {
		t.Errorf("%s has not:\n%s", page, want)
	}
}

// TestTheDayOfThePageHasBothItsOffsets: on the day of a clock change they differ. It begins six
// hours ago at the latest.
func TestTheDayOfThePageHasBothItsOffsets(t *testing.T) {
	program, err := os.ReadFile("site/content/examples/today.py")
	must(t, err)
	alone, _, _ := strings.Cut(string(program), "if __name__")
	for arguments, want := range map[string]string{
		`"America/New_York", datetime(2026, 11, 1, 20, 0, tzinfo=utc)`:   "{'from_': '2026-11-01T00:00-04:00', 'to': '2026-11-01T23:59-05:00'}",
		`"America/Mexico_City", datetime(2026, 9, 13, 2, 0, tzinfo=utc)`: "{'from_': '2026-09-12T00:00-06:00', 'to': '2026-09-12T23:59-06:00'}",
		`"UTC", datetime(2026, 9, 12, 0, 25, tzinfo=utc)`:                "{'from_': '2026-09-11T18:25+00:00', 'to': '2026-09-12T23:59+00:00'}",
	} {
		if got := strings.TrimSpace(runWithKit(t, "python", alone+"utc = ZoneInfo(\"UTC\")\nprint(day("+arguments+"))\n", "")); got != want {
			t.Errorf("%s: %s", arguments, got)
		}
	}
}
