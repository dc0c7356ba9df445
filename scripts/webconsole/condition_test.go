package webconsole

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"touchline/scripts/touchline/doctor"
)

func TestThePageOfHealthHasFindings(t *testing.T) {
	b := loggedInBrowser(t, Options{Findings: func(context.Context) []doctor.Finding {
		return []doctor.Finding{{Check: "disk", State: doctor.Fault, Message: "3 MB are free for <data>"}}
	}})
	page := b.follow(t, http.StatusSeeOther, "/health")
	for _, want := range []string{`chip bad">fault`, "3 MB are free for &lt;data&gt;"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %s", want, page)
		}
	}
}
