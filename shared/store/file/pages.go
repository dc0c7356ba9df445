package file

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"strings"

	bolt "go.etcd.io/bbolt"
)

// bbolt's own check trusts what pages say of others: where a byte has changed, it ends
// the process, or runs in circles. So Check reads the pages itself, each at most once,
// and as they are in the file. What lies outside of a page, or of the file, is a panic
// here, which guard makes ErrDamaged of. The layout is bbolt's, in the byte order of the
// machine:
//
//	page     number 8, kind 2, count 2, how many pages more it takes 4, elements
//	head     page 0 and 1: kind 4, version 4, size of a page 4, 4, root 8, 8, freelist 8, pages 8, transaction 8, checksum 8
//	branch   elements of the key's offset from the element 4, its length 4, number of a page 8
//	leaf     elements of kind 4, the key's offset from the element 4, its length 4, the value's length 4
//	freelist numbers of pages 8; the first is their count where that is 0xffff
//
// A leaf of the root has elements of kind 1, tables, whose value has the root of the
// table 8, or 0 for one whose only page follows in the value, and its sum 8.
//
// What breaks this file: another page format of bbolt, or a machine whose bbolt writes heads
// otherwise than in turns. The format's version is in headKind: with another one every head
// counts as damaged, and nothing is opened, read or wiped. It has been the same since bbolt
// began.
//
// What holds it: TestEveryKindOfPageMayBeDamaged changes each part of each kind of page, which
// has to be found. TestAfterASyncThatFailedNothingIsLost has the disk fail below settle, which
// writes the last head again (write.go), and TestAWipeDestroysNothingThatEitherHeadNeeds reads
// both heads.
//
// What would let it go: a check by bbolt that survives what is damaged, and a commit whose error
// says whether its head is on the disk.
const (
	pageHeader   = 16
	pageBranch   = 1
	pageLeaf     = 2
	pageFreelist = 16
)

var order = binary.NativeEndian

// sum is of all records of a table: their number, and the exclusive or of their
// checksums. It tells that none was lost, and none has come back.
type sum uint64

func checksumIn(value []byte) sum {
	if len(value) < checksumSize {
		return 0
	}
	return sum(binary.BigEndian.Uint32(value))
}

func (s sum) with(value []byte) sum    { return (s + 1<<32) ^ checksumIn(value) }
func (s sum) without(value []byte) sum { return (s - 1<<32) ^ checksumIn(value) }
func (s sum) records() int             { return int(s >> 32) }

// check reads the file as it is at a moment; writing goes on. What Open has just read is not
// read again.
func (f *File) check(ctx context.Context) (report Report, err error) {
	f.long.Lock()
	defer f.long.Unlock()
	var opened *Report
	err = f.alone(ctx, func() error {
		opened, f.opened = f.opened, nil
		return nil
	})
	if err != nil || opened == nil {
		return f.inspect(ctx, f.torn)
	}
	return *opened, nil
}

// inspect is check for who holds long. Torn says that a head was damaged before.
func (f *File) inspect(ctx context.Context, torn bool) (Report, error) {
	p := f.pages(ctx)
	var tx *bolt.Tx
	err := f.alone(ctx, func() (err error) {
		if tx, err = f.begin(); err == nil { // keeps the pages from being used again
			err = p.heads()
		}
		return err
	})
	if tx != nil {
		defer tx.Rollback() //nolint:errcheck // nothing was written
	}
	if p.torn || torn {
		p.note(tornHead)
	}
	if err == nil {
		err = guard(p.check)
	}
	if errors.Is(err, ErrDamaged) {
		p.lose(strings.TrimPrefix(err.Error(), ErrDamaged.Error()+": "))
		err = nil
	}
	return p.report, err
}

// sound makes sure that bbolt can walk through a file: where a byte of its heads, its free
// list or a branch has changed it may run in circles, which ends the process. Leaves are
// not read, which are nearly all of a file.
func sound(f *os.File) error {
	p := pages{ctx: context.Background(), disk: f, branches: true, report: Report{Records: map[string]int{}}}
	for p.size = 1 << 10; p.size <= 16<<20; p.size *= 2 { // as bbolt looks for it
		if err := p.heads(); err == nil && p.head.pages > 0 {
			return p.check()
		}
	}
	return fmt.Errorf("%w, or of another kind: neither of its heads is whole", ErrDamaged)
}

// pages is a check of the pages of a file.
type pages struct {
	ctx    context.Context
	disk   disk
	size   int64 // of a page
	torn   bool  // one of the heads is damaged
	head   head  // the other, or the later one
	former head  // the earlier one, where both are whole
	seen   []bool
	report Report

	branches bool // only pages above leaves are checked
}

func (f *File) pages(ctx context.Context) pages {
	return pages{ctx: ctx, disk: f.disk, size: f.handle.size, report: Report{Records: map[string]int{}}}
}

// head is what a file begins with, twice; the later transaction counts.
type head struct{ root, freelist, pages, transaction uint64 }

// tornHead is the damage that a cut of the power may leave.
const tornHead = "one of the two heads of the file is damaged, or was when it was opened: what was written last may be missing"

// maxDamage is how much damage a Report lists.
const maxDamage = 20

func (p *pages) note(damage string) {
	if len(p.report.Damage) < maxDamage {
		p.report.Damage = append(p.report.Damage, damage)
	}
}

// lose notes damage that is not one of a single record.
func (p *pages) lose(damage string) {
	p.report.Lost = cmp.Or(p.report.Lost, damage)
	p.note(damage)
}

// headKind is what a head begins with: that it is one, and the version of the format.
const headKind = 2<<32 | 0xED0CDAED

// heads reads both heads. One that is damaged does not count.
func (p *pages) heads() error {
	p.head, p.former, p.torn = head{}, head{}, false
	for n := range int64(2) {
		b, err := p.read(n*p.size+pageHeader, 64)
		if err != nil {
			return err
		}
		sum := fnv.New64a()
		_, _ = sum.Write(b[:56]) // never fails
		h := head{order.Uint64(b[16:]), order.Uint64(b[32:]), order.Uint64(b[40:]), order.Uint64(b[48:])}
		switch {
		case sum.Sum64() != order.Uint64(b[56:]), uint64(order.Uint32(b))|uint64(order.Uint32(b[4:]))<<32 != headKind, int64(order.Uint32(b[8:])) != p.size:
			p.torn = true
		case h.transaction >= p.head.transaction:
			p.head, p.former = h, p.head
		default:
			p.former = h
		}
	}
	return nil
}

// check makes sure that every page is in use once, or free, and every record is there.
func (p *pages) check() error {
	info, err := p.disk.Stat()
	if err != nil {
		return err
	}
	if n := p.head.pages; n < 2 || n > uint64(info.Size()/p.size) { //nolint:gosec // not negative
		return fmt.Errorf("%w: it should have %d pages of %d bytes, and has %d bytes", ErrDamaged, n, p.size, info.Size())
	}
	p.seen = make([]bool, p.head.pages)
	p.seen[0], p.seen[1] = true, true
	p.report.Size = int64(len(p.seen)) * p.size
	if err := (&tree{pages: p, leaf: p.table}).walk(p.head.root); err != nil {
		return err
	}
	free, err := p.free(p.head.freelist)
	if err != nil {
		return err
	}
	p.report.Free = int64(len(free)) * p.size
	for n, seen := range p.seen {
		if !seen && !p.branches {
			return fmt.Errorf("%w: page %d is neither in use nor free", ErrDamaged, n)
		}
	}
	return nil
}

// see notes a page, which must be new.
func (p *pages) see(page uint64) error {
	if page >= uint64(len(p.seen)) || p.seen[page] {
		return fmt.Errorf("%w: page %d is used twice, or does not exist", ErrDamaged, page)
	}
	p.seen[page] = true
	return nil
}

// page notes a page, with those that it takes more, and reads them.
func (p *pages) page(page uint64) ([]byte, error) {
	at := int64(page) * p.size //nolint:gosec // bounded by see
	if err := errors.Join(p.see(page), context.Cause(p.ctx)); err != nil {
		return nil, err
	}
	first, err := p.read(at, p.size)
	if err != nil {
		return nil, err
	}
	if order.Uint64(first) != page {
		return nil, fmt.Errorf("%w: page %d says that it is another", ErrDamaged, page)
	}
	more := order.Uint32(first[12:])
	if more == 0 {
		return first, nil
	}
	// bbolt splits what has more than four records; a list has 8 bytes a page.
	if int64(more)*p.size > 16*maxItem+8*int64(len(p.seen)) {
		return nil, fmt.Errorf("%w: page %d takes %d more, and none is so long", ErrDamaged, page, more)
	}
	for n := range uint64(more) {
		if err := p.see(page + 1 + n); err != nil {
			return nil, err
		}
	}
	return p.read(at, (1+int64(more))*p.size)
}

func (p *pages) read(at, n int64) ([]byte, error) {
	b := make([]byte, n)
	if _, err := p.disk.ReadAt(b, at); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return b, nil
}

// free notes the pages of the freelist, and those in it, which it gives.
func (p *pages) free(page uint64) (all []uint64, err error) {
	b, err := p.page(page)
	if err != nil {
		return nil, err
	}
	kind, count, list := order.Uint16(b[8:]), uint64(order.Uint16(b[10:])), b[pageHeader:]
	if count == 0xffff {
		count, list = order.Uint64(list), list[8:]
	}
	if kind != pageFreelist || count > uint64(len(list)/8) {
		return nil, fmt.Errorf("%w: page %d lists no free ones", ErrDamaged, page)
	}
	for ; count > 0 && err == nil; count, list = count-1, list[8:] {
		all = append(all, order.Uint64(list))
		err = p.see(order.Uint64(list))
	}
	return all, err
}

// table checks a table, which is an element of the root.
func (p *pages) table(kind uint32, name, value []byte) error {
	if kind != 1 {
		return fmt.Errorf("%w: what should be a table is not one", ErrDamaged)
	}
	var found sum
	t, noted := &tree{pages: p}, len(p.report.Damage)
	if !p.branches {
		t.leaf = p.record(string(name), &found)
	}
	var err error
	if root := order.Uint64(value); root != 0 {
		err = t.walk(root)
	} else {
		err = t.elements(value[16:])
	}
	want := sum(order.Uint64(value[8:]))
	same := found == want
	if p.report.Keys > 0 && string(name) == KeysTable { // whose part of the sum is not known
		same = found.records() == want.records()
	}
	if err == nil && !same && !p.branches {
		damage := fmt.Sprintf("table %s: its %d records are not the %d that were written", name, found.records(), want.records())
		if len(p.report.Damage) > noted && found.records() == want.records() { // it follows from that of a record
			p.note(damage)
		} else {
			p.lose(damage)
		}
	}
	p.report.Records[string(name)] = found.records()
	return err
}

// record checks the records of a table, and adds them to what was found.
func (p *pages) record(table string, found *sum) func(kind uint32, row, value []byte) error {
	return func(kind uint32, row, value []byte) error {
		if kind != 0 {
			return fmt.Errorf("%w: what should be a record is not one", ErrDamaged)
		}
		if key, err := intact(table, row, value); err != nil && table == KeysTable && key.PK != "" && key.SK == "" {
			p.report.Keys++
		} else if err != nil {
			p.note(err.Error())
		}
		*found = found.with(value)
		return nil
	}
}

// tree is a walk through the pages of a table, or of the root, in the order of keys.
type tree struct {
	*pages
	leaf func(kind uint32, key, value []byte) error // nil: leaves are not read
	next []byte                                     // the least key that may follow
}

func (t *tree) walk(page uint64) error {
	b, err := t.page(page)
	if err == nil {
		err = t.elements(b)
	}
	return err
}

// elements goes through those of a page. A key that is out of order would be there and
// not found.
func (t *tree) elements(b []byte) error {
	kind, count := order.Uint16(b[8:]), int(order.Uint16(b[10:]))
	if kind != pageBranch && kind != pageLeaf || kind == pageBranch && count == 0 {
		return fmt.Errorf("%w: a page is of kind %d with %d elements", ErrDamaged, kind, count)
	}
	unread := false // what is below
	if t.leaf == nil {
		if kind == pageLeaf {
			return nil
		}
		var err error
		if unread, err = t.overLeaves(b); err != nil {
			return err
		}
	}
	for at := pageHeader; count > 0; at, count = at+16, count-1 {
		e := b[at:]
		sizes := e[:8] // of a branch: offset and length
		if kind == pageLeaf {
			sizes = e[4:12]
		}
		from := order.Uint32(sizes)
		key, value := e[from:], e[from:]
		key, value = key[:order.Uint32(sizes[4:])], value[order.Uint32(sizes[4:]):]
		if bytes.Compare(key, t.next) < 0 {
			return fmt.Errorf("%w: a key is out of order", ErrDamaged)
		}
		t.next = append(t.next[:0], key...)
		var err error
		switch {
		case unread:
			err = t.see(order.Uint64(e[8:]))
		case kind == pageBranch:
			err = t.walk(order.Uint64(e[8:]))
		default:
			t.next = append(t.next, 0)
			err = t.leaf(order.Uint32(e), key, value[:order.Uint32(e[12:])])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// overLeaves reports whether a branch is above leaves; then all that it names are.
func (t *tree) overLeaves(b []byte) (bool, error) {
	page := order.Uint64(b[pageHeader+8:])
	if page >= uint64(len(t.seen)) {
		return false, fmt.Errorf("%w: page %d does not exist", ErrDamaged, page)
	}
	header, err := t.read(int64(page)*t.size, pageHeader) //nolint:gosec // bounded
	return err == nil && order.Uint16(header[8:]) == pageLeaf, err
}
