package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/stack"
)

// refusing responds to requests of a method with an error of S3.
func (d *dropped) refusing(method string, status int, code, message string, headers ...string) {
	d.refuse = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != method {
			return false
		}
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		_, _ = fmt.Fprintf(w, "<Error><Code>%s</Code><Message>%s</Message></Error>", code, message)
		return true
	}
}

func TestABucketThatRefusesIsExplained(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "set")
	writeFile(t, filepath.Join(dir, "teams.ndjson"), "")
	for name, tt := range map[string]struct {
		method  string
		status  int
		code    string
		message string
		headers []string
		says    string
	}{
		"another region":          {"PUT", 301, "PermanentRedirect", "must be addressed using the specified endpoint", []string{"X-Amz-Bucket-Region", "eu-west-1"}, "with --region: must be addressed"},
		"another region, unnamed": {"PUT", 400, "AuthorizationHeaderMalformed", "the region 'us-east-1' is wrong; expecting 'eu-west-1'", nil, "expecting 'eu-west-1'"},
		"no right to write":       {"PUT", 403, "AccessDenied", "Access Denied", nil, "bucket drops: "},
		"no right to read":        {"GET", 403, "AccessDenied", "Access Denied", nil, "Access Denied"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDropped(t)
			d.idle = true
			d.refusing(tt.method, tt.status, tt.code, tt.message, tt.headers...)
			d.fails(t, exitFailed, tt.says, "import", "--bucket", "drops", dir)
		})
	}
}

func TestAnUploadShowsHowFarItIs(t *testing.T) {
	d := newDropped(t)
	dir := filepath.Join(t.TempDir(), "set")
	writeFile(t, filepath.Join(dir, "teams.ndjson"), "\n")
	writeFile(t, filepath.Join(dir, "players.ndjson"), "\n")
	d.ErrTerminal = true
	var seconds atomic.Int64
	d.Now = func() time.Time { return terminal.ScreenTime.Add(time.Duration(seconds.Add(1)) * terminal.Patience) }
	d.succeed(t, "import", "--bucket", "drops", dir)
	if shown := d.Errors.String(); !strings.Contains(shown, "uploading") || !strings.Contains(shown, "1/2") {
		t.Errorf("%q", shown)
	}
}

func TestAWaitOutlastsAFailureOfTheNetwork(t *testing.T) {
	d := newDropped(t)
	t.Setenv("AWS_MAX_ATTEMPTS", "1") // the SDK's own tries, with their pauses
	dir := filepath.Join(t.TempDir(), "set")
	writeFile(t, filepath.Join(dir, "organizations.ndjson"), `{"id":"o","type":"club","name":"FC"}`+"\n")
	var looks atomic.Int64
	d.idle = true
	d.refuse = func(w http.ResponseWriter, r *http.Request) bool {
		drop, report := strings.CutSuffix(r.URL.Path, "/"+stack.DropReport)
		if r.Method != http.MethodGet || !report {
			return false
		}
		switch looks.Add(1) {
		case 1, 2:
			w.WriteHeader(http.StatusServiceUnavailable)
			return true
		case 3:
			go d.receive(t, strings.TrimPrefix(drop, "/drops/")+"/"+stack.DropReady)
		}
		return false
	}
	if r := report(t, d.succeed(t, "import", "--bucket", "drops", "--json", dir)); r.Organizations.Created != 1 {
		t.Errorf("%+v", r)
	}
}
