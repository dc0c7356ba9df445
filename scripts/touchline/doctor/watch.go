package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"touchline/scripts/touchline/backup"
	"touchline/scripts/touchline/database"
	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/store"
	"touchline/shared/store/generation"
)

// State is the result of a check.
type State string

// What State can be.
const (
	OK      State = "ok"
	Unknown State = "unknown" // it could not be looked at
	Warning State = "warning"
	Fault   State = "fault" // requests fail, or are about to
)

// Finding is what is known about one thing.
type Finding struct {
	Check   string `json:"check"`
	State   State  `json:"state"`
	Message string `json:"message"`
}

func found(check string, state State, format string, args ...any) Finding {
	return Finding{check, state, fmt.Sprintf(format, args...)}
}

// Box is a running `touchline serve` and what it runs on. The fields are set before the
// first use. Its findings are for programs of this machine: they hold no secret, and
// nothing of what callers sent.
type Box struct {
	Now func() time.Time
	// Data is the folder of the data; empty: they are in a DynamoDB.
	Data   string
	Sports *store.Table
	Nonces limits.NonceStore
	Keys   keys.Store
	// Interrupted reports whether an import was interrupted (loader.Loader).
	Interrupted func(context.Context) (bool, error)
	// LogFault is why lines of the log of requests are lost; nil: none is.
	LogFault func() error
	// InPlace is why the file that is open is not the one in Data; nil: in a DynamoDB.
	InPlace func(context.Context) error

	mu     sync.Mutex
	failed []time.Time // requests that were answered 500 or more, the newest so many
}

// Requests that failed count for failedFor, which is longer than a monitoring waits that asks
// once a minute; of more than mostFailed the newest count.
const (
	failedFor  = 2 * time.Minute
	mostFailed = 1000
)

// Answered notes the status of a response.
func (b *Box) Answered(status int) {
	if status < http.StatusInternalServerError {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed = append(b.failed, b.Now()); len(b.failed) > mostFailed {
		b.failed = b.failed[1:]
	}
}

func (b *Box) requests() Finding {
	b.mu.Lock()
	defer b.mu.Unlock()
	since := b.Now().Add(-failedFor)
	b.failed = slices.DeleteFunc(b.failed, func(at time.Time) bool { return at.Before(since) })
	if n := len(b.failed); n > 0 {
		return found("requests", Fault, "%d in the last two minutes were answered 500 or 503: their lines in the log say why", n)
	}
	return found("requests", OK, "none failed in the last two minutes")
}

// place looks whether the file that is served is the one in the folder.
func (b *Box) place(ctx context.Context) Finding {
	if err := b.InPlace(ctx); err != nil {
		return found("file", Fault, "what is served is not what is in %s, so that it is lost when serve ends: %v. Take a backup, which is of what is served, stop serve and restore it", b.Data, err)
	}
	return found("file", OK, "is the one in %s", b.Data)
}

// lookLimit bounds the looks at the store, which take milliseconds.
const lookLimit = 3 * time.Second

// Findings looks at everything.
func (b *Box) Findings(ctx context.Context) []Finding {
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	all := []Finding{b.store(ctx), b.layout(ctx), b.keys(ctx), b.requests()}
	if b.InPlace != nil {
		all = append(all, b.place(ctx))
	}
	if b.Data != "" {
		all = append(all, disk(b.Data), b.backup())
	}
	return append(all, clock(), b.log())
}

// store writes a nonce, as every request does, and so finds a full disk, too.
func (b *Box) store(ctx context.Context) Finding {
	id := uuid.NewString()
	if err := b.Nonces.Consume(ctx, limits.Nonce{KeyID: "health", Value: id, RequestID: id, Timestamp: b.Now()}); err != nil {
		return found("store", Fault, "cannot be written, so that requests are answered 503: %v", err)
	}
	return found("store", OK, "can be written")
}

func (b *Box) keys(ctx context.Context) Finding {
	list, err := b.Keys.List(ctx)
	if err != nil {
		return found("keys", Fault, "cannot be read: %v", err)
	}
	if damaged := keys.Damaged(list); damaged != nil {
		return found("keys", Warning, "%s: `touchline keys revoke`, and make others", cannotBeRead(damaged))
	}
	return found("keys", OK, "can be read")
}

// cannotBeRead names keys whose records are damaged.
func cannotBeRead(ids []string) string {
	return "requests with these get 503, since their records cannot be read: " + strings.Join(ids, ", ")
}

func (b *Box) layout(ctx context.Context) Finding {
	state, err := generation.Read(ctx, b.Sports)
	_, other := errors.AsType[*generation.OtherError](err)
	switch {
	case generation.IsEmpty(err):
		return found("data", Fault, "there are none, so that callers find nothing: import a dataset, or restore a backup")
	case other:
		return found("data", Fault, "%v", err)
	case err != nil:
		return found("data", Fault, "cannot be read: %v", err)
	}
	interrupted, err := b.Interrupted(ctx)
	switch {
	case err != nil:
		return found("data", Fault, "cannot be read: %v", err)
	case interrupted:
		return found("data", Warning, "an import was interrupted: run it again, or any other, which finishes it first")
	}
	return found("data", OK, "version %s, of layout %d", state.Label(b.Now()), generation.Layout)
}

// backupOld is how old the newest backup may be where one is made each day: one may take
// its time.
const backupOld = 25 * time.Hour

func (b *Box) backup() Finding {
	path, made, err := backup.Newest(b.Data)
	switch age := b.Now().Sub(made).Round(time.Minute); {
	case errors.Is(err, fs.ErrNotExist):
		return found("backup", Warning, "`touchline backup` has made none of these data")
	case err != nil:
		return found("backup", Unknown, "what the newest is cannot be read: %v", err)
	case age > backupOld:
		return found("backup", Warning, "the newest is %s old: %s", age, path)
	default:
		return found("backup", OK, "the newest is %s old: %s", age, path)
	}
}

func (b *Box) log() Finding {
	if err := b.LogFault(); err != nil {
		return found("log", Fault, "lines of the log of requests are lost: %v", err)
	}
	return found("log", OK, "is written")
}

// How much of a disk has to be free, in bytes: a load writes its journal before anything
// is given back. A large load and a check sort as much as the data beside them, and a backup
// writes the data once more, so that there should be room for the data twice.
const (
	freeAtLeast = 64 << 20
	freeBetter  = 1 << 30
)

// filesAtLeast is how many files more there has to be room for: serve makes a few at a
// start, for a log that is full and for a backup.
const filesAtLeast = 20

// room is what a disk has left.
type room struct {
	free, total uint64 // bytes
	files       uint64 // that may be made
	counted     bool   // it bounds files
}

// disk looks at the room on the disk of a folder.
func disk(folder string) Finding {
	r, err := roomFor(folder)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return found("disk", Unknown, "this system does not say what is free")
	case err != nil:
		return found("disk", Fault, "%s: %v", folder, err)
	}
	data := uint64(0)
	if info, err := os.Stat(filepath.Join(folder, database.FileName)); err == nil {
		data = uint64(info.Size()) //nolint:gosec // not negative
	}
	return r.finding(folder, data)
}

// finding is about a folder whose data have so many bytes.
func (r room) finding(folder string, data uint64) Finding {
	const mb = 1 << 20
	switch free, total := r.free, r.total; {
	case r.counted && r.files < filesAtLeast:
		return found("disk", Fault, "there is room for %d files more on the disk of %s (df -i): delete some, whatever their size", r.files, folder)
	case free < freeAtLeast:
		return found("disk", Fault, "%d MB are free for %s: delete something, or move the data; nothing can be written on a full disk", free/mb, folder)
	case free < max(freeBetter, 2*data):
		return found("disk", Warning, "%d of %d MB are free for %s: a backup takes %d MB more, and so does what a large load or a check sorts", free/mb, total/mb, folder, data/mb)
	default:
		return found("disk", OK, "%d of %d MB are free for %s", free/mb, total/mb, folder)
	}
}

// clock asks the system whether its clock is kept right: callers whose clocks
// differ from it by more than 300 s are refused.
func clock() Finding {
	synchronized, err := clockSynchronized()
	switch {
	case err != nil:
		return found("clock is set", Unknown, "this system does not say who sets its clock: %v", err)
	case !synchronized:
		return found("clock is set", Warning, "by nobody: run a time service such as systemd-timesyncd or chrony, since callers are refused once the clock is 300 s off")
	}
	return found("clock is set", OK, "by a time service")
}

// Report is the answer of /health.
type Report struct {
	State    State     `json:"state"` // the worst of the findings
	Findings []Finding `json:"findings"`
}

// reportOf sums findings up.
func reportOf(findings []Finding) Report {
	r := Report{OK, findings}
	for _, state := range []State{Unknown, Warning, Fault} {
		if slices.ContainsFunc(findings, func(f Finding) bool { return f.State == state }) {
			r.State = state
		}
	}
	return r
}

// Handler serves /health, with 503 where something is at fault.
func (b *Box) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, r *http.Request) {
		report := reportOf(b.Findings(r.Context()))
		w.Header().Set("Content-Type", "application/json")
		if report.State == Fault {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_ = json.NewEncoder(w).Encode(report) // the caller may have gone
	})
	return mux
}
