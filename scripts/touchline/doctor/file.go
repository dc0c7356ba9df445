package doctor

import (
	"context"
	"strings"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
)

// file reads all of the file of the data: its pages and its records.
func (x *examination) file(ctx context.Context, d *database.Database) {
	report, err := d.File.Check(ctx)
	switch {
	case err != nil:
		x.fault("file", d.Explain(err))
	case len(report.Damage) > 0:
		x.find("file", Fault, "the data in %s cannot be read in full (%s): stop serve, and bring the last backup back with `touchline restore`, which keeps what is there; without one, import the dataset into another folder", d.Where, strings.Join(report.Damage, "; "))
	default:
		const mb = 1 << 20
		x.find("file", OK, "%s can be read in %s; it has %d MB, %d of them not in use", terminal.Counted(report.All(), "item"), d.Where, report.Size/mb, report.Free/mb)
	}
}
