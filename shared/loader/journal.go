package loader

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io/fs"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/dataset"
	"touchline/shared/sport"
	"touchline/shared/store"
)

// A journal holds the records that a load changes, in the dataset format, as
// they are after resolution: what it takes to finish the load without the
// dataset. It is complete, and the load thereby decided, once its first item
// stands.
type journal struct {
	files map[string]*bytes.Buffer
}

// partSize bounds an item of the journal; DynamoDB's bound is 400 KB.
const partSize = 300 << 10

// journalHead is the journal's first item, written last and deleted first.
type journalHead struct {
	Parts int `dynamodbav:"n"`
}

// journalPart is a piece of the archive.
type journalPart struct {
	Data []byte `dynamodbav:"d"`
}

func newJournal() *journal { return &journal{files: map[string]*bytes.Buffer{}} }

// journalRecord notes a record as it will be.
func journalRecord[T dataset.Entity](j *journal, r *dataset.Record[T]) {
	if j == nil {
		return // finishing a journal: it is there already
	}
	name := fileOf(r)
	buffer := j.files[name]
	if buffer == nil {
		buffer = &bytes.Buffer{}
		j.files[name] = buffer
	}
	buffer.Write(dataset.Append(buffer.AvailableBuffer(), r))
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

// write makes the journal stand.
func (j *journal) write(ctx context.Context, table *store.Table) error {
	archive, err := j.archive()
	if err != nil {
		return err
	}
	var writes []store.Write
	for n := 0; len(archive) > 0; n++ {
		size := min(partSize, len(archive))
		item, err := attributevalue.MarshalMap(journalPart{Data: archive[:size]})
		if err != nil {
			return fmt.Errorf("encode journal: %w", err)
		}
		writes = append(writes, store.Write{Key: store.JournalKey(n + 1), Item: item})
		archive = archive[size:]
	}
	head, err := attributevalue.MarshalMap(journalHead{Parts: len(writes)})
	if err != nil {
		return fmt.Errorf("encode journal: %w", err)
	}
	if err := table.Write(ctx, writes); err != nil {
		return err
	}
	return table.Write(ctx, []store.Write{{Key: store.JournalKey(0), Item: head}})
}

func (j *journal) archive() ([]byte, error) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for name, lines := range j.files {
		w, err := archive.Create(name)
		if err != nil {
			return nil, fmt.Errorf("pack journal: %w", err)
		}
		if _, err := w.Write(lines.Bytes()); err != nil {
			return nil, fmt.Errorf("pack journal: %w", err)
		}
	}
	if err := archive.Close(); err != nil {
		return nil, fmt.Errorf("pack journal: %w", err)
	}
	return out.Bytes(), nil
}

// pendingJournal reads the journal of a load that was not finished, nil: there
// is none.
func pendingJournal(ctx context.Context, table *store.Table) (fs.FS, error) {
	item, err := table.Get(ctx, store.JournalKey(0), true)
	if err != nil || item == nil {
		return nil, err
	}
	head, err := unmarshal[journalHead](item)
	if err != nil {
		return nil, err
	}
	keys := make([]store.Key, head.Parts)
	for n := range keys {
		keys[n] = store.JournalKey(n + 1)
	}
	items, err := table.BatchGet(ctx, keys, true)
	if err != nil {
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
	files, err := zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
	if err != nil {
		return nil, fmt.Errorf("read journal of an unfinished load: %w", err)
	}
	return files, nil
}

// clearJournal ends a load: first the head, so that no half of a journal is
// ever taken for one, then all parts, also those that a load left which was
// killed at just this point.
func clearJournal(ctx context.Context, table *store.Table) error {
	items, err := table.Query(ctx, store.Query{PK: store.JournalPK, Prefix: store.JournalPrefix, Consistent: true})
	if err != nil {
		return err
	}
	if err := table.Write(ctx, []store.Write{{Key: store.JournalKey(0)}}); err != nil {
		return err
	}
	var parts []store.Write
	for _, item := range items {
		parts = append(parts, store.Write{Key: store.KeyOf(item)})
	}
	return table.Write(ctx, parts)
}
