package ingest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/stack"
)

// Status says what became of a drop.
type Status string

// The statuses.
const (
	Loaded Status = "loaded" // or would be, after a dry run
	Faulty Status = "faulty" // and has changed nothing
	Failed Status = "failed" // and is not tried again; what was begun is finished by the next load
)

// Report is the result of a drop.
type Report struct {
	Status Status    `json:"status"`
	Ready  Version   `json:"ready"` // the _READY that it is for
	DryRun bool      `json:"dryRun,omitempty"`
	Ended  time.Time `json:"ended"`
	// Counts are there where Status is Loaded, with the faults of records that
	// were left out.
	Counts *loader.Report `json:"counts,omitempty"`
	// Faults are there where Status is Faulty. The line of a fault is 0 where it
	// is one of the file itself, or of the archive.
	Faults *dataset.Faults `json:"faults,omitempty"`
	// Message is for people, where Status is Failed.
	Message string `json:"message,omitempty"`
	// Trying says of a Status that is Failed that it is written ahead, should the
	// last try not come to its end: it may be another within LastTry of Ended.
	Trying bool `json:"trying,omitempty"`
}

// LastTry is how long a try lasts at most: somewhat longer than the stack's
// function may run.
const LastTry = 16 * time.Minute

// Progress says how far the load of a drop is.
type Progress struct {
	What string    `json:"what"`
	Done int       `json:"done"`
	All  int       `json:"all"` // 0: not known
	At   time.Time `json:"at"`
}

// maxAnswer bounds the answers that are read back, in bytes.
const maxAnswer = 4 << 20

// errForeign is the error of an object under the name of a report or progress
// that is neither.
var errForeign = errors.New("is not what the ingest function writes")

// ReadReport reads the report of a drop, nil if there isn't one yet.
func ReadReport(ctx context.Context, objects Objects, d Drop) (*Report, error) {
	return readAnswer[Report](ctx, objects, d, stack.DropReport)
}

// ReadProgress reads how far a drop is, nil if nothing is written yet.
func ReadProgress(ctx context.Context, objects Objects, d Drop) (*Progress, error) {
	return readAnswer[Progress](ctx, objects, d, stack.DropProgress)
}

func readAnswer[T any](ctx context.Context, objects Objects, d Drop, name string) (*T, error) {
	content, err := objects.Get(ctx, d.Bucket, d.Key(name))
	if errors.Is(err, ErrNotFound) {
		return nil, nil //nolint:nilnil // there is none yet
	}
	if err != nil {
		return nil, err
	}
	defer content.Close()
	text, err := io.ReadAll(io.LimitReader(content, maxAnswer+1))
	if err != nil {
		return nil, fmt.Errorf("read %s/%s: %w", d, name, err)
	}
	answer := new(T)
	if err := json.Unmarshal(text, answer); err != nil {
		return nil, fmt.Errorf("%s/%s %w: %w", d, name, errForeign, err)
	}
	return answer, nil
}

func writeAnswer(ctx context.Context, objects Objects, d Drop, name string, answer any) error {
	text, err := json.MarshalIndent(answer, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", name, err)
	}
	return objects.Put(ctx, d.Bucket, d.Key(name), append(text, '\n'))
}
