package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"touchline/shared/engine/enginetest"
)

// diagnosis is a finding of doctor, as --json prints it.
type diagnosis struct{ Check, State, Message string }

// What State can be.
const (
	fine    = "ok"
	dubious = "warning"
	wrong   = "fault"
)

// examined are doctor's findings by check; of several of one check the last.
func examined(t *testing.T, out string) map[string]diagnosis {
	t.Helper()
	var list []diagnosis
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	byCheck := map[string]diagnosis{}
	for _, f := range list {
		byCheck[f.Check] = f
	}
	return byCheck
}

func TestDoctorSaysWhatIsWrongWithTheDatabase(t *testing.T) {
	term := keeper(t)
	found := examined(t, term.succeed(t, "doctor", "--json"))
	for check, want := range map[string]string{"version": fine, "database": fine, "data": dubious, "keys": dubious, "master key": dubious} {
		if found[check].State != want {
			t.Errorf("%s: %+v", check, found[check])
		}
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "organizations.ndjson"), `{"id":"o","type":"club","name":"FC"}`+"\n")
	term.succeed(t, "import", dir)
	term.succeed(t, "keys", "create", "--organization=o", "--all-scopes")
	found = examined(t, term.succeed(t, "doctor", "--json"))
	for _, check := range []string{"data", "keys", "master key"} {
		if found[check].State != fine {
			t.Errorf("%s: %+v", check, found[check])
		}
	}
	path := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "touchline", "master.key")
	must(t, os.Remove(path))
	term.Env["TOUCHLINE_MASTER_KEY"] = strings.Repeat("A", 43) + "="
	if code := term.run("doctor"); code != exitFailed || !strings.Contains(term.Output.String(), "another master key") || !strings.Contains(term.Errors.String(), "1 fault found") {
		t.Errorf("exit %d: %s%s", code, term.Output.String(), term.Errors.String())
	}
	if code := term.run("doctor", "--dynamodb-endpoint=http://127.0.0.1:1"); code != exitFailed || !strings.Contains(term.Output.String(), "fault    database") {
		t.Errorf("exit %d: %s", code, term.Output.String())
	}
}

func TestDoctorExaminesADeployment(t *testing.T) {
	a := newCloud(t)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer service.Close()
	a.outputs["BaseUrl"] = service.URL
	gone := false
	rest := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if gone {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"__type":"NotFoundException"}`)
			return
		}
		if r.Header.Get("X-Amz-Target") == "TrentService.DescribeKey" {
			_, _ = io.WriteString(w, `{"KeyMetadata":{"Enabled":false,"KeyState":"PendingDeletion"}}`)
			return
		}
		w.WriteHeader(http.StatusForbidden)
	}))
	defer rest.Close()
	t.Setenv("AWS_ENDPOINT_URL_KMS", rest.URL)
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", enginetest.Start(t))
	term := newTerminal(nil)
	term.Now = time.Now
	term.fails(t, exitFailed, "", "doctor", "--stack=dev", "--json")
	found := examined(t, term.Output.String())
	for check, want := range map[string]string{
		"stack": fine, "rights": fine, "service": fine, "clock": fine, "tables": wrong,
		"KMS key": wrong, "alarms": "unknown",
	} {
		if found[check].State != want {
			t.Errorf("%s: %+v, want %s", check, found[check], want)
		}
	}
	if !strings.Contains(found["KMS key"].Message, "is PendingDeletion") {
		t.Errorf("%+v", found["KMS key"])
	}
	gone = true
	term.run("doctor", "--stack=dev", "--json")
	if said := examined(t, term.Output.String())["KMS key"]; said.State != wrong || !strings.Contains(said.Message, "is not there") {
		t.Errorf("%+v", said)
	}
}
