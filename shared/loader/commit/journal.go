package commit

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/dataset"
	"touchline/shared/dataset/encode"
	"touchline/shared/dataset/files"
	"touchline/shared/loader/history"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// A Journal holds the records that a load changes, in the dataset format, as
// they are after resolution: what it takes to finish the load without the
// dataset. It is complete, and the load thereby decided, once its head is written.
type Journal struct {
	files  map[string]*journalFile
	line   []byte
	failed error // the first
}

// journalFile is a file of the archive while it is written: the records of a load
// come part by part, and not kind by kind.
type journalFile struct {
	packed bytes.Buffer
	lines  *flate.Writer
	sum    uint32
	size   uint64
}

// LineLimit bounds a line of the journal, in bytes. It may be longer than the
// line that was loaded: a table of 10,000 rows whose keys became ids.
const LineLimit = 16 << 20

// partSize bounds an item of the journal; DynamoDB's bound is 400 KB.
const partSize = 300 << 10

// Head describes a journal and where it is stored. It is the payload of the
// lease, so only the load that holds the lease can write or remove it: it is
// the fence against an older load that does not know yet that it lost the
// lease.
type Head struct {
	// ID is unlike that of every other journal.
	ID string `dynamodbav:"i"`
	// Parts is the number of items that hold the archive; 0: Archive does.
	Parts   int    `dynamodbav:"n,omitempty"`
	Archive []byte `dynamodbav:"z,omitempty"`
	// Empty says that the load began on an empty table: the view before is
	// empty, whatever the load has written since.
	Empty bool `dynamodbav:"e,omitempty"`
	// Label is the loader's Options.Label, and Report what Load returns.
	Label  string  `dynamodbav:"l,omitempty"`
	Report *Report `dynamodbav:"r,omitempty"`
	// Number is that of the load (history.Mark); 0 in a journal of a version that
	// kept none. Exact says that a record without a key is to have none.
	Number int  `dynamodbav:"h,omitempty"`
	Exact  bool `dynamodbav:"x,omitempty"`
	// Conducted is set of a load that Step Functions conducts: its records are not in
	// the journal, and only its own steps finish it.
	Conducted *Conducted `dynamodbav:"c,omitempty"`
}

// journalPart is a piece of the archive.
type journalPart struct {
	Data []byte `dynamodbav:"d"`
}

func NewJournal() *Journal { return &Journal{files: map[string]*journalFile{}} }

// AddRecord adds a record as it will be.
func AddRecord[T dataset.Entity](j *Journal, r *dataset.Record[T]) {
	if j == nil {
		return // finishing a journal: it exists already
	}
	j.line = encode.Append(j.line[:0], r)
	j.failed = cmp.Or(j.failed, j.file(fileOf(r)).add(j.line))
}

// Begin adds a file, if only an empty one.
func (j *Journal) Begin(kind files.Kind) { j.file(files.Names()[kind]) }

// AddLine adds a record as a line of the file of its kind, without the line's end.
func (j *Journal) AddLine(kind sport.Kind, line []byte) error {
	name := map[sport.Kind]files.Kind{
		sport.KindOrganization: files.Organizations, sport.KindCompetition: files.Competitions, sport.KindTeam: files.Teams,
		sport.KindPlayer: files.Players, sport.KindMatch: files.Matches, history.KindStandings: files.Standings,
	}
	j.line = append(append(j.line[:0], line...), '\n')
	return j.file(files.Names()[name[kind]]).add(j.line)
}

// Files ends the journal's files and opens them.
func (j *Journal) Files() (*zip.Reader, error) {
	archive, err := j.Archive()
	if err != nil {
		return nil, err
	}
	return OpenArchive(archive)
}

// OpenArchive opens what Archive gave.
func OpenArchive(archive []byte) (*zip.Reader, error) {
	return zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
}

// partsFile has a line for each part of a change that is computed in parts: an array
// of ids.
const partsFile = "parts"

// AddPart notes that what is of these records is computed together.
func (j *Journal) AddPart(records []sport.ID) error {
	if j == nil {
		return nil
	}
	line, err := json.Marshal(records)
	if err != nil {
		return err
	}
	return j.file(partsFile).add(append(line, '\n'))
}

// Parts are the records of each part, nil where all is computed together.
func (p *Interrupted) Parts() ([][]sport.ID, error) {
	file, err := p.Files.Open(partsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was read
	var parts [][]sport.ID
	for lines := json.NewDecoder(file); ; {
		var part []sport.ID
		switch err := lines.Decode(&part); {
		case errors.Is(err, io.EOF):
			return parts, nil
		case err != nil:
			return nil, fmt.Errorf("read the parts of an unfinished load: %w", err)
		}
		parts = append(parts, part)
	}
}

func (j *Journal) file(name string) *journalFile {
	f := j.files[name]
	if f == nil {
		f = &journalFile{}
		f.lines, _ = flate.NewWriter(&f.packed, flate.DefaultCompression) // the level is one
		j.files[name] = f
	}
	return f
}

func (f *journalFile) add(line []byte) error {
	f.sum = crc32.Update(f.sum, crc32.IEEETable, line)
	f.size += uint64(len(line))
	_, err := f.lines.Write(line)
	return err
}

// Archive ends the files, and puts them into one.
func (j *Journal) Archive() ([]byte, error) {
	if j.failed != nil {
		return nil, fmt.Errorf("pack journal: %w", j.failed)
	}
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(j.files)) {
		f := j.files[name]
		if err := f.lines.Close(); err != nil {
			return nil, err
		}
		to, err := archive.CreateRaw(&zip.FileHeader{
			Name: name, Method: zip.Deflate, CRC32: f.sum,
			CompressedSize64: uint64(f.packed.Len()), UncompressedSize64: f.size, //nolint:gosec // a length
		})
		if err != nil {
			return nil, err
		}
		if _, err := f.packed.WriteTo(to); err != nil {
			return nil, err
		}
		delete(j.files, name)
	}
	err := archive.Close()
	return out.Bytes(), err
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

// WriteParts completes the journal except for the head. It puts an archive of
// at most inHead bytes into the head, and writes a larger one in parts.
func (j *Journal) WriteParts(ctx context.Context, table *store.Table, h *Head, inHead int) error {
	archive, err := j.Archive()
	if err != nil {
		return err
	}
	if len(archive) <= inHead {
		h.Archive = archive
		return nil
	}
	var writes []store.Write
	for part := range slices.Chunk(archive, partSize) {
		item, err := attributevalue.MarshalMap(journalPart{Data: part})
		if err != nil {
			return fmt.Errorf("encode journal: %w", err)
		}
		writes = append(writes, store.Write{Key: records.JournalKey(h.ID, len(writes)), Item: item})
	}
	h.Parts = len(writes)
	return table.Write(ctx, writes)
}

// Write completes a journal whose parts are written.
func (h *Head) Write(ctx context.Context, lease *store.Lease) error {
	item, err := attributevalue.MarshalMap(h)
	if err != nil {
		return fmt.Errorf("encode journal: %w", err)
	}
	return lease.Put(ctx, item)
}

// Interrupted is a load that was not finished.
type Interrupted struct {
	Head
	Files      fs.FS       // of the journal
	Checkpoint *Checkpoint // nil: there isn't one
}

// HeadOf is the head of the journal that the payload of a lease holds, nil for
// none.
func HeadOf(payload store.Item) (*Head, error) {
	if payload == nil {
		return nil, nil
	}
	return store.Decode[Head](payload)
}

// ReadHead reads the head of the journal of a load that was not finished, nil
// for none.
func ReadHead(ctx context.Context, table *store.Table) (*Head, error) {
	payload, err := store.ReadLeasePayload(ctx, table, records.LockKey())
	if err != nil {
		return nil, err
	}
	return HeadOf(payload)
}

// ReadInterrupted reads the load that was not finished and has this head.
func ReadInterrupted(ctx context.Context, table *store.Table, head *Head) (*Interrupted, error) {
	keys := make([]store.Key, head.Parts, head.Parts+1)
	for n := range keys {
		keys[n] = records.JournalKey(head.ID, n)
	}
	items, err := table.BatchGet(ctx, append(keys, CheckpointKey()), true)
	if err != nil {
		return nil, err
	}
	p := &Interrupted{Head: *head}
	if p.Checkpoint, err = readCheckpoint(items[CheckpointKey()], head.ID); err != nil {
		return nil, err
	}
	archive := slices.Clone(head.Archive)
	for _, key := range keys {
		part, err := store.Decode[journalPart](items[key])
		if err != nil {
			return nil, err
		}
		archive = append(archive, part.Data...)
	}
	p.Files, err = OpenArchive(archive)
	if err != nil {
		return nil, fmt.Errorf("read journal of an unfinished load: %w", err)
	}
	return p, nil
}

// Clear removes a journal: first a head that refers to parts, so that half a
// journal is never taken for a whole one, and with it sets the mark of the lease,
// then the checkpoint and all parts, also those of loads that were killed before
// they wrote a head. A head without parts stays until the lease ends.
func Clear(ctx context.Context, table *store.Table, lease *store.Lease, head *Head, mark store.Item) error {
	if head.Parts > 0 {
		if err := lease.Complete(ctx, mark); err != nil {
			return err
		}
	}
	items, err := table.Query(ctx, store.Query{PK: records.JournalPK, Prefix: records.JournalPrefix, Consistent: true})
	if err != nil {
		return err
	}
	var parts []store.Write
	for _, item := range items {
		parts = append(parts, store.Write{Key: store.KeyOf(item)})
	}
	return table.Write(ctx, parts)
}
