package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

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
	looks := []struct{ status, score, events string }{
		{"upcoming", "null", ""},
		{"live", `{"home":1,"away":0}`, fmt.Sprintf(goal, 7, "Al")},
		{"live", `{"home":2,"away":0}`, fmt.Sprintf(goal, 7, "Al") + second},
		{"live", `{"home":1,"away":0}`, fmt.Sprintf(goal, 7, "Bo")},
		{"live", `{"home":1,"away":0}`, fmt.Sprintf(goal, 7, "Bo")},
		{"live", `{"home":1,"away":0}`, fmt.Sprintf(goal, 7, "Bo") + fmt.Sprintf(card, 3, "Di") + fmt.Sprintf(card, 4, "Ed")},
		{"finished", `{"home":1,"away":0}`, fmt.Sprintf(goal, 7, "Bo") + fmt.Sprintf(card, 3, "Ed")},
	}
	look := -1
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/tournaments/c":
			_, _ = fmt.Fprint(w, `{"data":{"competition":{"timezone":"America/New_York"}}}`)
			return
		case "/v1/matches/m/events":
			_, _ = fmt.Fprintf(w, `{"data":{"events":[%s]}}`, looks[look].events)
			return
		}
		// The day on which the clocks are put back.
		if q := r.URL.Query(); q.Get("from") != "2026-11-01T00:00-04:00" || q.Get("to") != "2026-11-01T23:59-05:00" {
			t.Errorf("asked for %s", r.URL.RawQuery)
		}
		look++
		_, _ = fmt.Fprintf(w, `{"data":[{"id":"m","status":"%s","score":%s,"home":{"name":"A"},"away":{"name":"B"}}],"hasMore":false}`, looks[look].status, looks[look].score)
	}))
	defer service.Close()
	t.Setenv("TOUCHLINE_BASE_URL", service.URL)
	t.Setenv("TOUCHLINE_KEY_ID", "k")
	t.Setenv("TOUCHLINE_SECRET", "secret")
	program, err := os.ReadFile("site/content/examples/ticker.mjs")
	must(t, err)
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
	if diff := cmp.Diff(want, runWithKit(t, "node", string(program), "", "c", "2026-11-01", "0")); diff != "" {
		t.Error(diff)
	}
}

// TestTheDayOfThePageHasBothItsOffsets: on the day of a clock change they differ.
func TestTheDayOfThePageHasBothItsOffsets(t *testing.T) {
	program, err := os.ReadFile("site/content/examples/today.py")
	must(t, err)
	for arguments, want := range map[string]string{
		`"America/New_York", date(2026, 11, 1)`:    "{'from_': '2026-11-01T00:00-04:00', 'to': '2026-11-01T23:59-05:00'}",
		`"America/Mexico_City", date(2026, 9, 12)`: "{'from_': '2026-09-12T00:00-06:00', 'to': '2026-09-12T23:59-06:00'}",
		`"UTC", date(2026, 9, 12)`:                 "{'from_': '2026-09-12T00:00+00:00', 'to': '2026-09-12T23:59+00:00'}",
	} {
		if got := strings.TrimSpace(runWithKit(t, "python", string(program)+"from datetime import date\nprint(day("+arguments+"))\n", "")); got != want {
			t.Errorf("%s: %s", arguments, got)
		}
	}
}
