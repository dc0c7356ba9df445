package terminal

import "fmt"

// UsageError is a wrong call that only the command itself can detect.
type UsageError struct{ error }

// Usage turns an error into a usage error.
func Usage(err error) error { return UsageError{err} }

// Usagef makes a usage error from a format.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }
