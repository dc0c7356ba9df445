package loader

// Portion makes the loader write in portions of so many changes of lists, as it does with
// large ones of long loads.
func (l *Loader) Portion(changes int) {
	l.portion = changes
	l.Spill()
}

// Spill makes the loader sort its writes in a file, and compare few records at a time, as
// it does with large loads.
func (l *Loader) Spill() { l.inMemory, l.batch = 100, 3 }

// KeepUndo bounds, in bytes, the way back that is kept of a load.
func (l *Loader) KeepUndo(bytes int) { l.undo = bytes }

// Has bounds the memory of the process, and says how much of it is in use.
func (l *Loader) Has(limit int64, live func() int64) {
	l.memory = memory{limit: func() int64 { return limit }, live: live}
}
