package history

import (
	"context"
	"errors"
	"fmt"
	"io"

	"touchline/shared/store"
)

// Piece is an item that holds a piece of a way back, or of a journal.
type Piece struct {
	ID   string `dynamodbav:"i"` // of the journal
	Data []byte `dynamodbav:"z"`
}

// errMissing is the error of a piece that is not there, or is one of another journal.
var errMissing = errors.New("is missing, of what is kept of a load")

// ReadPieces reads what lies in so many pieces.
func ReadPieces(ctx context.Context, table *store.Table, id string, pieces int, key func(n int) store.Key) io.Reader {
	return &pieceReader{ctx: ctx, table: table, id: id, pieces: pieces, key: key}
}

type pieceReader struct {
	ctx    context.Context //nolint:containedctx // that of one load
	table  *store.Table
	id     string
	pieces int
	key    func(n int) store.Key
	next   int
	rest   []byte
}

// Read implements io.Reader.
func (r *pieceReader) Read(b []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.next == r.pieces {
			return 0, io.EOF
		}
		key := r.key(r.next)
		item, err := r.table.Get(r.ctx, key, true)
		if err != nil {
			return 0, err
		}
		p, err := store.Decode[Piece](item)
		if err != nil {
			return 0, err
		}
		if p.ID != r.id || len(p.Data) == 0 {
			return 0, fmt.Errorf("%s %s %w", key.PK, key.SK, errMissing)
		}
		r.next, r.rest = r.next+1, p.Data
	}
	n := copy(b, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
