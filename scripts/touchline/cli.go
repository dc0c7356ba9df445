package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/alecthomas/kong"

	"touchline/scripts/touchline/apikeys"
	"touchline/scripts/touchline/backup"
	"touchline/scripts/touchline/doctor"
	"touchline/scripts/touchline/imports"
	"touchline/scripts/touchline/logs"
	"touchline/scripts/touchline/protocol"
	"touchline/scripts/touchline/serve"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/loader"
	"touchline/shared/stack"
)

// The exit codes of every command.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// cli is the command line, with a field for each command: its Run runs it, its Help is
// shown below the flags.
type cli struct {
	Version kong.VersionFlag `help:"Print the version."`

	Console webConsoleCommand `cmd:"" help:"Serve a console for your browser: data, keys and loads."`

	Serve    serve.Command          `cmd:"" help:"Serve the API on this machine."`
	Template templateCommand        `cmd:"" help:"Write empty forms of a dataset, as a workbook or as CSV."`
	Import   imports.ImportCommand  `cmd:"" help:"Load a dataset."`
	Score    imports.ScoreCommand   `cmd:"" help:"Report the score of a match, and a goal."`
	Loads    imports.LoadsCommand   `cmd:"" help:"List the last imports and what they changed."`
	Undo     imports.UndoCommand    `cmd:"" help:"Take the last import back."`
	Export   imports.ExportCommand  `cmd:"" help:"Write the dataset that the database holds."`
	Check    imports.CheckCommand   `cmd:"" help:"Compare what is computed from the data with the data."`
	Keys     apikeys.Command        `cmd:"" help:"Make, list and end API keys."`
	Usage    apikeys.UsageCommand   `cmd:"" help:"Say how many requests each organization used."`
	Upgrade  imports.UpgradeCommand `cmd:"" help:"Bring the data of an earlier version to this one's layout."`
	Backup   backup.Command         `cmd:"" help:"Copy the local database, keys included, to a file."`
	Restore  backup.RestoreCommand  `cmd:"" help:"Put a backup in the place of the local database."`
	Doctor   doctor.Command         `cmd:"" help:"Look for what keeps Touchline from working, and say what to do."`
	Why      logs.WhyCommand        `cmd:"" help:"Say which check refused a request, and why."`
	Get      protocol.GetCommand    `cmd:"" help:"Send one signed request and print the answer, or show how it is signed."`
	Docs     docsCommand            `cmd:"" help:"Write the pages for those who call the API, the kits and the OpenAPI document."`

	ExplainTable explainTableCommand `cmd:"" help:"Say what put each row of a table above the next one."`

	Regulations regulationsCommand `cmd:"" help:"List the competitions whose rules the loader knows, or show those of one."`
}

// exit is what kong requests after --help.
type exit int

// run parses and runs one command line and returns the exit code.
func run(ctx context.Context, args []string, c *terminal.Terminal) (code int) {
	defer func() {
		if r := recover(); r != nil {
			asked, ok := r.(exit)
			if !ok {
				panic(r)
			}
			code = int(asked)
		}
	}()
	// `touchline help X` is `touchline X --help`.
	if len(args) > 0 && args[0] == "help" {
		args = append(args[1:len(args):len(args)], "--help")
	}
	parser := newParser(ctx, c)
	selected, err := parser.Parse(args)
	if err == nil {
		err = emptyFlag(selected)
	} else if parse, ok := errors.AsType[*kong.ParseError](err); ok {
		selected, err = parse.Context, terminal.Usage(err)
	}
	if err == nil {
		err = selected.Run()
	}
	var usage terminal.UsageError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &usage):
		c.Sayf("touchline: %v\nrun %q to see how it is used", err, helpOf(selected))
		return exitUsage
	case ctx.Err() != nil && errors.Is(err, context.Canceled) && errors.As(err, new(*loader.BegunError)):
		c.Sayf("touchline: interrupted: %s", imports.PartWritten)
		return exitFailed
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		c.Sayf("touchline: interrupted")
		return exitFailed
	}
	c.Sayf("touchline: %v", err)
	return exitFailed
}

// newParser makes the parser of the command line. It asks for an exit with a
// panic of the type exit.
func newParser(ctx context.Context, c *terminal.Terminal) *kong.Kong {
	parser, err := kong.New(&cli{Doctor: doctor.Command{Version: version()}, Serve: serve.Command{Version: version()}},
		kong.Name("touchline"),
		kong.Description("Touchline serves a sports federation's data over a signed, read-only HTTP API."),
		kong.Writers(c.Out, c.Err),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Vars{
			"addr": stack.LocalService, "base_url": "http://" + stack.LocalService,
			"docs_addr":     serve.DefaultDocsAddr,
			"failure_limit": strconv.Itoa(limits.FailureLimit),
			"rate_limit":    strconv.Itoa(limits.RateLimit),
			"version":       version(),
			"monthly_quota": strconv.Itoa(keys.DefaultMonthlyQuota),
		},
		kong.TypeMapper(reflect.TypeFor[time.Time](), kong.MapperFunc(decodeTime)),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(c),
	)
	if err != nil {
		panic(err) // a wrong struct tag, which no command line can cause
	}
	return parser
}

// built names what make has built: a tag or commit, by `git describe`.
var built string

// version is what this program was built from, and the toolchain.
func version() string {
	name := built
	if info, ok := debug.ReadBuildInfo(); ok && name == "" {
		name = info.Main.Version // which has the commit, in a checkout
	}
	return "touchline " + name + " " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
}

// decodeTime reads a flag that is a time. The error of Kong's own decoder would
// mention Go's layouts.
func decodeTime(ctx *kong.DecodeContext, target reflect.Value) error {
	var text string
	if err := ctx.Scan.PopValueInto("time", &text); err != nil {
		return err
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return fmt.Errorf("%q is not a time: want one such as 2027-01-01T00:00:00Z", text)
	}
	target.Set(reflect.ValueOf(t))
	return nil
}

// emptyFlag refuses a flag with an empty value, such as --stack "$STAGE" if the
// variable is not set: ignored, it would make the command work on something else
// than intended.
func emptyFlag(k *kong.Context) error {
	for _, p := range k.Path {
		if p.Flag == nil || p.Flag.Name == "label" { // which may be removed
			continue
		}
		if v := p.Flag.Target; v.Kind() == reflect.String && v.Len() == 0 {
			return terminal.Usagef("--%s is empty: give it a value, or leave it out", p.Flag.Name)
		}
	}
	return nil
}

// helpOf asks for the help of what was selected.
func helpOf(k *kong.Context) string {
	if k == nil || k.Selected() == nil {
		return "touchline --help"
	}
	return k.Selected().FullPath() + " --help"
}
