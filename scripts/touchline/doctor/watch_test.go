package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/simulation"
	"touchline/shared/store/generation"
	"touchline/shared/store/records/recordstest"
)

var start = time.Date(2026, time.March, 14, 15, 9, 26, 0, time.UTC)

// nonces is a store that fails with an error.
type nonces struct{ err error }

func (n nonces) Consume(context.Context, limits.Nonce) error { return n.err }

// damagedKeys has one key, whose record is damaged.
type damagedKeys struct{ keys.Store }

func (damagedKeys) List(context.Context) ([]keys.Key, error) {
	return []keys.Key{{ID: "tk_1", Damaged: true}}, nil
}

// newBox is a box whose table holds data.
func newBox(t *testing.T) *Box {
	t.Helper()
	b := &Box{
		Now: func() time.Time { return start }, Data: t.TempDir(),
		Sports: recordstest.New(t).Table, Nonces: nonces{}, Keys: simulation.NewDatabase().Keys(),
		LogFault:    func() error { return nil },
		Interrupted: func(context.Context) (bool, error) { return false, nil },
	}
	if err := generation.Begin(t.Context(), b.Sports); err != nil {
		t.Fatal(err)
	}
	if err := generation.End(t.Context(), b.Sports, 1, start.Add(-time.Minute)); err != nil {
		t.Fatal(err)
	}
	return b
}

// get asks the box's server.
func (b *Box) get(t *testing.T, path string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	b.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

func TestWhatIsSaidOfEachThing(t *testing.T) {
	made := func(text string) func(*Box) Finding {
		return func(b *Box) Finding {
			if err := os.WriteFile(filepath.Join(b.Data, "newest-backup"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			return b.backup()
		}
	}
	has := func(r room) func(*Box) Finding {
		return func(*Box) Finding { return r.finding("/data", 1536<<20) }
	}
	for name, c := range map[string]struct {
		look func(*Box) Finding
		want State
		says string
	}{
		"a damaged key": {func(b *Box) Finding {
			b.Keys = damagedKeys{}
			return b.keys(t.Context())
		}, Warning, "cannot be read: tk_1"},
		"no backup":          {(*Box).backup, Warning, "has made none"},
		"a backup of today":  {made("2026-03-14T03:00:00Z /backups/a b.db"), OK, "12h9m0s old: /backups/a b.db"},
		"a backup was not":   {made("2026-03-12T03:00:00Z /backups/a.db"), Warning, "60h9m0s old"},
		"a note of no time":  {made("yesterday"), Unknown, "cannot be read"},
		"room":               {has(room{free: 3 << 30, total: 4 << 30, files: 1000, counted: true}), OK, "3072 of 4096 MB"},
		"room for one copy":  {has(room{free: 2 << 30, total: 4 << 30}), Warning, "a backup takes 1536 MB more"},
		"little room":        {has(room{free: 100 << 20, total: 4 << 30}), Warning, "100 of 4096 MB"},
		"no room":            {has(room{free: 1 << 20, total: 4 << 30}), Fault, "1 MB are free"},
		"no room for a file": {has(room{free: 2 << 30, total: 4 << 30, files: 3, counted: true}), Fault, "3 files more"},
		"an import was interrupted": {func(b *Box) Finding {
			b.Interrupted = func(context.Context) (bool, error) { return true, nil }
			return b.layout(t.Context())
		}, Warning, "run it again"},
	} {
		t.Run(name, func(t *testing.T) {
			if f := c.look(newBox(t)); f.State != c.want || !strings.Contains(f.Message, c.says) {
				t.Errorf("%+v, want %s: %s", f, c.want, c.says)
			}
		})
	}
	if r := reportOf([]Finding{{State: OK}, {State: Unknown}}); r.State != Unknown {
		t.Errorf("what was not looked at is %s", r.State)
	}
}

func TestHealthIsTheWorstOfItsFindings(t *testing.T) {
	b := newBox(t)
	state := func() (int, map[string]Finding) {
		t.Helper()
		w := b.get(t, "/health")
		var r Report
		if err := json.Unmarshal(w.Body.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		found := map[string]Finding{}
		for _, f := range r.Findings {
			found[f.Check] = f
		}
		return w.Code, found
	}
	code, found := state()
	for _, check := range []string{"store", "data", "log"} {
		if found[check].State != OK {
			t.Errorf("%+v", found[check])
		}
	}
	if found["disk"].State != Fault && code != http.StatusOK {
		t.Errorf("%d: %v", code, found)
	}
	b.Nonces, b.LogFault = nonces{errors.New("database or disk is full")}, func() error { return errors.New("no space left on device") }
	b.Data = "/nowhere"
	if code, found = state(); code != http.StatusServiceUnavailable {
		t.Errorf("%d", code)
	}
	for _, check := range []string{"store", "log", "disk"} {
		if found[check].State != Fault {
			t.Errorf("%+v", found[check])
		}
	}
	moved := error(nil)
	b = newBox(t)
	b.InPlace = func(context.Context) error { return moved }
	now := start
	b.Now = func() time.Time { return now }
	for _, step := range []struct {
		name, check string
		do          func()
		want        State
	}{
		{"nothing is wrong", "file", func() {}, OK},
		{"requests are answered", "requests", func() { b.Answered(http.StatusOK); b.Answered(http.StatusTooManyRequests) }, OK},
		{"one was answered 503", "requests", func() { b.Answered(http.StatusServiceUnavailable) }, Fault},
		{"a minute later", "requests", func() { now = now.Add(time.Minute) }, Fault},
		{"and two more", "requests", func() { now = now.Add(2 * time.Minute) }, OK},
		{"the path has another file", "file", func() { moved = errors.New("another") }, Fault},
		{"there are no data", "data", func() { moved, b.Sports = nil, recordstest.New(t).Table }, Fault},
	} {
		step.do()
		code, found := state()
		if got := found[step.check]; got.State != step.want || step.want == Fault && code != http.StatusServiceUnavailable {
			t.Errorf("%s: %d, %+v", step.name, code, got)
		}
	}
}
