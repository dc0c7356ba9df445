package loader

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
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// A journal holds the records that a load changes, in the dataset format, as
// they are after resolution: what it takes to finish the load without the
// dataset. It is complete, and the load thereby decided, once its first item
// stands.
type journal struct {
	out    bytes.Buffer
	zip    *zip.Writer
	file   string // begun last
	lines  io.Writer
	line   []byte
	failed error // the first
}

// partSize bounds an item of the journal; DynamoDB's bound is 400 KB.
const partSize = 300 << 10

// journalHead is the journal's first item, written last and deleted first.
type journalHead struct {
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

func newJournal() *journal {
	j := &journal{}
	j.zip = zip.NewWriter(&j.out)
	return j
}

// journalRecord notes a record as it will be. Records of a kind come together.
func journalRecord[T dataset.Entity](j *journal, r *dataset.Record[T]) {
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
		j.line = dataset.Append(j.line[:0], r)
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

// writeParts writes all but the head, and answers how many parts there are.
func (j *journal) writeParts(ctx context.Context, table *store.Table) (int, error) {
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

// write makes the journal stand whose parts do.
func (h *journalHead) write(ctx context.Context, table *store.Table) error {
	item, err := attributevalue.MarshalMap(h)
	if err != nil {
		return fmt.Errorf("encode journal: %w", err)
	}
	return table.Write(ctx, []store.Write{{Key: records.JournalKey(0), Item: item}})
}

// pending is a load that was not finished.
type pending struct {
	journalHead
	files fs.FS // of the journal
	mark  *mark // nil: none stands
}

// pendingHead reads the head of the journal of a load that was not finished,
// nil: there is none.
func pendingHead(ctx context.Context, table *store.Table) (*journalHead, error) {
	item, err := table.Get(ctx, records.JournalKey(0), true)
	if err != nil || item == nil {
		return nil, err
	}
	return unmarshal[journalHead](item)
}

// readPending reads the load that was not finished, nil: there is none.
func readPending(ctx context.Context, table *store.Table) (*pending, error) {
	head, err := pendingHead(ctx, table)
	if err != nil || head == nil {
		return nil, err
	}
	keys := make([]store.Key, head.Parts, head.Parts+1)
	for n := range keys {
		keys[n] = records.JournalKey(n + 1)
	}
	items, err := table.BatchGet(ctx, append(keys, markKey()), true)
	if err != nil {
		return nil, err
	}
	p := &pending{journalHead: *head}
	if p.mark, err = markOf(items[markKey()], head.ID); err != nil {
		return nil, err
	}
	var archive bytes.Buffer
	for _, key := range keys {
		part, err := unmarshal[journalPart](items[key])
		if err != nil {
			return nil, err
		}
		archive.Write(part.Data)
	}
	p.files, err = zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
	if err != nil {
		return nil, fmt.Errorf("read journal of an unfinished load: %w", err)
	}
	return p, nil
}

// clearJournal ends a load: first the head, so that no half of a journal is
// ever taken for one, then the mark and all parts, also those that a load left
// which was killed at just this point.
func clearJournal(ctx context.Context, table *store.Table) error {
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
