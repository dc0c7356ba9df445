package history

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Mark says which load was the last. It is the mark of the lease.
type Mark struct {
	Number int    `dynamodbav:"n"` // of the load: 1 for the first of the table
	ID     string `dynamodbav:"i"` // its journal's
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

// Version names the data that the load left, for what is made of them.
func (m Mark) Version() string { return fmt.Sprint(m.Number, "-", m.ID) }

// Since says in words which loads came after a version of the data, but for those of a
// file; empty: none did, or the version is not one of this table.
func Since(ctx context.Context, table *store.Table, last Mark, version, file string) (string, error) {
	const looked = 20 // loads that may be of the file
	text, id, _ := strings.Cut(version, "-")
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 || number >= last.Number {
		return "", nil //nolint:nilerr // nobody's version
	}
	from, err := Read(ctx, table, last, Range{From: number, To: number})
	if err != nil || len(from) > 0 && from[0].ID != id {
		return "", err
	}
	since, err := Read(ctx, table, last, Range{From: number + 1, Limit: looked})
	if err != nil {
		return "", err
	}
	all := last.Number - number
	others := slices.DeleteFunc(slices.Clone(since), func(p Past) bool { return file != "" && p.File == file })
	if len(others) == 0 {
		return "", nil
	}
	n, newest := all-len(since)+len(others), others[0].Began.UTC().Format("2006-01-02 15:04")+" UTC"
	if n == 1 {
		return "1 load on " + newest, nil
	}
	return fmt.Sprintf("%d loads, the last on %s", n, newest), nil
}

// Past is a load of the past: as people see it, in JSON, and as the table keeps it, an item
// and beside it what undoes the load, where that is long.
type Past struct {
	Number int       `json:"number" dynamodbav:"n"` // 1 for the first load of the table
	Began  time.Time `json:"began" dynamodbav:"-"`
	By     string    `json:"by,omitempty" dynamodbav:"b,omitempty"`     // who loaded: Lease.Label
	Note   string    `json:"note,omitempty" dynamodbav:"k,omitempty"`   // Options.Note
	File   string    `json:"file,omitempty" dynamodbav:"f,omitempty"`   // Options.File
	Undoes int       `json:"undoes,omitempty" dynamodbav:"u,omitempty"` // the number of the load that it took back
	// Report is what Load returned, with the first of the changes, and without texts.
	Report *Report `json:"report,omitempty" dynamodbav:"-"`
	More   int     `json:"moreChanges,omitempty" dynamodbav:"-"` // changes beyond those

	ID      string `json:"-" dynamodbav:"i"`           // that of its journal
	Journal []byte `json:"-" dynamodbav:"w,omitempty"` // that of the load (package journal); empty: in pieces
	Undo    []byte `json:"-" dynamodbav:"z,omitempty"` // the way back; empty: in Pieces items of its own
	Pieces  int    `json:"-" dynamodbav:"p,omitempty"` // 0 and no Undo: there isn't one
	Erased  bool   `json:"-" dynamodbav:"e,omitempty"` // it went with a record that was erased (D64)

	Millis int64  `json:"-" dynamodbav:"t"`           // Began, since 1970
	Detail []byte `json:"-" dynamodbav:"d,omitempty"` // Report and More, as deflated JSON
	Size   int    `json:"-" dynamodbav:"s,omitempty"` // of all that, in bytes
}

// detail is what an item says of Report and More.
type detail struct {
	Report *Report `json:"report"`
	More   int     `json:"more,omitempty"`
}

// Bounds in bytes: of a journal, and of a way back, that lies in the load's item, so that
// the load of a live score pays for one small item; and of a piece, since DynamoDB takes
// 400 KB.
const (
	InItem  = 8 << 10
	InPiece = 300 << 10
)

// longestText bounds By, Note and File of a load, in characters.
const longestText = 100

// Writes are those that keep the load, with its way back, nil for none. The error is that
// of encoding.
func (p *Past) Writes(back *WayBack) ([]store.Write, error) {
	for _, text := range []*string{&p.By, &p.Note, &p.File} {
		if runes := []rune(*text); len(runes) > longestText {
			*text = string(runes[:longestText])
		}
	}
	p.Millis = p.Began.UnixMilli()
	text, err := json.Marshal(detail{p.Report, p.More})
	if err != nil {
		return nil, err
	}
	p.Detail, p.Undo, p.Pieces = deflated(text), back.packed(), 0
	p.Size = len(p.Detail) + len(p.Journal) + len(p.Undo)
	var writes []store.Write
	put := func(key store.Key, v any) {
		item, failed := attributevalue.MarshalMap(v)
		err = errors.Join(err, failed)
		writes = append(writes, store.Write{Key: key, Item: item})
	}
	if len(p.Undo) > InItem {
		for data := range slices.Chunk(p.Undo, InPiece) {
			put(records.UndoKey(p.Number, p.Pieces), Piece{p.ID, data})
			p.Pieces++
		}
		p.Undo = nil
	}
	put(records.LoadKey(p.Number), p)
	return writes, err
}

// deflated is a text for inflated.
func deflated(text []byte) []byte {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression) // the level is one
	_, _ = w.Write(text)                               // into memory
	_ = w.Close()                                      // likewise
	return b.Bytes()
}

func inflated(packed []byte) ([]byte, error) {
	return io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
}

// Range says which loads to read.
type Range struct {
	From, To int // both included; 0: open
	Limit    int // only the newest so many; 0: all
}

// Read reads loads, the newest first; of the last load only the one that the mark names.
func Read(ctx context.Context, table *store.Table, mark Mark, of Range) ([]Past, error) {
	last := mark.Number
	if of.To > 0 {
		last = min(last, of.To)
	}
	if last < max(of.From, 1) {
		return nil, nil
	}
	first := max(of.From, 1)
	if of.Limit > 0 {
		first = max(first, last-of.Limit) // one more: the last may be left out
	}
	items, err := table.Query(ctx, store.Query{
		PK: records.JournalPK, From: records.LoadKey(first).SK, To: records.LoadKey(last).SK, Consistent: true,
	})
	if err != nil {
		return nil, err
	}
	slices.Reverse(items)
	var loads []Past
	for _, item := range items {
		p, err := decode(item)
		if err != nil {
			return nil, err
		}
		if p.Number == mark.Number && p.ID != mark.ID {
			continue // written by a load that was not decided
		}
		if loads = append(loads, *p); len(loads) == of.Limit {
			break
		}
	}
	return loads, nil
}

func decode(item store.Item) (*Past, error) {
	p, err := store.Decode[Past](item)
	if err != nil {
		return nil, err
	}
	var d detail
	text, err := inflated(p.Detail)
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		return nil, fmt.Errorf("read what load %d did: %w", p.Number, err)
	}
	p.Began, p.Report, p.More = time.UnixMilli(p.Millis).UTC(), d.Report, d.More
	return p, nil
}

// ErrNoWayBack is the error of a load that cannot be undone because what that takes is
// not kept. It is wrapped, with the reason.
var ErrNoWayBack = errors.New("what that takes is not kept")

// Steps reads the way back of a load.
func (p *Past) Steps(ctx context.Context, table *store.Table) ([]Step, error) {
	packed, err := p.Packed(ctx, table)
	if err != nil {
		return nil, err
	}
	return StepsOf(packed)
}

// Packed is the way back as it is kept. Its error is that of Steps.
func (p *Past) Packed(ctx context.Context, table *store.Table) ([]byte, error) {
	if p.Erased {
		return nil, p.noWayBack("it named a record that was erased since")
	}
	packed := p.Undo
	if p.Pieces > 0 {
		key := func(n int) store.Key { return records.UndoKey(p.Number, n) }
		var err error
		packed, err = io.ReadAll(ReadPieces(ctx, table, p.ID, p.Pieces, key))
		if errors.Is(err, errMissing) {
			return nil, p.noWayBack("a piece of it is missing")
		}
		if err != nil {
			return nil, err
		}
	}
	if len(packed) == 0 {
		return nil, p.noWayBack("it changed too much")
	}
	return packed, nil
}

func (p *Past) noWayBack(why string) error {
	return fmt.Errorf("load %d cannot be undone: %w: %s", p.Number, ErrNoWayBack, why)
}

// How long loads are kept, in days, where nobody has said it, and at most.
const (
	DefaultDays = 14
	MostDays    = 3650
)

// The bounds of what is kept: the oldest loads go first where there are more, or where
// they take more bytes together.
const (
	Most      = 5000
	MostBytes = 64 << 20
)

// removedLoads is how many of those that are too old one load removes: each load adds one,
// so that the rest goes with the next ones.
const removedLoads = 16

// Kept says which loads are kept. It lies in the [Mark], so that a load reads nothing to
// find out that none is too old.
type Kept struct {
	Days  int   `dynamodbav:"d,omitempty"` // how long; 0: DefaultDays
	First int   `dynamodbav:"f,omitempty"` // the number of the oldest
	Since int64 `dynamodbav:"t,omitempty"` // when that began, in ms since 1970; 0: not known
	Bytes int   `dynamodbav:"s,omitempty"` // of all
}

// Add adds a load, and gives the writes that remove older ones.
func (k Kept) Add(ctx context.Context, table *store.Table, p *Past) (Kept, []store.Write, error) {
	if k.Days == 0 {
		k.Days = DefaultDays
	}
	if p.Number == 1 {
		k.First, k.Since = 1, p.Millis
	}
	k.Bytes += p.Size
	if !k.full(p) {
		return k, nil, nil
	}
	last := min(p.Number-1, k.First+removedLoads-1)
	items, err := table.Query(ctx, store.Query{
		PK: records.JournalPK, From: records.LoadKey(k.First).SK, To: records.LoadKey(last).SK, Consistent: true,
	})
	if err != nil {
		return k, nil, err
	}
	return k.without(items, last, p)
}

// full reports whether the oldest load is one too many, or may be.
func (k Kept) full(p *Past) bool {
	old := p.Millis - int64(k.Days)*(24*time.Hour).Milliseconds()
	return k.Since < old || p.Number-k.First >= Most || k.Bytes > MostBytes
}

// without removes loads, and the pieces of what undoes them, from the oldest on until none is
// too much. Items are those of the loads from k.First to last.
func (k Kept) without(items []store.Item, last int, p *Past) (Kept, []store.Write, error) {
	var writes []store.Write
	k.First, k.Since = last+1, 0 // where nothing is left up to there
	for _, item := range items {
		old, err := store.Decode[Past](item)
		if err != nil {
			return k, nil, err
		}
		k.First, k.Since = old.Number, old.Millis
		if !k.full(p) {
			return k, writes, nil
		}
		writes = append(writes, store.Write{Key: records.LoadKey(old.Number)})
		for n := range old.Pieces {
			writes = append(writes, store.Write{Key: records.UndoKey(old.Number, n)})
		}
		k.Bytes -= old.Size
		k.First, k.Since = old.Number+1, 0 // the next load looks how old that is
	}
	if k.First >= p.Number {
		k.First, k.Since, k.Bytes = p.Number, p.Millis, p.Size
	}
	return k, writes, nil
}
