package commit

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/loader/history"
	"touchline/shared/loader/spool"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// journal is what a load keeps so that it can be finished, while it is written. A
// short one is kept with the load's entry of the history. Any other is in pieces. All but
// the first of these are removed once the load has ended: that one the next load writes
// over, since to remove it would cost as much as to write it.
type journal struct {
	head   *Head
	pieces *store.Writer
	rest   []byte
}

func newJournal(ctx context.Context, table *store.Table, h *Head) *journal {
	h.Version = version
	return &journal{head: h, pieces: table.Writer(ctx)}
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
	item, err := attributevalue.MarshalMap(history.Piece{ID: j.head.ID, Data: data})
	if err != nil {
		return fmt.Errorf("encode journal: %w", err)
	}
	key := records.JournalKey(j.head.Pieces)
	j.head.Pieces++
	return j.pieces.Put(store.Write{Key: key, Item: item})
}

// end writes the last piece of a journal that is not to lie in the load's entry.
func (j *journal) end(err error) error {
	switch {
	case err != nil:
	case j.head.Pieces > 0:
		err = j.piece(j.rest)
	default:
		if j.head.short = j.rest; len(j.rest) > history.InEntry {
			err = j.piece(j.rest)
		}
	}
	return errors.Join(err, j.pieces.Close())
}

// KeepWrites keeps the writes of a load, in their order: it is finished by making
// them. They are read from the journal from then on (JournalWrites), since the source is
// at its end.
func (h *Head) KeepWrites(ctx context.Context, table *store.Table, writes Source) error {
	j := newJournal(ctx, table, h)
	return j.end(j.copy(h, writes))
}

func (j *journal) copy(h *Head, writes Source) error {
	packer := spool.NewPacker(flate.BestCompression)
	var run spool.Run
	for {
		r, err := writes.Next()
		if err != nil {
			return err
		}
		if r == nil {
			break
		}
		run.Add(packer, r)
		if _, err := run.Packed.WriteTo(j); err != nil {
			return err
		}
	}
	run.End(packer)
	h.Writes = run.Records
	_, err := run.Packed.WriteTo(j)
	return err
}

// KeepRecords keeps the records of a first load as KeepWrites does writes: it is
// finished by computing the writes again, since there was nothing before. Its writes
// would take fifteen times the space.
func (h *Head) KeepRecords(ctx context.Context, table *store.Table, all *Archive) error {
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

// pieces returns the pieces of a journal one after the other, nil at the end.
func (h *Head) pieces(ctx context.Context, table *store.Table) func() ([]byte, error) {
	n := 0
	return func() ([]byte, error) {
		n++
		switch {
		case n > max(1, h.Pieces):
			return nil, nil
		case h.short != nil:
			return h.short, nil
		case h.Version != version:
			return nil, ErrOtherVersion
		}
		data, err := h.piece(ctx, table, n-1)
		if err != nil {
			return nil, fmt.Errorf("read the journal of an unfinished load: %w", err)
		}
		return data, nil
	}
}

// piece reads a piece. That of another journal is none.
func (h *Head) piece(ctx context.Context, table *store.Table, n int) ([]byte, error) {
	key := records.JournalKey(n)
	if h.Pieces == 0 {
		key = records.LoadKey(h.Number)
	}
	item, err := table.Get(ctx, key, true)
	if err != nil {
		return nil, err
	}
	var of struct {
		ID    string `dynamodbav:"i"`
		Piece []byte `dynamodbav:"z"`
		Entry []byte `dynamodbav:"w"` // of history.Entry
	}
	if err := attributevalue.UnmarshalMap(item, &of); err != nil {
		return nil, err
	}
	data := of.Piece
	if h.Pieces == 0 {
		data = of.Entry
	}
	if of.ID != h.ID || len(data) == 0 {
		return nil, spool.ErrCut
	}
	return data, nil
}

// journalWrites gives the writes that a journal holds.
type journalWrites struct {
	*spool.Reader
	writes int
}

// Len implements Source.
func (w journalWrites) Len() int { return w.writes }

// JournalWrites is the source of the writes that were kept. Its errors are ErrOtherVersion, and
// those of the table.
func (h *Head) JournalWrites(ctx context.Context, table *store.Table) Source {
	return journalWrites{spool.NewReader(h.pieces(ctx, table)), h.Writes}
}

// JournalRecords opens the records that were kept of a first load. Its errors are those of
// JournalWrites.
func (h *Head) JournalRecords(ctx context.Context, table *store.Table) (fs.FS, error) {
	var archive []byte
	for more := h.pieces(ctx, table); ; {
		piece, err := more()
		if err != nil {
			return nil, err
		}
		if piece == nil {
			break
		}
		archive = append(archive, piece...)
	}
	files, err := OpenArchive(archive)
	if err != nil {
		return nil, fmt.Errorf("read the journal of an unfinished load: %w", err)
	}
	return files, nil
}
