package imports

import (
	"context"
	"errors"
	"os"
	"slices"

	"touchline/scripts/spreadsheet"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset"
	"touchline/shared/dataset/relations"
)

// offlineReport is what --offline --json prints.
type offlineReport struct {
	Records  int               `json:"records"`
	Faults   *dataset.Faults   `json:"faults,omitempty"`
	Warnings *dataset.Warnings `json:"warnings,omitempty"`
	// Elsewhere are references to records that are not in the folder.
	Elsewhere *dataset.Faults `json:"elsewhere,omitempty"`
}

// offline checks the folder on its own. References to records that are not in it
// may be right, since these may be stored. With --replace they are faults.
func (i *ImportCommand) offline(ctx context.Context, c *terminal.Terminal) error {
	p := terminal.Steps{Terminal: c}
	set, err := dataset.Read(ctx, os.DirFS(i.folder), dataset.Options{
		Workbooks: spreadsheet.Workbooks,
		Progress:  func(file string, line int) { p.Say("reading "+file, line, 0) },
	})
	p.End()
	faults, faulty := errors.AsType[*dataset.Faults](err)
	if err != nil && !faulty {
		return err
	}
	elsewhere, err := set.Resolve(ctx, func(_ context.Context, targets []dataset.Target) ([]bool, error) {
		return make([]bool, len(targets)), nil
	}, false)
	if err != nil {
		return err
	}
	if faults == nil {
		faults = &dataset.Faults{}
	}
	resolve, unsettled, warned := set.Settle()
	for _, f := range append(unsettled, relations.Faults(set, relations.Stored{})...) {
		faults.Add(f)
	}
	warned = slices.Concat(warned, relations.Warnings(set, c.Now(), relations.Stored{}, resolve))
	for _, w := range warned {
		set.Warnings.Add(w)
	}
	faults.Warnings = nil
	report := offlineReport{Records: set.Len(), Warnings: set.Warnings.With(nil)}
	if i.Replace {
		faults.Merge(elsewhere)
	} else {
		report.Elsewhere = elsewhere
	}
	if i.Strict {
		faults.Merge(report.Warnings.Faults())
		report.Warnings = nil
	}
	if faults.Count() > 0 {
		report.Faults = faults
	}
	return i.offlineSaid(c, &report)
}

// offlineSaid prints the report.
func (i *ImportCommand) offlineSaid(c *terminal.Terminal, r *offlineReport) error {
	found := terminal.Counted(r.Faults.Count(), "fault")
	if i.JSON {
		if err := c.JSON(r); err != nil {
			return err
		}
	} else {
		if r.Faults != nil {
			c.Sayf("%v", r.Faults)
		}
		sayWarnings(c, r.Warnings)
		if r.Elsewhere.Count() > 0 {
			c.Sayf("not in this folder, so it must be stored already (with --replace it is a fault):\n%v", r.Elsewhere)
		}
		c.Printf("%s read: %s, %s, %s to what is not in the folder\n", terminal.Counted(r.Records, "record"), found,
			terminal.Counted(r.Warnings.Count(), "warning"), terminal.Counted(r.Elsewhere.Count(), "reference"))
	}
	if r.Faults != nil {
		return errors.New(found + " in " + i.Dir)
	}
	return nil
}
