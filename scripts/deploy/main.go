// Command deploy runs the command line of the CDK for a stage, after checking
// where it would deploy to. The targets deploy, diff, bootstrap and destroy of
// the Makefile call it; rollback, which needs no CDK; and ready, which changes
// nothing and names all that a deployment would stop at.
//
// It has the app synthesized (unless it is given an assembly), finds the region
// and the account, prints both, reads the state of the stack, and leaves the
// rest to the CDK.
//
// # Invariants
//
//   - Nothing is deployed whose faults or costs nobody would notice.
//   - Nothing is deployed without a region. The CDK would choose us-east-1.
//   - The first deployment of a stack protects nothing: if it fails, CloudFormation
//     can remove what it made, and the next one starts from nothing. A second pass
//     follows at once and protects tables and stack.
//   - Nothing is deployed in front of a table that is not there, or of data that this
//     version does not read. What is looked at are the tables that it will read.
//   - What the live version reads stays granted until the release after, and nothing goes
//     back to a version that lacks the right to what it reads, or does not read it.
//   - An update is rolled back if one of the alarms of the deployed version goes off,
//     unless the caller names other alarms, or none.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"

	"touchline/shared/stack"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second signal ends at once
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		_, _ = fmt.Fprintf(os.Stderr, "deploy: %v\n", err)
		os.Exit(1)
	}
}

// call is a command line: what to do, for which stage, with which CDK.
type call struct {
	cdk      string // path of the CDK's command line
	stage    string
	assembly string // folder of a finished synthesis; empty: synthesize first
	approve  string // of the CDK's --require-approval
	command  string // deploy, diff, ready, bootstrap, destroy, rollback
	args     arguments
	out, err io.Writer
}

func run(ctx context.Context, line []string, out, problems io.Writer) error {
	c := call{out: out, err: problems}
	flags := flag.NewFlagSet("deploy", flag.ContinueOnError)
	flags.SetOutput(problems)
	flags.StringVar(&c.cdk, "cdk", "cdk", "path of the CDK's command line")
	flags.StringVar(&c.stage, "stage", "dev", "the stage")
	flags.StringVar(&c.assembly, "assembly", "", "deploy this assembly (cdk.out) instead of synthesizing one")
	flags.StringVar(&c.approve, "approve", "broadening", "the CDK's --require-approval")
	if err := flags.Parse(line); err != nil {
		return err
	}
	c.command = flags.Arg(0)
	if flags.NArg() > 0 {
		c.args = flags.Args()[1:]
	}
	switch c.command {
	case "deploy", "diff", "bootstrap", "destroy", "ready":
	case "rollback":
		return c.rollback(ctx)
	default:
		return fmt.Errorf("command %q: want deploy, diff, ready, bootstrap, destroy or rollback", c.command)
	}
	if given := c.args.context(); c.assembly != "" && len(given) > 0 {
		return fmt.Errorf("%s would have no effect: %s is synthesized already", strings.Join(given, " "), c.assembly)
	}
	return c.run(ctx)
}

func (c call) run(ctx context.Context) error {
	given := c.assembly != ""
	if !given {
		c.assembly = "cdk.out"
		if err := c.synthesize(ctx); err != nil {
			return err
		}
	}
	a, err := readAssembly(c.assembly, c.stage)
	if err != nil {
		return err
	}
	switch c.command {
	case "ready":
		return c.ready(ctx, a, given)
	case "deploy":
		if err := a.attended(); err != nil {
			return err
		}
	}
	p, err := findPlace(ctx, a.region, c.args)
	if err != nil {
		return err
	}
	c.printf("%s %s: %s\n", c.command, a.stack, p)
	switch c.command {
	case "bootstrap":
		return c.runCDK(ctx, append([]string{"bootstrap", fmt.Sprintf("aws://%s/%s", p.account, p.config.Region)}, c.args.without("-c", "--context", "--region")...)...)
	case "deploy":
		return c.deploy(ctx, a, p)
	}
	return c.runCDK(ctx, c.of(a, p, c.command)...)
}

// of is the CDK's command line for the stack; the arguments of the caller come
// last.
func (c call) of(a *assembly, p place, words ...string) []string {
	words = append(words, a.stack, "--app", c.assembly, "--region", p.config.Region)
	return append(words, c.args.without("-c", "--context", "--region")...)
}

// synthesize writes the assembly. Of the arguments it only passes on the
// context: the others are for the command that follows.
func (c call) synthesize(ctx context.Context) error {
	words := []string{"synth", "--ci", stack.Name(c.stage), "--output", c.assembly, "-c", "stage=" + c.stage}
	silent := c
	silent.out = io.Discard // the template
	return silent.runCDK(ctx, append(words, c.args.context()...)...)
}

func (c call) runCDK(ctx context.Context, words ...string) error {
	command := exec.CommandContext(ctx, c.cdk, words...) //nolint:gosec // the Makefile names it
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, c.out, c.err
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) } // it ends by itself
	if err := command.Run(); err != nil {
		return fmt.Errorf("cdk %s: %w", words[0], err)
	}
	return nil
}

func (c call) printf(format string, args ...any) { _, _ = fmt.Fprintf(c.out, format, args...) }
