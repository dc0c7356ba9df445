package ingest_test

import (
	"strings"
	"testing"

	"touchline/shared/ingest"
)

// A report that is none of ours, left by a copy that broke off or by whoever
// made the folder from another, is written over.
func TestAForeignReportIsWrittenOver(t *testing.T) {
	w := newWorld(t)
	for name, text := range map[string]string{
		"empty":           "",
		"text":            "hello",
		"cut-off":         `{"status":"loaded","ready":{"etag":"`,
		"a-list":          `[]`,
		"another-type":    `{"status":7}`,
		"no-time":         `{"status":"loaded","ready":{"modified":"today"}}`,
		"null":            `null`,
		"nothing-known":   `{}`,
		"a-later-word":    `{"status":"pending"}`,
		"longer-than-any": strings.Repeat(" ", 5<<20) + `{"status":"loaded"}`,
	} {
		t.Run(name, func(t *testing.T) {
			w.put(name+"/"+ingest.ReportName, text)
			w.drop(name, "", organizations(club))
			if w.load(name) {
				t.Fatalf("the message goes back: %v", w.lastLine())
			}
			w.loaded(name)
		})
	}
}
