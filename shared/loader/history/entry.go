package history

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Mark says which load was the last. It is the mark of the lease.
type Mark struct {
	Number int    `dynamodbav:"n"` // of the load: 1 for the first of the table
	ID     string `dynamodbav:"i"` // its entry's
	// Abandoned says that the load was given up half-way.
	Abandoned bool `dynamodbav:"x,omitempty"`
	// Erased says that the table keeps what was erased (D69), or has.
	Erased bool `dynamodbav:"e,omitempty"`
	// Kept says which loads are kept.
	Kept Kept `dynamodbav:"k"`
}

// MarkOf decodes the mark of a lease; the zero value for none.
func MarkOf(item store.Item) (Mark, error) {
	if item == nil {
		return Mark{}, nil
	}
	m, err := store.Decode[Mark](item)
	if err != nil {
		return Mark{}, err
	}
	return *m, nil
}

// Item encodes the mark for a lease; nil for the zero value.
func (m Mark) Item() (store.Item, error) {
	if m == (Mark{}) {
		return nil, nil
	}
	item, err := attributevalue.MarshalMap(m)
	if err != nil {
		return nil, fmt.Errorf("encode the number of a load: %w", err)
	}
	return item, nil
}

// Entry is a load as it is kept: an item, and beside it what undoes the load, where that is
// long.
type Entry struct {
	Number int    `dynamodbav:"n"`
	ID     string `dynamodbav:"i"`           // that of its journal
	Began  int64  `dynamodbav:"t"`           // ms since 1970
	By     string `dynamodbav:"b,omitempty"` // who loaded
	Note   string `dynamodbav:"k,omitempty"` // why, as whoever loaded says
	File   string `dynamodbav:"f,omitempty"` // the name of what was loaded
	Undoes int    `dynamodbav:"u,omitempty"` // the number of the load that it took back

	Journal []byte `dynamodbav:"w,omitempty"` // that of the load (package commit); empty: in pieces
	Detail  []byte `dynamodbav:"d,omitempty"` // what the load did, as deflated JSON
	Undo    []byte `dynamodbav:"z,omitempty"` // the way back; empty: in Pieces items of its own
	Pieces  int    `dynamodbav:"p,omitempty"` // 0 and no Undo: there isn't one
	Erased  bool   `dynamodbav:"e,omitempty"` // it went with a record that was erased (D64)

	Size int `dynamodbav:"s,omitempty"` // of all that, in bytes
}

// Piece is an item that holds a piece of a way back, or of a journal.
type Piece struct {
	ID   string `dynamodbav:"i"` // of the journal
	Data []byte `dynamodbav:"z"`
}

// Bounds in bytes: of a journal, and of a way back, that lies in the entry, so that the
// load of a live score pays for one small item; and of a piece, since DynamoDB takes 400 KB.
const (
	InEntry = 8 << 10
	InPiece = 300 << 10
)

// longBy bounds a text of an entry, in characters.
const longBy = 100

// Prefixes begin sort keys in the partition of the journal: those of the loads that are
// kept, and of what undoes them.
func Prefixes() []string { return []string{"load#", "undo#"} }

// Time is when the load began.
func (e *Entry) Time() time.Time { return time.UnixMilli(e.Began).UTC() }

// Writes are those that keep the entry; detail is what it says as JSON, and undo
// the way back, nil for none. The error is that of encoding.
func (e *Entry) Writes(detail []byte, undo *Undo) ([]store.Write, error) {
	back, err := undo.pack()
	if err != nil {
		return nil, err
	}
	if e.Detail, err = deflated(detail); err != nil {
		return nil, err
	}
	for _, text := range []*string{&e.By, &e.Note, &e.File} {
		if runes := []rune(*text); len(runes) > longBy {
			*text = string(runes[:longBy])
		}
	}
	var writes []store.Write
	put := func(key store.Key, v any) {
		item, failed := attributevalue.MarshalMap(v)
		err = errors.Join(err, failed)
		writes = append(writes, store.Write{Key: key, Item: item})
	}
	e.Size = len(e.Detail) + len(e.Journal) + len(back)
	if e.Undo, e.Pieces = back, 0; len(back) > InEntry {
		e.Undo = nil
		for data := range slices.Chunk(back, InPiece) {
			put(records.UndoKey(e.Number, e.Pieces), Piece{e.ID, data})
			e.Pieces++
		}
	}
	put(records.LoadKey(e.Number), e)
	return writes, err
}

func deflated(text []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// Range names loads by their numbers.
type Range struct {
	From, To int // both included; 0: open
	Limit    int // only the newest so many; 0: all
}

// Read reads the entries of loads, the newest first; of the last load only the one that
// the mark names. Detail of each is JSON.
func Read(ctx context.Context, table *store.Table, mark Mark, of Range) ([]Entry, error) {
	last := mark.Number
	if of.To > 0 {
		last = min(last, of.To)
	}
	if last < max(of.From, 1) {
		return nil, nil
	}
	limit := of.Limit
	if limit > 0 {
		limit++ // the first may be left out
	}
	items, err := table.Query(ctx, store.Query{
		PK: records.JournalPK, From: records.LoadKey(max(of.From, 1)).SK, To: records.LoadKey(last).SK,
		Reverse: true, Limit: limit, Consistent: true,
	})
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for _, item := range items {
		e, err := store.Decode[Entry](item)
		if err != nil {
			return nil, err
		}
		if e.Number == mark.Number && e.ID != mark.ID {
			continue // written by a load that was not decided
		}
		if e.Detail, err = inflated(e.Detail); err != nil {
			return nil, fmt.Errorf("read what load %d did: %w", e.Number, err)
		}
		if entries = append(entries, *e); len(entries) == of.Limit {
			break
		}
	}
	return entries, nil
}

func inflated(packed []byte) ([]byte, error) {
	return io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
}

// ErrNoWayBack is the error of a load that cannot be undone because what that takes is
// not kept. It is wrapped, with the reason.
var ErrNoWayBack = errors.New("what that takes is not kept")

// Steps reads the way back of a load.
func (e *Entry) Steps(ctx context.Context, table *store.Table) ([]Step, error) {
	if e.Erased {
		return nil, e.noWayBack("it named a record that was erased since")
	}
	packed := e.Undo
	keys := make([]store.Key, e.Pieces)
	for n := range keys {
		keys[n] = records.UndoKey(e.Number, n)
	}
	items, err := table.BatchGet(ctx, keys, true)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		p, err := store.Decode[Piece](items[key])
		if err != nil {
			return nil, err
		}
		if p.ID != e.ID {
			return nil, e.noWayBack("a piece of it is missing")
		}
		packed = append(packed, p.Data...)
	}
	if len(packed) == 0 {
		return nil, e.noWayBack("it changed too much")
	}
	return steps(packed)
}

func (e *Entry) noWayBack(why string) error {
	return fmt.Errorf("load %d cannot be undone: %w: %s", e.Number, ErrNoWayBack, why)
}
