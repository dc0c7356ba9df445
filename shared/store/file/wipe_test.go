package file

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"touchline/shared/store"
)

func contentOf(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// erased is what no byte of a wiped file may have.
const erased = "Mustermann"

// wiped makes sure that nothing is left in a file of what was erased, and nothing else is
// missing.
func wiped(t *testing.T, d *Database, path string, items int) {
	t.Helper()
	if n := bytes.Count(contentOf(t, path), []byte(erased)); n > 0 {
		t.Errorf("the file holds what was erased %d times", n)
	}
	if n := whole(t, d).Records["sports"]; n != items {
		t.Errorf("%d items are there, want %d", n, items)
	}
}

func TestNothingErasedIsLeftInAWipedFile(t *testing.T) {
	f := openIn(t, folder(t))
	d := dial(t, f)
	fill(t, d, 3000, "kept")
	write(t, d, store.Write{Key: key(5000), Item: itemOf("Erika " + erased)}, store.Write{Key: key(5001), Item: itemOf("Max " + erased)})
	write(t, d, store.Write{Key: key(5000)}, store.Write{Key: key(5001), Item: itemOf("changed")})
	if !bytes.Contains(contentOf(t, f.path), []byte(erased)) {
		t.Fatal("nothing is left before, so that this tests nothing")
	}
	for i := range 2000 {
		write(t, d, store.Write{Key: key(i)})
	}
	var others sync.WaitGroup
	done := make(chan struct{})
	for i := range 2 { // go on meanwhile
		others.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				write(t, d, store.Write{Key: key(6000 + i), Item: itemOf(strings.Repeat("x", 100))})
				if reply, err := d.Get(t.Context(), "sports", []store.Key{key(2500)}, true); err != nil || len(reply.Items) != 1 {
					t.Errorf("%v, %v", reply.Items, err)
				}
			}
		})
	}
	err := d.Wipe(t.Context())
	close(done)
	others.Wait()
	if err != nil {
		t.Fatal(err)
	}
	wiped(t, d, f.path, 1003)
	if before := contentOf(t, f.path); d.Wipe(t.Context()) != nil || len(before) != len(contentOf(t, f.path)) {
		t.Error("a second wipe fails, or the file has another size")
	}
}

// What is in use holds nothing that was deleted, whatever was: bbolt, as go.mod has it,
// writes pages as a whole, and takes separators that were deleted out of branches.
func TestLivePagesHoldNothingErased(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	f := openIn(t, folder(t))
	kept := map[int]bool{}
	for range times(40) {
		var writes []store.Write
		marked := map[int]bool{}
		for range 20 + random.IntN(200) {
			marked[random.IntN(4000)] = true
		}
		for i := range marked { // the key too, which may become a separator
			text := fmt.Sprintf("%s %d ", erased, i)
			writes = append(writes, store.Write{
				Key:  store.Key{PK: fmt.Sprintf("%04d %s %s", i, erased, strings.Repeat("k", random.IntN(300))), SK: erased},
				Item: itemOf(strings.Repeat(text, 1+random.IntN(3)*random.IntN(300))),
			})
		}
		for range 20 + random.IntN(100) {
			i := random.IntN(4000)
			kept[i] = random.IntN(3) > 0
			w := store.Write{Key: store.Key{PK: fmt.Sprintf("%04d", i)}}
			if kept[i] {
				w.Item = itemOf(strings.Repeat("x", random.IntN(9000)))
			} else {
				delete(kept, i)
			}
			writes = append(writes, w)
		}
		seen := map[store.Key]bool{}
		for _, w := range writes {
			if !seen[w.Key] {
				write(t, &f.Database, w)
			}
			seen[w.Key] = true
		}
		random.Shuffle(len(writes), func(i, j int) { writes[i], writes[j] = writes[j], writes[i] })
		for _, w := range writes {
			if w.Key.SK == erased {
				write(t, &f.Database, store.Write{Key: w.Key})
			}
		}
		if err := f.Wipe(t.Context()); err != nil {
			t.Fatal(err)
		}
		wiped(t, &f.Database, f.path, whole(t, &f.Database).Records["sports"])
		if t.Failed() {
			return
		}
	}
}

// Whenever the power is cut in a wipe, the file is whole, even where the newer head is torn.
func TestAWipeDestroysNothingThatEitherHeadNeeds(t *testing.T) {
	f := openIn(t, folder(t))
	fill(t, &f.Database, 400, "some text ")
	for i := range 300 {
		write(t, &f.Database, store.Write{Key: key(i)})
	}
	w, cut := f.wiping(t.Context()), filepath.Join(folder(t), "cut.db")
	for n := 0; !w.done; n++ {
		if n%3 == 0 {
			write(t, &f.Database, store.Write{Key: key(300 + n%90), Item: itemOf(strings.Repeat("y", 100*(n%90)))})
		}
		if err := f.alone(t.Context(), func() error { return w.slice(1) }); err != nil {
			t.Fatal(err)
		}
		if n > 400 {
			t.Fatal("it comes to no end")
		}
		content := contentOf(t, f.path)
		for torn := range 2 { // heads
			if err := os.WriteFile(cut, content, 0o600); err != nil {
				t.Fatal(err)
			}
			after, err := Open(cut, Options{ReadOnly: true})
			if err != nil {
				t.Fatalf("after slice %d: %v", n, err)
			}
			if report, err := after.inspect(t.Context(), false); err != nil || len(report.Damage) != torn {
				t.Fatalf("after slice %d, %d heads torn: %+v, %v", n, torn, report, err)
			}
			if err := after.Close(); err != nil {
				t.Fatal(err)
			}
			content[int(w.head.transaction%2)*int(w.size)+pageHeader+50] ^= 1
		}
	}
	wiped(t, &f.Database, f.path, whole(t, &f.Database).Records["sports"])
}

// A list that names a page in use would have it destroyed.
func TestADamagedFileIsNotWiped(t *testing.T) {
	f := openIn(t, folder(t))
	fill(t, &f.Database, 100, "some text ")
	fill(t, &f.Database, 90, erased)
	damage(t, f.file, []byte(erased))
	if err := f.Wipe(t.Context()); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v, want ErrDamaged", err)
	}
	if left := bytes.Count(contentOf(t, f.path), []byte("some text")); left < 1000 {
		t.Errorf("what was free is overwritten: %d texts are left", left)
	}
	p := f.pages(t.Context())
	if err := p.heads(); err != nil {
		t.Fatal(err)
	}
	w := f.wiping(t.Context())
	for range 2 { // both lists name the root
		at := int64(p.head.freelist)*p.size + pageHeader //nolint:gosec // a page of the file
		if _, err := f.file.WriteAt(order.AppendUint64(nil, p.head.freelist), at); err != nil {
			t.Fatal(err)
		}
		p.head = p.former
	}
	if err := w.slice(sliceBytes); !errors.Is(err, ErrDamaged) {
		t.Errorf("lists that name themselves: %v, want ErrDamaged", err)
	}
}

// What serves a file ends once a wipe finds that more is missing than records.
func TestAWipeThatFindsAPageMissingEndsTheProcess(t *testing.T) {
	f := openIn(t, folder(t))
	fill(t, &f.Database, 100, "some text ")
	p := f.pages(t.Context())
	_ = p.heads() // without them no page is found
	for n := uint64(2); n < p.head.pages; n++ {
		if b, err := p.read(int64(n)*p.size, p.size); err == nil && order.Uint16(b[8:]) == pageLeaf && n != p.head.root {
			_, _ = f.file.WriteAt(order.AppendUint64(nil, n+1), int64(n)*p.size)
		}
	}
	if err := f.Wipe(t.Context()); !errors.Is(err, ErrDamaged) || !errors.Is(f.fault(), ErrDamaged) {
		t.Errorf("%v, and gone for %v", err, f.fault())
	}
}

// A read that is open may see what is free by now.
func TestAWipeWaitsForReadsThatAreOpen(t *testing.T) {
	f := openIn(t, folder(t))
	fill(t, &f.Database, 100, erased)
	for i := range 100 {
		write(t, &f.Database, store.Write{Key: key(i)})
	}
	f.reads.RLock()
	done := make(chan error, 1)
	go func() { done <- f.Wipe(t.Context()) }()
	for f.reads.TryRLock() { // until it waits
		f.reads.RUnlock()
		select {
		case err := <-done:
			t.Fatalf("it does not wait: %v", err)
		default:
			runtime.Gosched()
		}
	}
	if !bytes.Contains(contentOf(t, f.path), []byte(erased)) {
		t.Error("it does not wait")
	}
	f.reads.RUnlock()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	wiped(t, &f.Database, f.path, 0)
}

// unreliable fails a commit while it waits.
type unreliable struct {
	*os.File
	fail func()
}

func (d unreliable) Sync() error {
	d.fail()
	return d.File.Sync()
}

// A sync that fails once has told bbolt alone, and not the wipe that waited beside it.
func TestAWipeBesideACommitThatFailedIsNotDone(t *testing.T) {
	fail := func() {}
	f, err := Open(filepath.Join(folder(t), "data.db"), Options{disk: func(f *os.File) disk { return unreliable{f, func() { fail() }} }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	write(t, &f.Database, store.Write{Key: key(1), Item: itemOf("text")})
	if err := f.Wipe(t.Context()); err != nil {
		t.Fatal(err)
	}
	fail = func() { f.failed++ }
	if err := f.Wipe(t.Context()); err == nil {
		t.Error("it says that it is done")
	}
}
