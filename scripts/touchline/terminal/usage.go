package terminal

import "fmt"

// UsageError is a wrong call that only the command itself can see.
type UsageError struct{ error }

// Usage makes a usage error of another.
func Usage(err error) error { return UsageError{err} }

// Usagef makes a usage error of a text.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }
