package file

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchline/shared/store"
)

// anatomy is a file with a page of each kind, and where they are.
type anatomy struct {
	pages
	content []byte
	tables  uint64 // the leaf of the root
	branch  uint64 // of a table
	leaf    uint64 // below it
	free    uint64 // a page that is free
}

func anatomyOf(t *testing.T) *anatomy {
	t.Helper()
	f := openIn(t, folder(t))
	fill(t, &f.Database, 300, "some text ")
	write(t, &f.Database, store.Write{Key: key(1)})
	a := &anatomy{pages: f.pages(t.Context())}
	if err := errors.Join(a.heads(), f.Close()); err != nil {
		t.Fatal(err)
	}
	a.content = contentOf(t, f.path)
	a.tables = a.head.root
	value := a.page(a.tables)[pageHeader+int(order.Uint32(a.page(a.tables)[pageHeader+4:])):]
	a.branch = order.Uint64(value[len("sports"):])
	a.leaf = order.Uint64(a.page(a.branch)[pageHeader+8:])
	a.free = order.Uint64(a.page(a.head.freelist)[pageHeader:])
	if order.Uint16(a.page(a.branch)[8:]) != pageBranch || order.Uint16(a.page(a.leaf)[8:]) != pageLeaf {
		t.Fatal("the file has other pages than this test is about")
	}
	return a
}

func (a *anatomy) page(n uint64) []byte { return a.content[int64(n)*a.size:] } //nolint:gosec // small

// list makes the free list one of these.
func (a *anatomy) list(count uint16, pages ...uint64) {
	p := a.page(a.head.freelist)
	order.PutUint16(p[10:], count)
	for i, n := range pages {
		order.PutUint64(p[pageHeader+8*i:], n)
	}
}

// heads changes both heads, and their sums with them.
func (a *anatomy) change(do func(head []byte)) {
	for n := range uint64(2) {
		h := a.page(n)[pageHeader:]
		do(h)
		sum := fnv.New64a()
		_, _ = sum.Write(h[:56])
		order.PutUint64(h[56:], sum.Sum64())
	}
}

// Whatever page is damaged, to open the file, or else to check it, says so, and nothing ends
// the process: bbolt would run in circles, or ask for all memory.
func TestEveryKindOfPageMayBeDamaged(t *testing.T) {
	for name, tt := range map[string]struct {
		damage func(a *anatomy)
		opens  bool // the check finds it
	}{
		"one head":                               {func(a *anatomy) { a.page(a.head.transaction % 2)[pageHeader+20] ^= 1 }, true},
		"both heads":                             {func(a *anatomy) { a.page(0)[pageHeader+20] ^= 1; a.page(1)[pageHeader+20] ^= 1 }, false},
		"heads of another format":                {func(a *anatomy) { a.change(func(h []byte) { h[4] = 7 }) }, false},
		"heads whose root is a head":             {func(a *anatomy) { a.change(func(h []byte) { order.PutUint64(h[16:], 1) }) }, false},
		"heads whose root is beyond the file":    {func(a *anatomy) { a.change(func(h []byte) { order.PutUint64(h[16:], 1<<40) }) }, false},
		"heads without a free list":              {func(a *anatomy) { a.change(func(h []byte) { order.PutUint64(h[32:], 1<<64-1) }) }, false},
		"heads whose free list is a leaf":        {func(a *anatomy) { a.change(func(h []byte) { order.PutUint64(h[32:], a.leaf) }) }, false},
		"heads that count too many pages":        {func(a *anatomy) { a.change(func(h []byte) { order.PutUint64(h[40:], 1<<50) }) }, false},
		"heads that count none":                  {func(a *anatomy) { a.change(func(h []byte) { order.PutUint64(h[40:], 0) }) }, false},
		"a page of another size":                 {func(a *anatomy) { a.change(func(h []byte) { order.PutUint32(h[8:], 512) }) }, false},
		"the list names a page in use":           {func(a *anatomy) { a.list(1, a.leaf) }, false},
		"the list names a branch":                {func(a *anatomy) { a.list(1, a.branch) }, false},
		"the list names itself":                  {func(a *anatomy) { a.list(1, a.head.freelist) }, false},
		"the list names a head":                  {func(a *anatomy) { a.list(1, 0) }, false},
		"the list names a page twice":            {func(a *anatomy) { a.list(2, a.free, a.free) }, false},
		"the list names a page that is not":      {func(a *anatomy) { a.list(1, 1<<60) }, false},
		"the list is longer than its page":       {func(a *anatomy) { a.list(0xfff0) }, false},
		"the list says that it is endless":       {func(a *anatomy) { a.list(0xffff, 1<<62) }, false},
		"the list is of another kind":            {func(a *anatomy) { a.page(a.head.freelist)[8] = pageLeaf }, false},
		"the list lacks a page":                  {func(a *anatomy) { a.list(0) }, true},
		"the list takes more pages than are":     {func(a *anatomy) { order.PutUint32(a.page(a.head.freelist)[12:], 1<<31) }, false},
		"a branch names itself":                  {func(a *anatomy) { order.PutUint64(a.page(a.branch)[pageHeader+8:], a.branch) }, false},
		"a branch names itself further on":       {func(a *anatomy) { order.PutUint64(a.page(a.branch)[pageHeader+24:], a.branch) }, false},
		"a branch names the root":                {func(a *anatomy) { order.PutUint64(a.page(a.branch)[pageHeader+8:], a.tables) }, false},
		"a branch names a page that is not":      {func(a *anatomy) { order.PutUint64(a.page(a.branch)[pageHeader+8:], 1<<50) }, false},
		"a branch names a leaf twice":            {func(a *anatomy) { order.PutUint64(a.page(a.branch)[pageHeader+24:], a.leaf) }, false},
		"a branch names a free page":             {func(a *anatomy) { order.PutUint64(a.page(a.branch)[pageHeader+24:], a.free) }, false},
		"a branch says that it is another":       {func(a *anatomy) { a.page(a.branch)[0] ^= 1 }, false},
		"a branch is of no kind":                 {func(a *anatomy) { a.page(a.branch)[8] = 64 }, false},
		"a branch is empty":                      {func(a *anatomy) { order.PutUint16(a.page(a.branch)[10:], 0) }, false},
		"a branch has too many elements":         {func(a *anatomy) { order.PutUint16(a.page(a.branch)[10:], 0xffff) }, false},
		"a branch has a key outside of its page": {func(a *anatomy) { order.PutUint32(a.page(a.branch)[pageHeader:], 1<<31) }, false},
		"a branch has a key out of order":        {func(a *anatomy) { b := a.page(a.branch); b[pageHeader+32+int(order.Uint32(b[pageHeader+32:]))] = 0 }, false},
		"a table's root is the root":             {func(a *anatomy) { a.root(a.tables) }, false},
		"a table's root is a free page":          {func(a *anatomy) { a.root(a.free) }, false},
		"a table is missing":                     {func(a *anatomy) { a.page(a.tables)[pageHeader] = 0 }, false},
		"a leaf says that it is another":         {func(a *anatomy) { a.page(a.leaf)[0] ^= 1 }, true},
		"a leaf is of no kind":                   {func(a *anatomy) { a.page(a.leaf)[8] = 0 }, false},
		"a leaf has too many elements":           {func(a *anatomy) { order.PutUint16(a.page(a.leaf)[10:], 0xffff) }, true},
		"a record is longer than memory":         {func(a *anatomy) { order.PutUint32(a.page(a.leaf)[pageHeader+12:], 1<<32-1) }, true},
		"a record is no record":                  {func(a *anatomy) { a.page(a.leaf)[pageHeader] = 1 }, true},
		"a record has another text":              {func(a *anatomy) { a.content[strings.Index(string(a.content), "some text")] ^= 1 }, true},
		"the file is cut off":                    {func(a *anatomy) { a.content = a.content[:a.size*3] }, false},
		"the file is cut off in a page":          {func(a *anatomy) { a.content = a.content[:100] }, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := anatomyOf(t)
			tt.damage(a)
			path := filepath.Join(folder(t), "damaged.db")
			if err := os.WriteFile(path, a.content, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, o := range []Options{{ReadOnly: true}, {NoSync: true}} {
				f, err := Open(path, o)
				if err != nil {
					if !errors.Is(err, ErrDamaged) || tt.opens {
						t.Errorf("%+v: %v", o, err)
					}
					continue
				}
				report, err := f.Check(t.Context())
				if err != nil || len(report.Damage) == 0 || !tt.opens {
					t.Errorf("%+v: it opens, and %v, %v", o, report, err)
				}
				if _, err := f.Write(t.Context(), "sports", []store.Write{{Key: key(2)}}); f.Lost() != nil && !errors.Is(err, ErrDamaged) {
					t.Errorf("it is written: %v", err)
				}
				if lost := !o.ReadOnly && report.Lost != ""; lost != (f.Lost() != nil) {
					t.Errorf("%+v: %v, of %+v", o, f.Lost(), report)
				}
				if err := f.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// root makes a page the root of the table.
func (a *anatomy) root(page uint64) {
	b := a.page(a.tables)
	order.PutUint64(b[pageHeader+int(order.Uint32(b[pageHeader+4:]))+len("sports"):], page)
}

// A page that a disk claims to have written, and has not, is found by a check, if not by who
// opens the file; it is more than the damage of a record.
func TestAWriteThatWasClaimedIsFound(t *testing.T) {
	f := openIn(t, folder(t))
	fill(t, &f.Database, 300, "some text ")
	was := contentOf(t, f.path)
	for i := range 20 {
		write(t, &f.Database, store.Write{Key: key(10 * i), Item: itemOf("changed")})
	}
	size := int(f.size)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	is, lost := contentOf(t, f.path), 0
	at := folder(t)
	for from := 2 * size; from < min(len(was), len(is)); from += size {
		if bytes.Equal(was[from:from+size], is[from:from+size]) || order.Uint16(is[from+8:]) == pageFreelist { // which bbolt writes anew
			continue
		}
		path := filepath.Join(at, fmt.Sprint(from, ".db"))
		if err := os.WriteFile(path, is, 0o600); err != nil {
			t.Fatal(err)
		}
		g, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, opened := g.Check(t.Context()) // the first is what Open found
		if _, err := g.file.WriteAt(was[from:from+size], int64(from)); err != nil || opened != nil {
			t.Fatal(err, opened)
		}
		report, err := g.Check(t.Context())
		if err != nil || (report.Lost == "") != (len(report.Damage) == 0) {
			t.Errorf("page %d: %+v, %v", from/size, report, err)
		}
		if report.Lost != "" {
			lost++
			if err := g.Wipe(t.Context()); !errors.Is(err, ErrDamaged) || g.fault() == nil {
				t.Errorf("page %d: a wipe goes on: %v", from/size, err)
			}
		}
		_ = g.Close()
		if g, err = Open(path, Options{}); err != nil {
			if !errors.Is(err, ErrDamaged) || strings.Contains(err.Error(), "runtime error") {
				t.Error(err)
			}
			continue
		}
		if (g.Lost() != nil) != (report.Lost != "") {
			t.Errorf("page %d: opened again: %v", from/size, g.Lost())
		}
		_ = g.Close()
	}
	if lost < 3 {
		t.Errorf("%d pages were lost: that shows little", lost)
	}
}

// A record that has changed while the file is open is not served, nor taken for one that is not
// there where its key has; and nothing asks for memory by a length that has.
func TestARecordThatCannotBeFoundIsNotMissing(t *testing.T) {
	a := anatomyOf(t)
	path := filepath.Join(folder(t), "served.db")
	if err := os.WriteFile(path, a.content, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path, Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	d := dial(t, f)
	for n := range int(order.Uint16(a.page(a.branch)[10:])) {
		leaf := order.Uint64(a.page(a.branch)[pageHeader+16*n+8:])
		for i := range int(order.Uint16(a.page(leaf)[10:])) {
			element := pageHeader + 16*i
			e := a.page(leaf)[element:]
			row := e[order.Uint32(e[4:]):][:order.Uint32(e[8:])]
			digit := int(order.Uint32(e[4:])+order.Uint32(e[8:])) - 2
			for name, change := range map[string]func(){
				"greater": func() { e[digit] = 0xff }, "less": func() { e[digit] = 0 }, "a table": func() { e[0] = 1 }, "another value": func() { e[digit+10] ^= 1 },
				"long": func() { order.PutUint32(e[12:], 1<<32-1) }, "a long key": func() { order.PutUint32(e[8:], 1<<32-1) },
			} {
				k, at := store.Key{PK: "p", SK: string(row[2:])}, int64(leaf)*a.size+int64(element) //nolint:gosec // small
				was := bytes.Clone(e[:digit+11])
				change()
				_, writing := f.file.WriteAt(e[:digit+11], at)
				_, getting := d.Get(t.Context(), "sports", []store.Key{k}, true)
				_, querying := d.Query(t.Context(), "sports", store.Query{PK: "p", From: k.SK, To: k.SK}, store.Key{})
				_, listing := d.Query(t.Context(), "sports", store.Query{PK: "p"}, store.Key{})
				for _, err := range []error{getting, querying, listing} {
					if writing != nil || !errors.Is(err, ErrDamaged) {
						t.Errorf("leaf %d, %d, %s: %v, %v", n, i, name, err, writing)
					}
				}
				copy(e, was)
				if _, err := f.file.WriteAt(was, at); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if err := f.Nonces().Consume(t.Context(), nonce("one")); err != nil {
		t.Fatal(err)
	}
	damage(t, f.file, []byte("#a-nonce"))
	if err := f.Nonces().Consume(t.Context(), nonce("two")); !errors.Is(err, ErrDamaged) {
		t.Errorf("a nonce is taken twice: %v", err)
	}
}

// Of a table of which records are missing those that are there are taken over; a copy of the
// file is refused.
func TestWhatIsLeftOfATableIsTakenOver(t *testing.T) {
	for name, lose := range map[string]func(leaf []byte){
		"a record":    func(leaf []byte) { order.PutUint16(leaf[10:], order.Uint16(leaf[10:])-1) },
		"a key":       func(leaf []byte) { order.PutUint32(leaf[pageHeader+16+8:], 0) },
		"all of them": func(leaf []byte) { order.PutUint16(leaf[10:], 0) },
	} {
		t.Run(name, func(t *testing.T) {
			a := anatomyOf(t)
			lose(a.page(a.leaf))
			path := filepath.Join(folder(t), "damaged.db")
			if err := os.WriteFile(path, a.content, 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := Open(path, Options{NoSync: true})
			if err != nil || f.Lost() == nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = f.Close() })
			from := openIn(t, folder(t))
			next := filepath.Join(folder(t), "next.db")
			if report, err := from.CopyTo(t.Context(), next, map[string]*File{"sports": f}); err != nil || report.Records["sports"] < 270 || report.Records["sports"] >= 299 {
				t.Errorf("taken over: %+v, %v", report, err)
			}
			if _, err := f.CopyTo(t.Context(), next, nil); !errors.Is(err, ErrDamaged) {
				t.Errorf("copied: %v", err)
			}
		})
	}
}

// Whose tables have gone while the file was open, by a bit of their number, relies on nothing any
// more: nonces would count again.
func TestATableThatHasGoneEndsTheService(t *testing.T) {
	for name, use := range map[string]func(*File) error{
		"a write": func(f *File) error { return f.Nonces().Consume(t.Context(), nonce("one")) },
		"a read": func(f *File) error {
			_, err := f.Get(t.Context(), "sports", []store.Key{key(1)}, true)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := openIn(t, folder(t))
			write(t, &f.Database, store.Write{Key: key(1), Item: itemOf("text")})
			if err := errors.Join(f.Nonces().Consume(t.Context(), nonce("one")), f.Close()); err != nil {
				t.Fatal(err)
			}
			f, err := Open(f.path, Options{NoSync: true})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = f.Close() })
			p := f.pages(t.Context())
			if err := p.heads(); err != nil {
				t.Fatal(err)
			}
			if _, err := f.file.WriteAt([]byte{0, 0}, int64(p.head.root)*p.size+10); err != nil { //nolint:gosec // small
				t.Fatal(err)
			}
			if err := use(f); !errors.Is(err, ErrDamaged) || f.fault() == nil {
				t.Errorf("%v, and it goes on", err)
			}
		})
	}
}
