package loader

import "touchline/shared/loader/commit"

// Portion makes the loader write in small portions and mark each, as it does
// with large ones of long loads.
func (l *Loader) Portion(ops, items int) {
	l.pace = commit.Pace{Ops: ops, Items: items, CheckpointFrom: 1}
	l.Spill()
}

// Spill makes the loader sort its writes in a file, compute a first load in parts as
// small as can be, and compare few records at a time, as it does with large loads.
func (l *Loader) Spill() { l.run, l.part, l.batch = 100, 1, 3 }

// MarkKey is where the mark lies.
var MarkKey = commit.CheckpointKey

// JournalInParts has the journal lie in items of its own, however small.
func (l *Loader) JournalInParts() {
	l.pace = commit.DefaultPace()
	l.pace.ShortJournal = 0
}
