package loader

// Portion makes the loader write in small portions and mark each, as it does
// with large ones of long loads.
func (l *Loader) Portion(ops, items int) { l.pace = pace{ops: ops, items: items, marked: 1} }

// MarkKey is where the mark lies.
var MarkKey = markKey
