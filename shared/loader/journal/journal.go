package journal

import (
	"bufio"
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/loader/history"
	"touchline/shared/loader/spool"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// journal is what a load keeps so that it can be finished, while it is written. A
// short one is kept with the load's entry of the history. Any other is in pieces, all of
// which but the first are removed once the load has ended. To remove the first would cost as
// much as to write it: it stays until a later load writes over it.
type journal struct {
	header *Header
	pieces *store.Writer
	rest   []byte
}

func newJournal(ctx context.Context, table *store.Table, h *Header) *journal {
	h.Version = version
	return &journal{header: h, pieces: table.Writer(ctx)}
}

// Write implements io.Writer.
func (j *journal) Write(b []byte) (int, error) {
	j.rest = append(j.rest, b...)
	for len(j.rest) > history.InPiece {
		if err := j.piece(j.rest[:history.InPiece]); err != nil {
			return 0, err
		}
		j.rest = bytes.Clone(j.rest[history.InPiece:])
	}
	return len(b), nil
}

func (j *journal) piece(data []byte) error {
	item, err := attributevalue.MarshalMap(history.Piece{ID: j.header.Load.ID, Data: data})
	if err != nil {
		return fmt.Errorf("encode journal: %w", err)
	}
	key := records.JournalKey(j.header.Pieces)
	j.header.Pieces++
	return j.pieces.Put(store.Write{Key: key, Item: item})
}

// end writes the last piece of a journal that is not to lie in the load's entry.
func (j *journal) end(err error) error {
	if err == nil && j.header.Pieces == 0 {
		j.header.short = j.rest
	}
	if err == nil && (j.header.Pieces > 0 || len(j.rest) > history.InItem) {
		err = j.piece(j.rest)
	}
	return errors.Join(err, j.pieces.Close())
}

// KeepWrites keeps the writes of a load, in their order: it is finished by making
// them. They are read from the journal from then on (JournalWrites), since the source is
// at its end.
func (h *Header) KeepWrites(ctx context.Context, table *store.Table, writes Source) error {
	j := newJournal(ctx, table, h)
	return j.end(j.copy(writes))
}

func (j *journal) copy(writes Source) error {
	out, err := flate.NewWriter(j, flate.BestCompression)
	if err != nil {
		return err
	}
	var b []byte
	for {
		r, err := writes.Next()
		if err != nil {
			return err
		}
		if r == nil {
			return out.Close()
		}
		b = r.AppendTo(b[:0])
		if _, err := out.Write(b); err != nil {
			return err
		}
		j.header.Writes++
	}
}

// KeepRecords keeps the records of a first load as KeepWrites does writes: it is
// finished by computing the writes again, since there was nothing before. Its writes
// would take fifteen times the space.
func (h *Header) KeepRecords(ctx context.Context, table *store.Table, all *Archive) error {
	archive, err := all.Bytes()
	if err != nil {
		return err
	}
	j := newJournal(ctx, table, h)
	_, err = j.Write(archive)
	return j.end(err)
}

// ErrOtherVersion is the error of a load that another version has begun.
var ErrOtherVersion = errors.New("an import was interrupted that another version has begun: finish it with that version, or give it up with --abandon")

// read opens the journal. A piece of another journal does not count.
func (h *Header) read(ctx context.Context, table *store.Table) (io.Reader, error) {
	switch {
	case h.short != nil:
		return bytes.NewReader(h.short), nil
	case h.Version != version:
		return nil, ErrOtherVersion
	case h.Pieces > 0:
		return history.ReadPieces(ctx, table, h.Load.ID, h.Pieces, records.JournalKey), nil
	}
	item, err := table.Get(ctx, records.LoadKey(h.Load.Number), true)
	if err != nil {
		return nil, err
	}
	p, err := store.Decode[history.Past](item)
	if err == nil && (p.ID != h.Load.ID || len(p.Journal) == 0) {
		err = fmt.Errorf("the journal of load %d is missing", h.Load.Number)
	}
	return bytes.NewReader(p.Journal), err
}

// journalWrites gives the writes that a journal holds.
type journalWrites struct {
	in   *bufio.Reader
	all  int
	done int
}

// Len implements Source.
func (w *journalWrites) Len() int { return w.all }

// Next implements Source.
func (w *journalWrites) Next() (*spool.Record, error) {
	if w.done == w.all {
		return nil, nil
	}
	w.done++
	r, err := spool.ReadRecord(w.in)
	if err != nil {
		return nil, fmt.Errorf("read the journal of an unfinished load: %w", err)
	}
	return r, nil
}

// JournalWrites is the source of the writes that were kept. Its errors are ErrOtherVersion, and
// those of the table.
func (h *Header) JournalWrites(ctx context.Context, table *store.Table) (Source, error) {
	in, err := h.read(ctx, table)
	if err != nil {
		return nil, err
	}
	return &journalWrites{in: bufio.NewReader(flate.NewReader(in)), all: h.Writes}, nil
}

// JournalRecords opens the records that were kept of a first load. Its errors are those of
// JournalWrites.
func (h *Header) JournalRecords(ctx context.Context, table *store.Table) (fs.FS, error) {
	in, err := h.read(ctx, table)
	if err != nil {
		return nil, err
	}
	archive, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	files, err := openArchive(archive)
	if err != nil {
		return nil, fmt.Errorf("read the journal of an unfinished load: %w", err)
	}
	return files, nil
}
