package webconsole

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"touchline/scripts/touchline/doctor"
	"touchline/shared/store/file"
)

// keepBackup makes a file of data, so long before the time of the tests.
func keepBackup(t *testing.T, path string, age time.Duration) {
	t.Helper()
	var err error
	if filepath.Base(path) == "broken.db" {
		err = os.WriteFile(path, []byte("no database"), 0o600)
	} else {
		var f *file.File
		if f, err = file.Open(path, file.Options{NoSync: true}); err == nil {
			err = f.Close()
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, testTime.Add(-age), testTime.Add(-age)); err != nil {
		t.Fatal(err)
	}
}

func TestThePageOfHealthHasFindingsAndTheNewestBackup(t *testing.T) {
	looks, dir := 0, filepath.Join(t.TempDir(), "backups")
	if err := file.Prepare(dir); err != nil {
		t.Fatal(err)
	}
	o := Options{Backups: dir, Findings: func(context.Context) []doctor.Finding {
		looks++
		return []doctor.Finding{{Check: "disk", State: doctor.Fault, Message: "3 MB are free for <data>"}}
	}}
	b := loggedInBrowser(t, o)
	keepBackup(t, filepath.Join(dir, "broken.db"), time.Minute)
	keepBackup(t, filepath.Join(dir, "notes.txt"), time.Minute)
	page := b.follow(t, http.StatusSeeOther, "/health")
	for _, want := range []string{`chip bad">fault`, "3 MB are free for &lt;data&gt;", "There is no backup.", dir} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %s", want, page)
		}
	}
	keepBackup(t, filepath.Join(dir, "older.db"), 96*time.Hour)
	keepBackup(t, filepath.Join(dir, "old.db"), 72*time.Hour)
	if page = b.follow(t, http.StatusSeeOther, "/health"); !strings.Contains(page, "The newest backup is 3 days old.") || !strings.Contains(page, "old.db</code>") {
		t.Error(page)
	}
	keepBackup(t, filepath.Join(dir, "new.db"), 5*time.Minute)
	if page = b.follow(t, http.StatusSeeOther, "/health"); strings.Contains(page, "note warning") || !strings.Contains(page, "5 minutes old") {
		t.Error(page)
	}
	if looks != 1 {
		t.Errorf("the service was examined %d times", looks)
	}
	o.Backups = ""
	if page = loggedInBrowser(t, o).follow(t, http.StatusSeeOther, "/health"); strings.Contains(page, "note warning") || !strings.Contains(page, "AWS keeps them") {
		t.Error(page)
	}
}
