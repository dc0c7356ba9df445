package commit

import (
	"time"

	"touchline/shared/loader/history"
)

// Past is a load of the past as the table keeps it.
type Past struct {
	Number int       `json:"number"` // 1 for the first load of the table
	Began  time.Time `json:"began"`
	By     string    `json:"by,omitempty"`     // who loaded: Lease.Label
	Note   string    `json:"note,omitempty"`   // Options.Note
	File   string    `json:"file,omitempty"`   // Options.File
	Undoes int       `json:"undoes,omitempty"` // the number of the load that it took back
	// Report is what Load returned, with the first of the changes, and without texts.
	Report *Report `json:"report,omitempty"`
	More   int     `json:"moreChanges,omitempty"` // changes beyond those
}

// PastOf is the load of an entry.
func PastOf(e *history.Entry) (Past, error) {
	p := Past{Number: e.Number, Began: e.Time(), By: e.By, Note: e.Note, File: e.File, Undoes: e.Undoes}
	d, err := DetailOf(e)
	p.Report, p.More = d.Report, d.More
	return p, err
}
