package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"

	"touchline/shared/stack"
)

func main() {
	err := synthesize()
	closeCDK()
	if err != nil {
		fmt.Fprintln(os.Stderr, "infra: "+err.Error())
		os.Exit(1)
	}
}

// closeCDK ends the process that the CDK runs in, silently: its library waits
// for it in two places at once, and the second one complains on stderr.
func closeCDK() {
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err == nil {
		stderr := os.Stderr
		os.Stderr = nowhere
		defer func() { os.Stderr = stderr }()
	}
	jsii.Close()
}

// synthesize reads the settings, compiles the functions, and writes the stack
// where the cdk command line expects it.
func synthesize() error {
	app := awscdk.NewApp(nil)
	settings, err := settingsOf(app)
	if err != nil {
		return err
	}
	for _, w := range settings.warnings() {
		_, _ = fmt.Fprintf(os.Stderr, "warning: %s: %s\n", stack.Name(settings.Stage), w)
	}
	if err := compile(settings.processor()); err != nil {
		return err
	}
	newStage(app, settings, compiled)
	app.Synth(nil)
	return nil
}

// code is the folder with the bootstrap of a function for an architecture.
type code func(function, architecture string) string

func compiled(function, architecture string) string {
	return filepath.Join("build", "functions", function, architecture)
}

// compile builds the functions, and prints nothing if that succeeds.
func compile(architecture string) error {
	command := exec.Command(filepath.Join("scripts", "functions"), architecture) //nolint:gosec // the architecture is one of two
	var said bytes.Buffer
	command.Stdout, command.Stderr = &said, &said
	if err := command.Run(); err != nil {
		return fmt.Errorf("compile the functions: %w\n%s", err, said.Bytes())
	}
	return nil
}

// newStage makes the stack of a stage.
func newStage(app awscdk.App, s settings, code code) {
	props := &awscdk.StackProps{
		Description:           jsii.Sprintf("Touchline, stage %s: a signed, read-only API of a sports federation", s.Stage),
		TerminationProtection: &s.TerminationProtection,
	}
	if s.Region != "" {
		props.Env = &awscdk.Environment{Region: &s.Region}
	}
	st := awscdk.NewStack(app, new(stack.Name(s.Stage)), props)
	tags := stack.Tags(s.Stage)
	for _, key := range sorted(tags) {
		awscdk.Tags_Of(st).Add(&key, new(tags[key]), nil)
	}
	made := &stage{Stack: st, settings: s, code: code}
	made.build()
	metadata := map[string]any{"terminationProtection": s.TerminationProtection, "release": made.name}
	if lacks := s.lacks(); len(lacks) > 0 {
		metadata["unattended"] = lacks
	}
	if named := s.named(); len(named) > 0 {
		metadata["named"] = named
	}
	st.TemplateOptions().SetMetadata(&map[string]any{stack.MetadataKey: metadata})
}
