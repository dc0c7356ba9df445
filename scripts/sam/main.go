// Command sam runs functions in containers with AWS's `sam local`, on the data
// of `touchline serve` on this machine:
//
//	go run ./scripts/sam api    --template FILE          an HTTP API on port 3000
//	go run ./scripts/sam invoke --template FILE FUNCTION --event FILE
//
// The template has to be synthesised with the context local=true: sam sets only
// variables that the template declares for a function, and only such a template
// declares the address of the engine and the master key.
//
// A function gets what it needs from this machine in a file for sam's
// --env-vars: the names of the tables that serve makes, no KMS key, the master
// key, and an address of the engine. Only this user can read the file, and it is
// removed when sam ends; this way the master key is in no list of processes.
//
// The engine listens on 127.0.0.1, which in a container is the container itself.
// Docker Desktop (macOS, Windows, Linux) forwards host.docker.internal to the
// loopback interface of the machine. Docker on Linux does not: there this
// command listens on the machine's address in Docker's bridge, and forwards to
// the engine as long as sam runs. (This would not be needed with sam's
// --docker-network host, but then sam could not reach the functions.)
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"

	"touchline/shared/stack"

	"github.com/alecthomas/kong"
)

// cli is the command line.
type cli struct {
	Template string   `required:"" placeholder:"FILE" help:"Template of the stage, synthesised with -c local=true."`
	API      struct{} `cmd:"" name:"api" help:"Serve all functions behind an HTTP API."`
	Invoke   struct {
		Function string `arg:"" help:"Name of the function, such as ping."`
		Event    string `required:"" placeholder:"FILE" help:"File of the event."`
	} `cmd:"" help:"Run one function with one event."`
	More []string `name:"more" sep:"none" placeholder:"ARG" help:"A further argument for sam; repeat it for more."`
}

// machine is where the command runs.
type machine struct {
	Getenv func(string) string
	System string // runtime.GOOS
	Out    io.Writer
	Err    io.Writer
}

func main() {
	var line cli
	selected := kong.Parse(&line, kong.Name("sam"), kong.Description("Run functions in containers, by sam local."))
	m := machine{Getenv: os.Getenv, System: runtime.GOOS, Out: os.Stdout, Err: os.Stderr}
	if err := m.run(context.Background(), line, selected.Command()); err != nil {
		_, _ = fmt.Fprintf(os.Stderr, "sam: %v\n", err)
		os.Exit(1)
	}
}

// run prepares the environment and starts sam.
func (m machine) run(ctx context.Context, line cli, command string) (err error) {
	if _, err := exec.LookPath("sam"); err != nil {
		return errors.New("sam is missing: install AWS's SAM CLI (https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/install-sam-cli.html); `touchline serve` needs neither it nor Docker")
	}
	t, err := readTemplate(line.Template)
	if err != nil {
		return err
	}
	arguments := []string{"local", "start-api", "--warm-containers", "LAZY"}
	if command != "api" {
		id, err := t.logicalID(line.Invoke.Function)
		if err == nil {
			err = t.takes(id, stack.VariableDynamoDBEndpoint)
		}
		if err != nil {
			return err
		}
		arguments = []string{"local", "invoke", id, "--event", line.Invoke.Event}
	}
	engine, err := m.engine(ctx)
	if err != nil {
		return err
	}
	reach, closeForward, err := m.reachable(ctx, engine)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeForward()) }()
	variables, err := m.variables(reach)
	if err != nil {
		return err
	}
	if err := t.declares(variables); err != nil {
		return err
	}
	file, err := writeVariables(variables)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(file)) }()
	arguments = append(arguments, "--template", line.Template, "--env-vars", file)
	return m.start(append(arguments, line.More...))
}

// start runs sam until it ends. Ctrl-C reaches sam through the terminal, and
// this process waits for it; other signals are passed on.
func (m machine) start(arguments []string) error {
	command := exec.Command("sam", arguments...) //nolint:gosec // what the user asked for
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, m.Out, m.Err
	ends := make(chan os.Signal, 1)
	signal.Notify(ends, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(ends)
	if err := command.Start(); err != nil {
		return fmt.Errorf("start sam: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	interrupted := false
	for {
		select {
		case s := <-ends:
			interrupted = true
			if s == syscall.SIGTERM {
				_ = command.Process.Signal(s) // it may have ended by itself
			}
		case err := <-ended:
			if interrupted || err == nil {
				return nil
			}
			return fmt.Errorf("sam: %w", err)
		}
	}
}
