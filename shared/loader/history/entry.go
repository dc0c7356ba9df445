package history

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strings"
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

// Entry is a load as it is kept.
type Entry struct {
	Number int    `dynamodbav:"n"`
	ID     string `dynamodbav:"i"`           // that of its journal
	Began  int64  `dynamodbav:"t"`           // ms since 1970
	By     string `dynamodbav:"b,omitempty"` // who loaded
	Note   string `dynamodbav:"k,omitempty"` // why, as whoever loaded says
	File   string `dynamodbav:"f,omitempty"` // the name of what was loaded
	Undoes int    `dynamodbav:"u,omitempty"` // the number of the load that it took back

	// Journal is that of the load (package commit), if it fits into an item: into the
	// entry, or else into that of its Class.
	Journal []byte `dynamodbav:"w,omitempty"`
	Class   int    `dynamodbav:"c,omitempty"`

	Detail []byte `dynamodbav:"d,omitempty"` // deflated JSON; empty: in an item of its own
	Undo   []byte `dynamodbav:"z,omitempty"` // the way back; empty: in Pieces items of its own
	Pieces int    `dynamodbav:"p,omitempty"` // 0 and no Undo: there isn't one

	Size int `dynamodbav:"s,omitempty"` // of all that, in bytes, but for a journal of a Class
}

// aside is what does not fit into an entry.
type aside struct {
	ID   string `dynamodbav:"i"`
	Data []byte `dynamodbav:"z"`
}

// What an entry may hold, in bytes, so that it stays below 1 KB with what else
// is in it, and an item of the way back, of which DynamoDB takes 400 KB.
const (
	inEntry = 700
	longBy  = 100
	inPiece = 300 << 10
)

// inEntryJournal bounds, in bytes, the journal that an entry holds. Longer ones have an
// item for each class, of twice the size of the class before. No journal is removed,
// which would cost as much as to write it: the next one of its class is written over
// it, at the cost of the larger one.
const inEntryJournal = 4 << 10

// Prefixes begin sort keys in the partition of the journal: those of the loads that are
// kept, of what undoes them, and of the last journals (IsLastJournal).
func Prefixes() []string { return []string{"load#", "undo#"} }

// IsLastJournal reports whether a key is that of the last journal of a class.
func IsLastJournal(k store.Key) bool { return strings.HasPrefix(k.SK, "load#journal#") }

// isDetail reports whether a key is that of the rest of an entry.
func isDetail(k store.Key) bool { return strings.HasSuffix(k.SK, "#detail") }

// Time is when the load began.
func (e *Entry) Time() time.Time { return time.UnixMilli(e.Began).UTC() }

// Writes are those that keep the entry; detail is what it says as JSON, and undo
// the way back, nil for none. The error is that of encoding.
func (e *Entry) Writes(detail []byte, undo *Undo) ([]store.Write, error) {
	packed, err := deflated(detail)
	if err != nil {
		return nil, err
	}
	var back []byte
	if undo != nil {
		if back, err = undo.pack(); err != nil {
			return nil, err
		}
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
	left := inEntry - len(e.By) - len(e.Note) - len(e.File)
	e.Size = len(packed) + len(back)
	if e.Class = bits.Len(uint(len(e.Journal) / inEntryJournal)); e.Class > 0 {
		put(records.LastJournalKey(e.Class), aside{e.ID, e.Journal})
		e.Journal = nil
	}
	e.Size += len(e.Journal)
	if len(back) <= left {
		e.Undo = back
		left -= len(back)
	} else {
		for piece := range slices.Chunk(back, inPiece) {
			put(records.UndoKey(e.Number, e.Pieces), aside{e.ID, piece})
			e.Pieces++
		}
	}
	if len(packed) <= left {
		e.Detail = packed
	} else {
		put(records.LoadDetailKey(e.Number), aside{e.ID, packed})
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
// the mark names. Detail of each is JSON; empty where it was lost.
func Read(ctx context.Context, table *store.Table, mark Mark, of Range) ([]Entry, error) {
	last := mark.Number
	if of.To > 0 {
		last = min(last, of.To)
	}
	if last < max(of.From, 1) {
		return nil, nil
	}
	items, err := table.Query(ctx, store.Query{
		PK: records.JournalPK, From: records.LoadKey(max(of.From, 1)).SK, To: records.LoadDetailKey(last).SK,
		Reverse: true, Limit: 2 * of.Limit, Consistent: true,
	})
	if err != nil {
		return nil, err
	}
	var entries []Entry
	var beside store.Item // the detail of the entry that follows
	for _, item := range items {
		if isDetail(store.KeyOf(item)) {
			beside = item
			continue
		}
		e, err := store.Decode[Entry](item)
		if err != nil {
			return nil, err
		}
		if e.Number == mark.Number && e.ID != mark.ID {
			continue // written by a load that was not decided
		}
		if e.Detail, err = e.detail(beside); err != nil {
			return nil, err
		}
		if entries = append(entries, *e); len(entries) == of.Limit {
			break
		}
	}
	return entries, nil
}

// detail inflates what an entry says.
func (e *Entry) detail(beside store.Item) ([]byte, error) {
	packed := e.Detail
	if packed == nil {
		if beside == nil {
			return nil, nil
		}
		a, err := store.Decode[aside](beside)
		if err != nil || a.ID != e.ID {
			return nil, err
		}
		packed = a.Data
	}
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		return nil, fmt.Errorf("read what load %d did: %w", e.Number, err)
	}
	return text, nil
}

// Journal reads the journal of a load that fits into an item.
func Journal(ctx context.Context, table *store.Table, number int, id string) ([]byte, error) {
	e, err := read[Entry](ctx, table, records.LoadKey(number))
	if err != nil {
		return nil, err
	}
	a := &aside{e.ID, e.Journal}
	if e.Class > 0 {
		if a, err = read[aside](ctx, table, records.LastJournalKey(e.Class)); err != nil {
			return nil, err
		}
	}
	if e.ID != id || a.ID != id {
		return nil, fmt.Errorf("the journal of load %d is missing", number)
	}
	return a.Data, nil
}

func read[T any](ctx context.Context, table *store.Table, key store.Key) (*T, error) {
	item, err := table.Get(ctx, key, true)
	if err != nil {
		return nil, err
	}
	return store.Decode[T](item)
}

// ErrNoWayBack is the error of a load that changed more than is kept.
var ErrNoWayBack = errors.New("what it takes to undo it is not kept: it changed too much")

// Steps reads the way back of a load.
func (e *Entry) Steps(ctx context.Context, table *store.Table) ([]Step, error) {
	if e.Pieces == 0 {
		if len(e.Undo) == 0 {
			return nil, ErrNoWayBack
		}
		return steps(e.Undo)
	}
	keys := make([]store.Key, e.Pieces)
	for n := range keys {
		keys[n] = records.UndoKey(e.Number, n)
	}
	items, err := table.BatchGet(ctx, keys, true)
	if err != nil {
		return nil, err
	}
	var packed []byte
	for _, key := range keys {
		item, ok := items[key]
		if !ok {
			return nil, ErrNoWayBack
		}
		a, err := store.Decode[aside](item)
		if err != nil {
			return nil, err
		}
		if a.ID != e.ID {
			return nil, ErrNoWayBack
		}
		packed = append(packed, a.Data...)
	}
	return steps(packed)
}
