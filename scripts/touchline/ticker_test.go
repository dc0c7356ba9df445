package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTheTickerOfThePageSaysWhatHappens: a goal, one whose scorer is corrected, one
// that is annulled, a card that comes without a goal, and the end.
func TestTheTickerOfThePageSaysWhatHappens(t *testing.T) {
	const (
		goal   = `{"id":"1","type":"goal","detail":"regular","minute":%d,"player":{"name":"%s"}}`
		second = `,{"id":"2","type":"goal","detail":"penalty","minute":45,"extraMinute":2,"player":{"name":"Cy"}}`
		card   = `,{"id":"3","type":"card","detail":"red","minute":50,"player":{"name":"Di"}}`
	)
	looks := []struct{ status, score, events string }{
		{"upcoming", "null", ""},
		{"live", `{"home":1,"away":0}`, fmt.Sprintf(goal, 7, "Al")},
		{"live", `{"home":2,"away":0}`, fmt.Sprintf(goal, 7, "Al") + second},
		{"live", `{"home":1,"away":0}`, fmt.Sprintf(goal, 7, "Bo")},
		{"live", `{"home":1,"away":0}`, fmt.Sprintf(goal, 7, "Bo")},
		{"live", `{"home":1,"away":0}`, fmt.Sprintf(goal, 7, "Bo") + card},
		{"finished", `{"home":1,"away":0}`, fmt.Sprintf(goal, 7, "Bo") + card},
	}
	look := -1
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/matches/m/events" {
			_, _ = fmt.Fprintf(w, `{"data":{"events":[%s]}}`, looks[look].events)
			return
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
A 1:0 B: finished
`
	if diff := cmp.Diff(want, runWithKit(t, "node", string(program), "", "/v1/tournaments/c/matches", "0")); diff != "" {
		t.Error(diff)
	}
}
