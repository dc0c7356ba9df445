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
	Loaded Status = "loaded" // or, after a dry run, would be
	Faulty Status = "faulty" // nothing was changed; not tried again
)

// Report is the result of a drop.
type Report struct {
	Status Status    `json:"status"`
	Ready  Version   `json:"ready"` // the _READY that it belongs to
	DryRun bool      `json:"dryRun,omitempty"`
	Ended  time.Time `json:"ended"`
	// Counts is set if Status is Loaded. It includes the faults of records that
	// were left out.
	Counts *loader.Report `json:"counts,omitempty"`
	// Faults is set if Status is Faulty. The line of a fault is 0 if it is about
	// a whole file.
	Faults *dataset.Faults `json:"faults,omitempty"`
}

// maxReport bounds the size of reports that are read back, in bytes.
const maxReport = 4 << 20

// ReadReport reads the report of a drop; nil if there isn't one yet, or something else in
// its place, such as a part of one.
func ReadReport(ctx context.Context, objects Objects, d Drop) (*Report, error) {
	content, err := objects.Get(ctx, d.Bucket, d.Key(stack.DropReport))
	if errors.Is(err, ErrNotFound) {
		return nil, nil //nolint:nilnil // there isn't one yet
	}
	if err != nil {
		return nil, err
	}
	defer content.Close()
	text, err := io.ReadAll(io.LimitReader(content, maxReport))
	if err != nil {
		return nil, fmt.Errorf("read %s/%s: %w", d, stack.DropReport, err)
	}
	found := new(Report)
	if err := json.Unmarshal(text, found); err != nil {
		return nil, nil //nolint:nilerr,nilnil // it is none
	}
	return found, nil
}
