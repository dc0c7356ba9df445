package webconsole

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"testing"

	"touchline/shared/accesslog"
)

// lines is a log of requests; nil: there is none.
type lines []accesslog.Line

func (l lines) Find(_ context.Context, id string) (*accesslog.Line, []byte, error) {
	if l == nil {
		return nil, nil, fs.ErrNotExist
	}
	for _, line := range l {
		if line.RequestID == id {
			return &line, []byte(`{"requestId":"` + id + `"}`), nil
		}
	}
	return nil, nil, nil
}

func requestID(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

func TestARequestIsExplained(t *testing.T) {
	b := loggedInBrowser(t, Options{Request: lines{
		{Time: testTime, RequestID: requestID(4), Method: "GET", Route: "/v1/ping", Status: 500, Code: "internalError", Check: 21, RefusedBy: "data", Why: accesslog.Failed, Cause: "<img>"},
		{Time: testTime, RequestID: requestID(2), Method: "GET", Route: "/v1/teams/{id}", Status: 401, Code: "unauthorized", Check: 9, RefusedBy: "timestamp", Why: accesslog.TimestampSkewed, KeyID: "tk_2"},
	}.Find})
	page := b.page(t, "/requests/"+requestID(2))
	holds(t, page, "Check 9, timestamp, refused it", "What to do", "GET /v1/teams/{id}", `href="/keys/tk_2"`, "requestId")
	holds(t, b.page(t, "/requests/"+requestID(4)), no("<img>"), "&lt;img&gt;")
	none := loggedInBrowser(t, Options{Request: lines(nil).Find})
	for _, b := range []*browser{b, none} {
		for _, id := range []string{requestID(9), "x"} {
			if w := b.send(http.MethodGet, "/requests/"+id, "", nil); w.Code != http.StatusNotFound {
				t.Errorf("%s: %d", id, w.Code)
			}
		}
	}
}
