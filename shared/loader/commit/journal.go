package commit

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/dataset"
	"touchline/shared/dataset/encode"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// A Journal holds the records that a load changes, in the dataset format, as
// they are after resolution: what it takes to finish the load without the
// dataset. It is complete, and the load thereby decided, once its first item
// stands.
type Journal struct {
	out    bytes.Buffer
	zip    *zip.Writer
	file   string // begun last
	lines  io.Writer
	line   []byte
	failed error // the first
}

// LineLimit bounds a line of the journal, in bytes. It may be longer than the
// line that was loaded: a table of 10,000 rows whose keys became ids.
const LineLimit = 16 << 20

// partSize bounds an item of the journal; DynamoDB's bound is 400 KB.
const partSize = 300 << 10

// Head is the journal's first item, written last and deleted first.
type Head struct {
	Parts int `dynamodbav:"n"`
	// ID tells this journal's mark from that of another.
	ID string `dynamodbav:"i,omitempty"`
	// Empty says that the load began on an empty table: the view before is
	// nothing, whatever the load has written since.
	Empty bool `dynamodbav:"e,omitempty"`
	// Label is Options.Label, and Report what Load is to answer.
	Label  string  `dynamodbav:"l,omitempty"`
	Report *Report `dynamodbav:"r,omitempty"`
}

// journalPart is a piece of the archive.
type journalPart struct {
	Data []byte `dynamodbav:"d"`
}

func NewJournal() *Journal {
	j := &Journal{}
	j.zip = zip.NewWriter(&j.out)
	return j
}

// AddRecord notes a record as it will be. Records of a kind come together.
func AddRecord[T dataset.Entity](j *Journal, r *dataset.Record[T]) {
	if j == nil {
		return // finishing a journal: it is there already
	}
	if name := fileOf(r); name != j.file {
		j.file = name
		w, err := j.zip.Create(name)
		j.failed = cmp.Or(j.failed, err)
		j.lines = w
	}
	if j.failed == nil {
		j.line = encode.Append(j.line[:0], r)
		_, j.failed = j.lines.Write(j.line)
	}
}

func fileOf(record any) string {
	switch record.(type) {
	case *dataset.Record[sport.Organization]:
		return "organizations.ndjson"
	case *dataset.Record[sport.Competition]:
		return "competitions.ndjson"
	case *dataset.Record[sport.Team]:
		return "teams.ndjson"
	case *dataset.Record[sport.Player]:
		return "players.ndjson"
	case *dataset.Record[dataset.Match]:
		return "matches.ndjson"
	}
	return "standings.ndjson"
}

// WriteParts writes all but the head, and answers how many parts there are.
func (j *Journal) WriteParts(ctx context.Context, table *store.Table) (int, error) {
	if err := cmp.Or(j.failed, j.zip.Close()); err != nil {
		return 0, fmt.Errorf("pack journal: %w", err)
	}
	archive := j.out.Bytes()
	var writes []store.Write
	for len(archive) > 0 {
		size := min(partSize, len(archive))
		item, err := attributevalue.MarshalMap(journalPart{Data: archive[:size]})
		if err != nil {
			return 0, fmt.Errorf("encode journal: %w", err)
		}
		writes = append(writes, store.Write{Key: records.JournalKey(len(writes) + 1), Item: item})
		archive = archive[size:]
	}
	return len(writes), table.Write(ctx, writes)
}

// Write makes the journal stand whose parts do.
func (h *Head) Write(ctx context.Context, table *store.Table) error {
	item, err := attributevalue.MarshalMap(h)
	if err != nil {
		return fmt.Errorf("encode journal: %w", err)
	}
	return table.Write(ctx, []store.Write{{Key: records.JournalKey(0), Item: item}})
}

// Interrupted is a load that was not finished.
type Interrupted struct {
	Head
	Files      fs.FS       // of the journal
	Checkpoint *Checkpoint // nil: none stands
}

// ReadHead reads the head of the journal of a load that was not finished,
// nil: there is none.
func ReadHead(ctx context.Context, table *store.Table) (*Head, error) {
	item, err := table.Get(ctx, records.JournalKey(0), true)
	if err != nil || item == nil {
		return nil, err
	}
	return store.Decode[Head](item)
}

// ReadInterrupted reads the load that was not finished, nil: there is none.
func ReadInterrupted(ctx context.Context, table *store.Table) (*Interrupted, error) {
	head, err := ReadHead(ctx, table)
	if err != nil || head == nil {
		return nil, err
	}
	keys := make([]store.Key, head.Parts, head.Parts+1)
	for n := range keys {
		keys[n] = records.JournalKey(n + 1)
	}
	items, err := table.BatchGet(ctx, append(keys, CheckpointKey()), true)
	if err != nil {
		return nil, err
	}
	p := &Interrupted{Head: *head}
	if p.Checkpoint, err = readCheckpoint(items[CheckpointKey()], head.ID); err != nil {
		return nil, err
	}
	var archive bytes.Buffer
	for _, key := range keys {
		part, err := store.Decode[journalPart](items[key])
		if err != nil {
			return nil, err
		}
		archive.Write(part.Data)
	}
	p.Files, err = zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
	if err != nil {
		return nil, fmt.Errorf("read journal of an unfinished load: %w", err)
	}
	return p, nil
}

// Clear ends a load: first the head, so that no half of a journal is
// ever taken for one, then the mark and all parts, also those that a load left
// which was killed at just this point.
func Clear(ctx context.Context, table *store.Table) error {
	items, err := table.Query(ctx, store.Query{PK: records.JournalPK, Prefix: records.JournalPrefix, Consistent: true})
	if err != nil {
		return err
	}
	if err := table.Write(ctx, []store.Write{{Key: records.JournalKey(0)}}); err != nil {
		return err
	}
	var parts []store.Write
	for _, item := range items {
		parts = append(parts, store.Write{Key: store.KeyOf(item)})
	}
	return table.Write(ctx, parts)
}
