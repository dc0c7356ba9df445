// Touchline is the operator's command: it serves the API on one machine, loads
// data, manages keys and uses the signed protocol.
//
// Every command prints results on standard output and everything else on
// standard error, and exits with 0, with 1 if it failed, or with 2 if it was
// called wrongly. Errors say what to do. A secret is printed once, on standard
// output, by the command that makes it; it is never an argument, which other
// users of the machine could see.
//
// This package is the command line: it reads the arguments, runs the command,
// and turns its error into an exit code. The commands are in the packages below
// it, one for each subject, with their flags and their help; commands that only
// print what another package has are here.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
	_ "time/tzdata" // competitions have time zones, machines may have no database of them

	"golang.org/x/term"

	"touchline/scripts/touchline/terminal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends at once
	code := run(ctx, os.Args[1:], &terminal.Terminal{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTerminal:  term.IsTerminal(int(os.Stdin.Fd())),
		OutTerminal: term.IsTerminal(int(os.Stdout.Fd())),
		ErrTerminal: term.IsTerminal(int(os.Stderr.Fd())),
		Getenv:      os.Getenv,
		Now:         time.Now,
	})
	os.Exit(code)
}
