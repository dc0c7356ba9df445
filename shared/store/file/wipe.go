package file

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"
)

// A wipe writes into a file that is in use, below bbolt. What makes that safe:
//
//   - A page is free where the free lists of both heads on the disk name it: whichever
//     head is read after a cut of the power, it does not need the page. So is one that
//     lies beyond what both heads count. Heads and the pages of the two lists are not.
//   - An empty commit comes first, so that what was freed before it is in both lists.
//   - A slice has the place to write, so that no page comes into use meanwhile, and reads
//     both lists again where the heads have changed. What has come into use by then is
//     written over as a whole.
//   - A slice waits once for the reads that are open, since these may see pages that are
//     free by now. Those that begin later do not. Reads that take long are excluded.
//   - All pages are checked before: a damaged list could name a page that is in use.
//   - Only a page that is not zero is written, so that a full disk is no fault: no hole
//     of the file needs room.
//
// What is in use holds nothing that was deleted: bbolt writes pages as a whole, from
// memory that it has cleared.

// A slice holds the place for so long, or so many bytes: a write waits for no more. With
// 100,000 free pages to be read again it is some 20 ms.
const (
	sliceTime  = 5 * time.Millisecond
	sliceBytes = 1 << 20
)

// wipe overwrites the free pages of the file with zeros.
func (f *File) wipe(ctx context.Context) error {
	if f.options.ReadOnly {
		return fmt.Errorf("wipe %s: it is open for reading alone", f.path)
	}
	f.long.Lock()
	defer f.long.Unlock()
	failed := 0
	err := f.alone(ctx, func() error {
		failed = f.failed
		return f.committed(func(*bolt.Tx) error { return nil })
	})
	if err != nil {
		return err
	}
	report, err := f.inspect(ctx, false)
	if err == nil && len(report.Damage) > 0 {
		err = fmt.Errorf("%w: %s", ErrDamaged, report.Damage[0])
	}
	if report.Lost != "" {
		f.giveUp(err)
	}
	w := f.wiping(ctx)
	for err == nil && !w.done {
		err = f.alone(ctx, func() error {
			f.afterReads()
			return guard(func() error { return w.slice(sliceBytes) })
		})
	}
	if err == nil && !f.options.NoSync {
		err = guard(f.disk.Sync)
	}
	if err != nil {
		return err
	}
	return f.alone(ctx, func() error {
		if f.failed != failed { // and a sync of bbolt's has had the fault of ours
			return fmt.Errorf("wipe %s: the disk failed meanwhile", f.path)
		}
		return nil
	})
}

// wiping is a pass over the free pages of a file, in their order.
type wiping struct {
	pages                // the heads are those that free is of
	free        []uint64 // the pages that are free by both lists
	page, zeros []byte   // of the size of a page
	next        uint64   // the first page that was not looked at
	done        bool
}

// afterReads waits for the reads that are open.
func (f *File) afterReads() {
	f.reads.Lock()
	defer f.reads.Unlock()
}

func (f *File) wiping(ctx context.Context) *wiping {
	p := f.pages(ctx)
	return &wiping{pages: p, page: make([]byte, p.size), zeros: make([]byte, p.size)}
}

// slice goes on with the pass, and writes no more than a page above most bytes.
func (w *wiping) slice(most int) error {
	info, err := w.disk.Stat()
	if err == nil {
		err = w.look(info.Size())
	}
	if err != nil {
		return err
	}
	written, began := 0, time.Now()
	for written < most && time.Since(began) < sliceTime {
		page := max(w.next, w.head.pages, w.former.pages) // beyond
		if len(w.free) > 0 {
			page, w.free = w.free[0], w.free[1:]
		}
		room := info.Size() - int64(page)*w.size //nolint:gosec // a page of the file
		if w.done = room <= 0; w.done {
			return nil
		}
		n, err := w.zero(int64(page)*w.size, min(w.size, room)) //nolint:gosec // likewise
		if err != nil {
			return err
		}
		written, w.next = written+n, page+1
	}
	return nil
}

// look reads the heads of a file of so many bytes, and where they have changed both lists.
func (w *wiping) look(size int64) error {
	now := pages{ctx: w.ctx, disk: w.disk, size: w.size}
	if err := now.heads(); err != nil {
		return err
	}
	if most := uint64(size / w.size); now.torn || now.head.pages > most || now.former.pages > most { //nolint:gosec // not negative
		return fmt.Errorf("%w: one of its two heads", ErrDamaged)
	}
	if now.head == w.head && now.former == w.former {
		return nil
	}
	w.head, w.former, w.free = now.head, now.former, nil
	named := make([]bool, now.former.pages)
	for i, h := range []head{now.former, now.head} {
		now.seen = make([]bool, max(2, h.pages))
		now.seen[0], now.seen[1] = true, true
		list, err := now.free(h.freelist)
		if err != nil {
			return err
		}
		for _, page := range list {
			switch {
			case i == 0:
				named[page] = true
			case page >= w.next && page < uint64(len(named)) && named[page]:
				w.free = append(w.free, page)
			}
		}
	}
	slices.Sort(w.free)
	return nil
}

// zero overwrites n bytes where they are not zero, and returns how many it has written.
func (w *wiping) zero(at, n int64) (int, error) {
	b, zeros := w.page[:n], w.zeros[:n]
	if _, err := w.disk.ReadAt(b, at); err != nil || bytes.Equal(b, zeros) {
		return 0, err
	}
	return w.disk.WriteAt(zeros, at)
}
