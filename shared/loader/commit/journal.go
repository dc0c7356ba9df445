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

// pieceSize bounds an item of a journal; DynamoDB's bound is 400 KB.
const pieceSize = 300 << 10

// piece is an item that holds a piece of a journal.
type piece struct {
	Data []byte `dynamodbav:"d"`
}

// journal is what a load keeps so that it can be finished, while it is written. A
// short one is kept with the load's entry of the history. Any other is in pieces, which
// are removed once the load has ended.
type journal struct {
	head   *Head
	pieces *store.Writer
	short  int // bytes, at most, of a short one
	rest   []byte
}

func newJournal(ctx context.Context, table *store.Table, h *Head, pace Pace) *journal {
	h.Order = writeOrder
	return &journal{head: h, pieces: table.Writer(ctx), short: pace.ShortJournal}
}

// Write implements io.Writer.
func (j *journal) Write(b []byte) (int, error) {
	j.rest = append(j.rest, b...)
	for len(j.rest) > pieceSize {
		if err := j.piece(j.rest[:pieceSize]); err != nil {
			return 0, err
		}
		j.rest = bytes.Clone(j.rest[pieceSize:])
	}
	return len(b), nil
}

func (j *journal) piece(data []byte) error {
	item, err := attributevalue.MarshalMap(piece{data})
	if err != nil {
		return fmt.Errorf("encode journal: %w", err)
	}
	key := records.JournalKey(j.head.ID, j.head.Pieces)
	j.head.Pieces++
	return j.pieces.Put(store.Write{Key: key, Item: item})
}

// end writes what is left of a journal in pieces. A short one goes to the head.
func (j *journal) end(err error) error {
	switch {
	case err != nil:
	case j.head.Pieces == 0 && len(j.rest) <= j.short:
		j.head.Short = j.rest
	default:
		err = j.piece(j.rest)
	}
	return errors.Join(err, j.pieces.Close())
}

// KeepWrites keeps the writes of a load, in their order: it is finished by making
// them. They are read from the journal from then on (JournalWrites), since the source is
// at its end.
func (h *Head) KeepWrites(ctx context.Context, table *store.Table, writes Source, pace Pace) error {
	j := newJournal(ctx, table, h, pace)
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
func (h *Head) KeepRecords(ctx context.Context, table *store.Table, all *Archive, pace Pace) error {
	archive, err := all.Bytes()
	if err != nil {
		return err
	}
	j := newJournal(ctx, table, h, pace)
	_, err = j.Write(archive)
	return j.end(err)
}

// ErrOtherVersion is the error of a load that another version has begun.
var ErrOtherVersion = errors.New("an import was interrupted that another version has begun: finish it with that version, or give it up with --abandon")

// pieces returns the pieces of a journal one after the other, nil at the end.
func (h *Head) pieces(ctx context.Context, table *store.Table) func() ([]byte, error) {
	n := 0
	return func() ([]byte, error) {
		if n == max(1, h.Pieces) {
			return nil, nil
		}
		n++
		switch {
		case h.Short != nil:
			return h.Short, nil
		case h.Order != writeOrder:
			return nil, ErrOtherVersion
		case h.Pieces == 0:
			return history.Journal(ctx, table, h.Number, h.ID)
		}
		item, err := table.Get(ctx, records.JournalKey(h.ID, n-1), true)
		if err != nil {
			return nil, err
		}
		p, err := store.Decode[piece](item)
		if err == nil && item == nil {
			err = spool.ErrCut
		}
		if err != nil {
			return nil, fmt.Errorf("read the journal of an unfinished load: %w", err)
		}
		return p.Data, nil
	}
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
