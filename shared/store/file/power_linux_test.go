package file

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"syscall"
	"testing"

	bolt "go.etcd.io/bbolt"

	"touchline/shared/store"
)

// platter is a disk whose syncs fail, and which knows what would be left if the power were
// cut. A sync that fails loses what was written since the one before, or parts of it, and
// nobody writes that again: so does Linux. For bbolt, which syncs the descriptor of its
// file itself, the descriptor is that of a pipe until the sync has failed.
type platter struct {
	*os.File // the one of bbolt
	random   *rand.Rand
	fails    func(n int) bool // the n-th sync
	content  []byte           // what is on the disk
	written  []span           // since the last sync
	syncs    int
	kept     int    // a descriptor of the file
	pipe     [2]int // of which none can be synced
	swapped  bool   // the sync of bbolt that follows fails
	bolts    bool   // bbolt has written since
	head     int64  // where the heads end
}

type span struct {
	at   int64
	data []byte
}

func (p *platter) put(s span) {
	for int64(len(p.content)) < s.at+int64(len(s.data)) {
		p.content = append(p.content, make([]byte, 1<<16)...)
	}
	copy(p.content[s.at:], s.data)
}

// lose has the disk take some of what was written, in sectors, and forget the rest.
func (p *platter) lose() {
	for _, s := range p.written {
		for len(s.data) > 0 {
			n := min(512, len(s.data))
			if p.random.IntN(3) == 0 {
				p.put(span{s.at, s.data[:n]})
			}
			s.at, s.data = s.at+int64(n), s.data[n:]
		}
	}
	p.written = nil
}

func (p *platter) flush() {
	for _, s := range p.written {
		p.put(s)
	}
	p.written = nil
}

// synced is the end of a sync of bbolt's.
func (p *platter) synced() {
	switch {
	case !p.bolts:
	case p.swapped:
		p.lose()
	default:
		p.flush()
	}
	p.bolts = false
	p.restore()
}

func (p *platter) restore() {
	if p.swapped {
		must(syscall.Dup3(p.kept, int(p.Fd()), 0))
		p.swapped = false
	}
}

// write is a write of bbolt's: data, which it syncs then, or a head.
func (p *platter) write(b []byte, at int64) (int, error) {
	if begins := !p.bolts || at < p.head; begins { // of what a sync follows
		p.synced()
		p.bolts = true
		if p.syncs++; p.fails(p.syncs) {
			p.swapped = true
			must(syscall.Dup3(p.pipe[0], int(p.Fd()), 0))
		}
	}
	p.written = append(p.written, span{at, append([]byte(nil), b...)})
	return syscall.Pwrite(p.kept, b, at)
}

func (p *platter) ReadAt(b []byte, at int64) (int, error) { p.synced(); return p.File.ReadAt(b, at) }

func (p *platter) WriteAt(b []byte, at int64) (int, error) {
	p.synced()
	p.written = append(p.written, span{at, append([]byte(nil), b...)})
	return p.File.WriteAt(b, at)
}

func (p *platter) Sync() error {
	p.synced()
	if p.syncs++; p.fails(p.syncs) {
		p.lose()
		return syscall.EIO
	}
	p.flush()
	return p.File.Sync()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// open opens the file at path, on the platter.
func (p *platter) open(path string) (*File, error) {
	f, err := Open(path, Options{disk: func(f *os.File) disk {
		p.File, p.bolts, p.swapped = f, false, false
		kept, err := syscall.Dup(int(f.Fd()))
		must(err)
		p.kept = kept
		return p
	}})
	if err != nil {
		must(syscall.Close(p.kept))
		return nil, err
	}
	p.head = 2 * f.handle.size
	hook := reflect.ValueOf(f.db).Elem().FieldByName("ops").FieldByName("writeAt") // no other way leads there
	*(*func([]byte, int64) (int, error))(hook.Addr().UnsafePointer()) = p.write
	return f, nil
}

// close is the end of the process.
func (p *platter) close(f *File) {
	p.synced()
	_ = f.Close()
	must(syscall.Close(p.kept))
}

// cut is what a cut of the power leaves, opened.
func (p *platter) cut(t *testing.T) *Database {
	t.Helper()
	p.synced()
	after := *p
	after.content = append([]byte(nil), p.content...)
	after.lose()
	path := filepath.Join(folder(t), "cut.db")
	if err := os.WriteFile(path, after.content, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path, Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return &f.Database
}

// Whatever syncs fail, and whenever the power is cut then, the file can be read, and has what
// was answered. What failed was not made. The process goes on, or ends and is started again.
func TestAfterASyncThatFailedNothingIsLost(t *testing.T) {
	if _, ok := reflect.TypeFor[bolt.DB]().FieldByName("ops"); !ok {
		t.Fatal("bbolt has no such hook any more")
	}
	for name, fails := range map[string]func(n, at int) bool{
		"none":        func(int, int) bool { return false },
		"every third": func(n, at int) bool { return (n+at)%3 == 0 },
		"one":         func(n, at int) bool { return n == 3+at },
		"two":         func(n, at int) bool { return n == 3+at || n == 4+at },
		"all":         func(n, at int) bool { return n > 10+at && n < 20+at },
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(times(12) - 2) { //nolint:gosec // small
				broken := lived(t, seed, func(n int) bool { return fails(n, int(seed)%8) }) //nolint:gosec // small
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
				if (name == "all") != (broken > 0) && name != "two" && name != "every third" {
					t.Errorf("seed %d: the process ended %d times", seed, broken)
				}
			}
		})
	}
}

// lived writes for a while to a file whose syncs fail, and cuts the power now and then. It
// returns how often the process had to be started again.
func lived(t *testing.T, seed uint64, fails func(n int) bool) (broken int) {
	path := filepath.Join(folder(t), "data.db")
	f, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	p := &platter{random: rand.New(rand.NewPCG(seed, 0)), fails: func(int) bool { return false }, content: contentOf(t, path)}
	must(syscall.Pipe2(p.pipe[:], 0))
	defer func() { _, _ = syscall.Close(p.pipe[0]), syscall.Close(p.pipe[1]) }()
	if f, err = p.open(path); err != nil {
		t.Fatal(err)
	}
	p.fails = fails
	want := map[int]string{}
	for step := range 40 {
		i, value := p.random.IntN(12), fmt.Sprint(step, string(make([]byte, p.random.IntN(9000))))
		_, err := f.Write(t.Context(), "sports", []store.Write{{Key: key(i), Item: itemOf(value)}})
		if err == nil {
			want[i] = value
		}
		if step%7 == 3 {
			_ = f.Wipe(t.Context()) // it may fail, too
		}
		maybe := -1
		if err != nil && f.fault() != nil { // it may be made
			maybe = i
		}
		for _, d := range []*Database{p.cut(t), p.cut(t)} {
			have(t, d, want, maybe)
		}
		if t.Failed() {
			t.Errorf("step %d, sync %d: %v, %v", step, p.syncs, err, f.fault())
			return broken
		}
		for f.fault() != nil {
			broken++
			p.close(f)
			again, err := p.open(path)
			for err != nil { // it is started until it comes up
				again, err = p.open(path)
			}
			f = again
			if maybe >= 0 {
				delete(want, maybe)
				if found := values(t, &f.Database)[maybe]; found != "" {
					want[maybe] = found
				}
			}
		}
		if maybe < 0 {
			have(t, &f.Database, want, -1)
		}
	}
	p.close(f)
	return broken
}

func values(t *testing.T, d *Database) map[int]string {
	t.Helper()
	found := map[int]string{}
	for _, item := range all(t, d) {
		var i int
		if _, err := fmt.Sscanf(store.KeyOf(item).SK, "%d", &i); err != nil {
			t.Fatal(err)
		}
		found[i] = textIn(item, "v")
	}
	return found
}

// have makes sure that what was answered is there, and nothing else; maybe is what may have
// been made, -1: nothing.
func have(t *testing.T, d *Database, want map[int]string, maybe int) {
	t.Helper()
	report, err := d.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, damage := range report.Damage {
		if damage != tornHead {
			t.Errorf("damage: %s", damage)
		}
	}
	found := values(t, d)
	for i := range 12 {
		if i != maybe && found[i] != want[i] {
			t.Errorf("item %d is %.10q, want %.10q", i, found[i], want[i])
		}
	}
}
