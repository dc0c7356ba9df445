package webconsole

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"time"

	"touchline/shared/accesslog"
)

// lines is a log of requests, the newest first.
type lines []accesslog.Line

func (l lines) Recent(_ context.Context, from time.Time) ([]accesslog.Line, error) {
	if l == nil {
		return nil, fs.ErrNotExist
	}
	var out []accesslog.Line
	for _, line := range l {
		if !line.Time.Before(from) {
			out = append(out, line)
		}
	}
	return out, nil
}

func (l lines) Find(_ context.Context, id string) (*accesslog.Line, []byte, error) {
	for _, line := range l {
		if line.RequestID == id {
			return &line, []byte(`{"requestId":"` + id + `"}`), nil
		}
	}
	return nil, nil, nil
}

func requestID(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

func TestRequestsAreFilteredAndExplained(t *testing.T) {
	log := lines{
		{Time: testTime.Add(-time.Minute), RequestID: requestID(4), Method: "GET", Route: "/v1/ping", Status: 500, Code: "internalError", Check: 21, RefusedBy: "data", Why: accesslog.Failed, Cause: "<img>"},
		{Time: testTime.Add(-2 * time.Minute), RequestID: requestID(3), Method: "GET", Route: "/v1/ping", Status: 200, KeyID: "tk_1"},
		{Time: testTime.Add(-30 * time.Minute), RequestID: requestID(2), Method: "GET", Route: "/v1/teams/{id}", Status: 401, Code: "unauthorized", Check: 9, RefusedBy: "timestamp", Why: accesslog.TimestampSkewed, KeyID: "tk_2"},
		{Time: testTime.Add(-48 * time.Hour), RequestID: requestID(1), Method: "HEAD", Route: "/v1/ping", Status: 200, KeyID: "tk_1"},
	}
	b := loggedInBrowser(t, Options{Requests: log})
	for query, want := range map[string]string{
		"": "4 3 2", "range=7d": "4 3 2 1", "range=15m": "4 3", "range=x": "4 3 2",
		"status=served": "3", "status=refused": "2", "status=failed": "4", "status=401": "2", "status=404": "",
		"key=tk_1&range=7d": "3 1", "key=tk_9": "", "status=served&key=tk_2": "",
	} {
		page := b.follow(t, http.StatusSeeOther, "/requests?"+query)
		var got []string
		for n := 4; n > 0; n-- {
			if strings.Contains(page, "/requests/"+requestID(n)) {
				got = append(got, fmt.Sprint(n))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
	w := b.send(http.MethodGet, "/requests/"+requestID(2), "", nil)
	for _, part := range []string{"Check 9, timestamp, refused it", "What to do", "GET /v1/teams/{id}", "tk_2"} {
		if !strings.Contains(w.Body.String(), part) {
			t.Errorf("no %q in %s", part, w.Body)
		}
	}
	if w := b.send(http.MethodGet, "/requests/"+requestID(4), "", nil); strings.Contains(w.Body.String(), "<img>") || !strings.Contains(w.Body.String(), "&lt;img&gt;") {
		t.Error(w.Body)
	}
	for _, id := range []string{requestID(9), "x"} {
		if w := b.send(http.MethodGet, "/requests/"+id, "", nil); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", id, w.Code)
		}
	}
	none := loggedInBrowser(t, Options{Requests: lines(nil)})
	if w := none.send(http.MethodGet, "/requests", "", nil); !strings.Contains(w.Body.String(), "There is no log of requests") {
		t.Error(w.Body)
	}
}
