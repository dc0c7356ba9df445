package commit

// BegunError is the error of a load that ended early, after it had begun to
// change the table: the next load finishes it.
type BegunError struct{ Err error }

// Error is the reason.
func (e *BegunError) Error() string { return e.Err.Error() }

// Unwrap is the reason.
func (e *BegunError) Unwrap() error { return e.Err }
