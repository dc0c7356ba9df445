//go:build unix

package file

import (
	"errors"
	"net/rpc"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"touchline/shared/limits"
	"touchline/shared/store"
	"touchline/shared/store/file/owner"
)

// A file that was removed, exchanged or written over while it is served is not taken for the
// one that is open: commands reach the one that is served, and what serves ends rather than
// write into what is another's.
func TestThePathIsNotTheFile(t *testing.T) {
	other := openIn(t, folder(t))
	fill(t, &other.Database, 500, "other ")
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	content := contentOf(t, other.path)
	for name, tt := range map[string]struct {
		change func(path string) error
		ends   bool
	}{
		"removed":      {os.Remove, false},
		"exchanged":    {func(path string) error { return os.Rename(other.path, path) }, false},
		"written over": {func(path string) error { return os.WriteFile(path, content, 0o600) }, true},
		"cut off":      {func(path string) error { return os.Truncate(path, 0) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := openIn(t, folder(t))
			fill(t, &f.Database, 100, "own ")
			dial(t, f)
			if err := f.InPlace(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := tt.change(f.path); err != nil {
				t.Fatal(err)
			}
			if err := f.InPlace(t.Context()); err == nil {
				t.Error("it is taken for the one that is open")
			}
			d, err := Connect(t.Context(), f.path)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = d.Close() }()
			_, err = d.Write(t.Context(), "sports", []store.Write{{Key: key(1), Item: itemOf("written")}})
			if !tt.ends {
				if reply, _ := f.Get(t.Context(), "sports", []store.Key{key(1)}, true); err != nil || len(reply.Items) != 1 || textIn(reply.Items[0], "v") != "written" {
					t.Errorf("%v, %v", reply, err)
				}
				return
			}
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("it is written into another's file: %v", err)
			}
			if why := <-f.Broken(); !errors.Is(why, ErrDamaged) {
				t.Errorf("%v", why)
			}
			if now := contentOf(t, f.path); name == "written over" && string(now) != string(content) {
				t.Error("the other file is changed")
			}
		})
	}
}

// A read that cannot begin leaves bbolt's locks held: what serves ends, and is not waited for.
func TestAReadThatCannotBeginEndsTheProcess(t *testing.T) {
	f := openIn(t, folder(t))
	fill(t, &f.Database, 10, "x")
	server, err := f.Serve()
	if err != nil {
		t.Fatal(err)
	}
	d := dial(t, f)
	if _, err := f.file.WriteAt(make([]byte, 2*f.handle.size), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Get(t.Context(), "sports", []store.Key{key(1)}, true); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v, want ErrDamaged", err)
	}
	if err := <-f.Broken(); err == nil {
		t.Error("given up without a reason")
	}
	for _, do := range []func() error{
		func() error { _, err := d.Get(t.Context(), "sports", []store.Key{key(1)}, true); return err },
		func() error { _, err := d.Write(t.Context(), "sports", []store.Write{{Key: key(1)}}); return err },
		func() error { return d.Wipe(t.Context()) },
	} {
		if err := do(); !errors.Is(err, ErrDamaged) {
			t.Errorf("%v, want ErrDamaged", err)
		}
	}
	if err := errors.Join(server.Close(), f.Close()); err != nil {
		t.Error(err)
	}
}

// What is no file of data is left as it is.
func TestWhatIsNoFileOfDataStays(t *testing.T) {
	at := folder(t)
	empty, link := filepath.Join(at, "empty"), filepath.Join(at, "link")
	if err := errors.Join(os.WriteFile(empty, nil, 0o600), os.Symlink(empty, link)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{empty, link, os.DevNull, at} {
		if f, err := Open(path, Options{ReadOnly: true}); err == nil {
			_ = f.Close()
			t.Errorf("%s is opened", path)
		}
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}
}

// Another program of this user may be at the other end of the socket.
func TestAMalformedCallIsRefused(t *testing.T) {
	f := openIn(t, folder(t))
	d := dial(t, f)
	whole := change{Table: "sports", Row: rowOf(key(1)), Payload: []byte{1}}
	for name, c := range map[string]*Call{
		"no operation":           {},
		"an unknown one":         {Op: "format"},
		"a swap of nothing":      {Op: opSwap},
		"a swap of two":          {Op: opSwap, Changes: []change{whole, whole}},
		"a lease of nothing":     {Op: opLease, Lease: leaseCall{Take: true}},
		"a row that is none":     {Op: opWrite, Changes: []change{{Table: "sports", Row: []byte{9}, Payload: []byte{1}}}},
		"an empty row":           {Op: opWrite, Changes: []change{{Table: "sports", Payload: []byte{1}}}},
		"no table":               {Op: opWrite, Changes: []change{{Row: whole.Row, Payload: whole.Payload}}},
		"more writes than go in": {Op: opWrite, Changes: make([]change, largestWrite+1)},
		"a record without end":   {Op: opWrite, Changes: []change{{Table: "sports", Row: whole.Row, Payload: make([]byte, 3*maxItem)}}},
		"a quota of nobody":      {Op: opTake, Quota: limits.Quota{Limit: 1, Organization: "x", Now: time.Time{}.Add(-1 << 62)}},
	} {
		if _, err := d.do(t.Context(), c); err == nil && c.Op != opTake || errors.Is(err, rpc.ErrShutdown) || errors.Is(err, ErrClosed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	write(t, d, store.Write{Key: key(2), Item: itemOf("x")})
	if report, err := d.Check(t.Context()); err != nil || len(report.Damage) > 0 || report.Records["sports"] != 1 {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestWhatASystemLacksIsSaid(t *testing.T) {
	deep := filepath.Join(folder(t), strings.Repeat("d", 120))
	f, err := Open(filepath.Join(deep, "data.db"), Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if _, err := f.Serve(); err == nil || !strings.Contains(err.Error(), "a folder with a shorter path") {
		t.Errorf("too long a path: %v", err)
	}
	if _, err := Connect(t.Context(), f.path); !errors.Is(err, owner.ErrInUse) || !strings.Contains(err.Error(), "shorter path") {
		t.Errorf("too long a path to connect: %v", err)
	}
}
