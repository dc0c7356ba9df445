package file

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"os"
)

// bbolt's own check of pages trusts what they say of others: where a byte has
// changed, it ends the process, or runs in circles. So pages are checked here, as
// they are in the file. The layout is bbolt's, in the byte order of the machine:
//
//	page     number 8, kind 2, count 2, how many pages more it takes 4, elements
//	head     page 0 and 1: 16 of others, root 8, 8, freelist 8, pages 8, transaction 8, checksum 8
//	branch   elements of 4, 4, number of a page 8
//	leaf     elements of kind 4, offset from the element 4, key's length 4, value's length 4
//	freelist numbers of pages 8; the first is their count where that is 0xffff
//
// A leaf of the root has elements of kind 1, tables, whose value begins with the root
// of the table 8, or 0 for one that lies in the value.
const (
	pageHeader   = 16
	pageBranch   = 1
	pageLeaf     = 2
	pageFreelist = 16
)

// head is what a file begins with, twice; the later transaction counts.
type head struct{ root, freelist, pages, transaction uint64 }

// pages is a check of the pages of a file.
type pages struct {
	file *os.File
	size int64 // of a page
	seen []bool
}

// heads reads both heads. One that is damaged does not count.
func (p *pages) heads() (latest head, torn bool) {
	for n := range int64(2) {
		b, err := p.read(n*p.size+pageHeader, 64)
		if err != nil {
			return latest, true
		}
		sum := fnv.New64a()
		_, _ = sum.Write(b[:56]) // never fails
		if sum.Sum64() != number8(b[56:]) {
			torn = true
			continue
		}
		if h := (head{number8(b[16:]), number8(b[32:]), number8(b[40:]), number8(b[48:])}); h.transaction >= latest.transaction {
			latest = h
		}
	}
	return latest, torn
}

// check makes sure that every page is in use once, or free. It gives how many are free.
func (p *pages) check() (free int, err error) {
	h, _ := p.heads()
	info, err := p.file.Stat()
	if err != nil {
		return 0, err
	}
	if h.pages < 2 || h.pages > uint64(info.Size()/p.size) { //nolint:gosec // not negative
		return 0, fmt.Errorf("%w: it should have %d pages of %d bytes, and has %d bytes", ErrDamaged, h.pages, p.size, info.Size())
	}
	p.seen = make([]bool, h.pages)
	p.seen[0], p.seen[1] = true, true
	if err := p.walk(h.root, true); err != nil {
		return 0, err
	}
	if free, err = p.free(h.freelist); err != nil {
		return 0, err
	}
	for n, seen := range p.seen {
		if !seen {
			return 0, fmt.Errorf("%w: page %d is neither in use nor free", ErrDamaged, n)
		}
	}
	return free, nil
}

// see notes a page, which must be new.
func (p *pages) see(page uint64) error {
	if page >= uint64(len(p.seen)) || p.seen[page] {
		return fmt.Errorf("%w: page %d is used twice, or does not exist", ErrDamaged, page)
	}
	p.seen[page] = true
	return nil
}

// open notes a page and reads its header.
func (p *pages) open(page uint64) (kind, count uint16, at int64, err error) {
	if err := p.see(page); err != nil {
		return 0, 0, 0, err
	}
	at = int64(page) * p.size //nolint:gosec // below the number of pages
	header, err := p.read(at, pageHeader)
	if err != nil {
		return 0, 0, 0, err
	}
	if number8(header) != page {
		return 0, 0, 0, fmt.Errorf("%w: page %d says that it is another", ErrDamaged, page)
	}
	for more := binary.NativeEndian.Uint32(header[12:]); more > 0 && err == nil; more-- {
		page++
		err = p.see(page)
	}
	return binary.NativeEndian.Uint16(header[8:]), binary.NativeEndian.Uint16(header[10:]), at + pageHeader, err
}

// walk notes a page and those below it, and those of the tables in the root.
func (p *pages) walk(page uint64, root bool) error {
	kind, count, at, err := p.open(page)
	if err != nil {
		return err
	}
	if kind != pageBranch && (kind != pageLeaf) {
		return fmt.Errorf("%w: page %d is of kind %d", ErrDamaged, page, kind)
	}
	if kind == pageLeaf && !root {
		return nil
	}
	elements, err := p.read(at, 16*int64(count))
	if err != nil {
		return err
	}
	for ; len(elements) > 0; elements, at = elements[16:], at+16 {
		if kind == pageBranch {
			err = p.walk(number8(elements[8:]), root)
		} else {
			err = p.table(elements, at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// table walks the table of an element of the root.
func (p *pages) table(element []byte, at int64) error {
	offset, length := binary.NativeEndian.Uint32(element[4:]), binary.NativeEndian.Uint32(element[8:])
	value, err := p.read(at+int64(offset)+int64(length), 8)
	if err != nil {
		return err
	}
	if element[0] != 1 {
		return fmt.Errorf("%w: a table is none", ErrDamaged)
	}
	if root := number8(value); root != 0 {
		return p.walk(root, false)
	}
	return nil
}

// free notes the pages of the freelist, and those in it.
func (p *pages) free(page uint64) (int, error) {
	kind, short, at, err := p.open(page)
	if err != nil {
		return 0, err
	}
	count := int64(short)
	if short == 0xffff {
		b, err := p.read(at, 8)
		if err != nil {
			return 0, err
		}
		count, at = int64(number8(b)), at+8 //nolint:gosec // bounded in the next line
	}
	if kind != pageFreelist || count < 0 || count > int64(len(p.seen)) {
		return 0, fmt.Errorf("%w: page %d lists no free ones", ErrDamaged, page)
	}
	list, err := p.read(at, 8*count)
	for ; len(list) > 0 && err == nil; list = list[8:] {
		err = p.see(number8(list))
	}
	return int(count), err
}

func (p *pages) read(at, n int64) ([]byte, error) {
	b := make([]byte, n)
	if _, err := p.file.ReadAt(b, at); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return b, nil
}

func number8(b []byte) uint64 { return binary.NativeEndian.Uint64(b) }
