package file

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchline/shared/store"
	"touchline/shared/store/file/socket"
)

func TestConnectFindsWhoServes(t *testing.T) {
	f := openIn(t, folder(t))
	dial(t, f)
	d, err := Connect(t.Context(), f.path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	write(t, d, store.Write{Key: key(1), Item: itemOf("x")})
	if got := all(t, &f.Database); len(got) != 1 {
		t.Errorf("%d items at the other end, want 1", len(got))
	}
}

func TestASocketThatWasLeftIsReplaced(t *testing.T) {
	at := folder(t)
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket.In(at), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false) // as a process that is killed
	_ = left.Close()
	if _, err := Dial(t.Context(), at); !errors.Is(err, socket.ErrNotServed) {
		t.Errorf("%v, want ErrNotServed", err)
	}
	if got := all(t, dial2(t, openIn(t, at))); len(got) != 0 {
		t.Error(got)
	}
}

// dial2 serves f where a socket is there already.
func dial2(t *testing.T, f *File) *Database {
	t.Helper()
	server, err := f.Serve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return dial(t, f)
}

func TestWhatIsNoSocketIsLeftAlone(t *testing.T) {
	at := folder(t)
	if err := os.WriteFile(filepath.Join(at, socket.Name), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openIn(t, at).Serve(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v, want ErrExist", err)
	}
}

func TestAnotherVersionIsNotTalkedTo(t *testing.T) {
	at := folder(t)
	other, err := net.Listen("unix", socket.In(at))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	go func() {
		if conn, err := other.Accept(); err == nil {
			_, _ = conn.Write([]byte("touchline file 99\n"))
			_ = conn.Close()
		}
	}()
	if _, err := Dial(t.Context(), at); err == nil || !strings.Contains(err.Error(), "another version") {
		t.Errorf("%v, want that it is of another version", err)
	}
}

// slow is a context whose end comes while its call is under way: the writing
// goroutine is kept busy until then.
func TestTheEndOfAContextIsTheEndOfACall(t *testing.T) {
	f := openIn(t, folder(t))
	for _, d := range []*Database{&f.Database, dial(t, f)} {
		ctx, cancel := context.WithCancelCause(t.Context())
		reason := errors.New("no longer wanted")
		err := f.alone(t.Context(), func() error { // the call waits
			ended := make(chan error)
			go func() {
				_, err := d.Write(ctx, "sports", []store.Write{{Key: key(1), Item: itemOf("x")}})
				ended <- err
			}()
			for waiting := 0; waiting == 0; {
				f.queue.Lock()
				waiting = len(f.waiting)
				f.queue.Unlock()
			}
			cancel(reason)
			return <-ended
		})
		if !errors.Is(err, reason) {
			t.Errorf("%v, want the cause of the end", err)
		}
		write(t, d, store.Write{Key: key(2), Item: itemOf("x")}) // which takes the one that waited with it
	}
}

func TestTheEndOfTheServerIsTheEndOfCalls(t *testing.T) {
	f := openIn(t, folder(t))
	server, err := f.Serve()
	if err != nil {
		t.Fatal(err)
	}
	d := dial(t, f)
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Get(t.Context(), "sports", nil, true); !errors.Is(err, ErrClosed) {
		t.Errorf("%v, want ErrClosed", err)
	}
	if _, err := Dial(t.Context(), filepath.Dir(f.path)); !errors.Is(err, socket.ErrNotServed) {
		t.Errorf("%v, want ErrNotServed", err)
	}
}

func TestAnErrorIsTheSameThroughTheSocket(t *testing.T) {
	for _, want := range []error{
		&store.HeldError{Label: "another"}, store.ErrLeaseLost, ErrDamaged, fs.ErrExist,
	} {
		got := error(faultOf(want))
		if got.Error() != want.Error() {
			t.Errorf("%q, want %q", got, want)
		}
		if held, ok := errors.AsType[*store.HeldError](want); ok {
			if other, ok := errors.AsType[*store.HeldError](got); !ok || *other != *held {
				t.Errorf("%v, want %v", other, held)
			}
		} else if !errors.Is(got, want) {
			t.Errorf("%v is not %v", got, want)
		}
	}
}
