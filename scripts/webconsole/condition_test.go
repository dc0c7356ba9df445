package webconsole

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"touchline/scripts/touchline/doctor"
)

func TestThePageOfHealthHasFindingsAndBackups(t *testing.T) {
	looks := 0
	list := []Backup{}
	b := loggedInBrowser(t, Options{Condition: Condition{
		Findings: func(context.Context) []doctor.Finding {
			looks++
			return []doctor.Finding{{Check: "disk", State: doctor.Fault, Message: "3 MB are free for <data>"}}
		},
		Backups: func(context.Context) ([]Backup, error) { return list, nil },
		Where:   "in a folder",
	}})
	page := b.follow(t, http.StatusSeeOther, "/health")
	for _, want := range []string{`chip bad">fault`, "3 MB are free for &lt;data&gt;", "There is no backup.", "in a folder"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %s", want, page)
		}
	}
	list = []Backup{{Name: "old.db", From: testTime.Add(-72 * time.Hour), Bytes: 3 << 20}}
	if page = b.follow(t, http.StatusSeeOther, "/health"); !strings.Contains(page, "The newest backup is 3 days old.") || !strings.Contains(page, "3.0 MB") {
		t.Error(page)
	}
	list = []Backup{{Name: "sports", From: testTime.Add(-72 * time.Hour), Until: testTime.Add(-5 * time.Minute)}}
	if page = b.follow(t, http.StatusSeeOther, "/health"); strings.Contains(page, "note warning") || !strings.Contains(page, "5 minutes") {
		t.Error(page)
	}
	if looks != 1 {
		t.Errorf("the service was examined %d times", looks)
	}
}
