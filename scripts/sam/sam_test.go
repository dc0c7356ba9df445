package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/engine/enginetest"
	"touchline/shared/stack"
	"touchline/shared/store"
)

const master = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

// bench is a machine with a sam and a docker that record their calls, and a
// template.
type bench struct {
	machine
	out, err      bytes.Buffer
	env           map[string]string
	dir, template string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Fatal("the programs of this test are scripts of a POSIX shell")
	}
	b := &bench{dir: t.TempDir(), env: map[string]string{"TOUCHLINE_MASTER_KEY": master}}
	b.env[stack.VariableDynamoDBEndpoint] = enginetest.Start(t)
	b.machine = machine{Getenv: func(name string) string { return b.env[name] }, System: "linux", Out: &b.out, Err: &b.err}
	b.template = filepath.Join(b.dir, "template.json")
	b.synthesise(t, local(t, nil))
	b.program(t, "sam", `printf '%s\n' "$@" >"$DIR/arguments"
while [ $# -gt 0 ]; do [ "$1" = --env-vars ] && { cp "$2" "$DIR/variables"; ls -l "$2" >"$DIR/mode"; }; shift; done
exit ${SAM_EXIT:-0}`)
	b.program(t, "docker", `case "$1" in info) echo "${SYSTEM:-Ubuntu 24.04}" ;; network) echo "127.0.0.1 " ;; *) exit 1 ;; esac`)
	t.Setenv("DIR", b.dir)
	t.Setenv("PATH", b.dir+"/bin:/usr/bin:/bin")
	t.Setenv("TMPDIR", t.TempDir())
	return b
}

func (b *bench) synthesise(t *testing.T, text string) {
	t.Helper()
	if err := os.WriteFile(b.template, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (b *bench) program(t *testing.T, name, script string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(b.dir, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.dir, "bin", name), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
}

// read returns what a program recorded.
func (b *bench) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(b.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// local is a template of two functions that declare all variables except those
// in without.
func local(t *testing.T, without []string) string {
	t.Helper()
	variables := map[string]any{}
	for _, v := range stack.RequestVariables() {
		variables[v.Name] = map[string]string{"Ref": "Somewhere"}
	}
	for _, name := range without {
		delete(variables, name)
	}
	resources := map[string]any{"Table": map[string]any{"Type": "AWS::DynamoDB::Table"}}
	for _, name := range []string{"ping", "teams"} {
		resources["Function"+name] = map[string]any{
			"Type":       "AWS::Lambda::Function",
			"Properties": map[string]any{"FunctionName": "touchline-dev-" + name, "Environment": map[string]any{"Variables": variables}},
			"Metadata":   map[string]any{assetPath: "asset.1", assetProperty: "Code"},
		}
	}
	raw, err := json.Marshal(map[string]any{"Resources": resources})
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// line is the command line for the API, or for one function.
func (b *bench) line(function string) (cli, string) {
	line := cli{Template: b.template}
	if function == "" {
		return line, "api"
	}
	line.Invoke.Function, line.Invoke.Event = function, "event.json"
	return line, "invoke <function>"
}

func (b *bench) succeed(t *testing.T, function string) {
	t.Helper()
	line, command := b.line(function)
	if err := b.run(t.Context(), line, command); err != nil {
		t.Fatal(err)
	}
}

func TestSamIsStartedWithWhatAFunctionNeeds(t *testing.T) {
	for function, want := range map[string][]string{
		"":      {"local", "start-api", "--warm-containers", "LAZY"},
		"teams": {"local", "invoke", "Functionteams", "--event", "event.json"},
	} {
		t.Run(function, func(t *testing.T) {
			b := newBench(t)
			b.succeed(t, function)
			arguments := strings.Split(strings.TrimSpace(b.read(t, "arguments")), "\n")
			file := arguments[len(arguments)-1]
			if diff := cmp.Diff(append(want, "--template", b.template, "--env-vars", file), arguments); diff != "" {
				t.Error(diff)
			}
			if strings.Contains(b.read(t, "arguments")+b.out.String()+b.err.String(), master) {
				t.Error("the master key is shown")
			}
			if mode := b.read(t, "mode"); !strings.HasPrefix(mode, "-rw------- ") {
				t.Errorf("others can read it: %s", mode)
			}
			if _, err := os.Stat(file); !os.IsNotExist(err) {
				t.Errorf("it is left behind: %v", err)
			}
		})
	}
}

func TestTheVariablesAreThoseOfServeOnThisMachine(t *testing.T) {
	b := newBench(t)
	b.env[stack.VariableQuotasTable] = "mine"
	b.succeed(t, "ping")
	var got struct{ Parameters map[string]string }
	if err := json.Unmarshal([]byte(b.read(t, "variables")), &got); err != nil {
		t.Fatal(err)
	}
	endpoint := got.Parameters[stack.VariableDynamoDBEndpoint]
	delete(got.Parameters, stack.VariableDynamoDBEndpoint)
	want := map[string]string{
		stack.VariableSportsTable: "touchline-sports", stack.VariableNoncesTable: "touchline-nonces", stack.VariableQuotasTable: "mine",
		stack.VariableKeysTable: "touchline-keys", stack.VariableKMSKey: "", stack.VariableMasterKey: master,
	}
	if diff := cmp.Diff(want, got.Parameters); diff != "" {
		t.Error(diff)
	}
	if endpoint == b.env[stack.VariableDynamoDBEndpoint] {
		t.Error("a container is sent to its own loopback")
	}
}

// TestOnLinuxAContainerReachesTheEngineByTheBridge calls the engine from where a
// container would, while sam runs. After that, nothing may listen there.
func TestOnLinuxAContainerReachesTheEngineByTheBridge(t *testing.T) {
	b := newBench(t)
	ctx := context.Background()
	engine, err := b.engine(ctx)
	if err != nil {
		t.Fatal(err)
	}
	address, end, err := b.reachable(ctx, engine)
	if err != nil {
		t.Fatal(err)
	}
	ask := func() error {
		client, err := store.NewClient(ctx, store.Settings{Endpoint: address})
		if err != nil {
			t.Fatal(err)
		}
		return store.Ping(ctx, client, address)
	}
	if address == engine.String() {
		t.Fatal("it is the engine's own address")
	}
	for range 3 {
		if err := ask(); err != nil {
			t.Error(err)
		}
	}
	if err := end(); err != nil {
		t.Error(err)
	}
	if ask() == nil {
		t.Error("it listens on after its end")
	}
}

func TestDockerDesktopCarriesToTheLoopback(t *testing.T) {
	tests := []struct{ name, system, desktop, engine, want string }{
		{"on macOS", "darwin", "Docker Desktop", "http://127.0.0.1:8000", "http://host.docker.internal:8000"},
		{"on Windows", "windows", "Docker Desktop", "http://localhost:8000", "http://host.docker.internal:8000"},
		{"on Linux", "linux", "Docker Desktop", "http://[::1]:8000", "http://host.docker.internal:8000"},
		{"an engine elsewhere", "linux", "Ubuntu", "http://dynamo.example:8000", "http://dynamo.example:8000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			t.Setenv("SYSTEM", tt.desktop)
			b.System = tt.system
			engine, err := url.Parse(tt.engine)
			if err != nil {
				t.Fatal(err)
			}
			got, end, err := b.reachable(t.Context(), engine)
			if err != nil || got != tt.want || end() != nil {
				t.Errorf("%s, %v", got, err)
			}
		})
	}
}

func TestTheMasterKeyOfTheMachineIsThatOfItsFile(t *testing.T) {
	b := newBench(t)
	delete(b.env, "TOUCHLINE_MASTER_KEY")
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", os.Getenv("XDG_CONFIG_HOME"))
	first, err := b.masterKey()
	if err != nil {
		t.Fatal(err)
	}
	again, err := b.masterKey()
	if err != nil || first != again || len(first) != len(master) {
		t.Errorf("%d and %d characters, %v", len(first), len(again), err)
	}
}

func TestWhatIsMissingIsSaid(t *testing.T) {
	tests := []struct {
		name   string
		change func(*testing.T, *bench)
		says   string
	}{
		{"sam", func(t *testing.T, b *bench) { remove(t, b, "sam") }, "install AWS's SAM CLI"},
		{"sam, and the engine", func(t *testing.T, b *bench) {
			remove(t, b, "sam")
			b.env[stack.VariableDynamoDBEndpoint] = "http://127.0.0.1:1"
		}, "install AWS's SAM CLI"},
		{"docker", func(t *testing.T, b *bench) { remove(t, b, "docker") }, "install Docker"},
		{"a docker that runs", func(t *testing.T, b *bench) { b.program(t, "docker", "echo 'cannot connect' >&2; exit 1") }, "docker does not answer: start it, and check that you may use it (cannot connect)"},
		{"a bridge of this machine's", func(t *testing.T, b *bench) {
			b.program(t, "docker", `[ "$1" = info ] && echo Ubuntu || echo 192.0.2.1`)
		}, "cannot reach the engine"},
		{"the engine", func(_ *testing.T, b *bench) { b.env[stack.VariableDynamoDBEndpoint] = "http://127.0.0.1:1" }, "connection refused: run `make run` in another terminal, or name another"},
		{"an engine's address", func(_ *testing.T, b *bench) { b.env[stack.VariableDynamoDBEndpoint] = "localhost" }, "no address"},
		{"a good master key", func(_ *testing.T, b *bench) { b.env["TOUCHLINE_MASTER_KEY"] = "short" }, "TOUCHLINE_MASTER_KEY"},
		{"the template", func(t *testing.T, b *bench) { b.template = b.dir + "/none.json" }, "synthesise it first"},
		{"a template's form", func(t *testing.T, b *bench) { b.synthesise(t, "{") }, "is no template"},
		{"functions", func(t *testing.T, b *bench) { b.synthesise(t, "{}") }, "no functions"},
		{"the context local", func(t *testing.T, b *bench) {
			b.synthesise(t, local(t, []string{stack.VariableMasterKey, stack.VariableKMSKey}))
		}, "declares no TOUCHLINE_KMS_KEY, TOUCHLINE_MASTER_KEY: synthesise it with -c local=true"},
		{"an engine for the function", func(t *testing.T, b *bench) {
			b.synthesise(t, local(t, []string{stack.VariableDynamoDBEndpoint}))
		}, "declares no AWS_ENDPOINT_URL_DYNAMODB for Functionping: it would work on AWS"},
		{"metadata", func(t *testing.T, b *bench) {
			b.synthesise(t, strings.ReplaceAll(local(t, nil), assetProperty, "other"))
		}, "aws:cdk:enable-asset-metadata"},
		{"an end without a fault", func(t *testing.T, _ *bench) { t.Setenv("SAM_EXIT", "3") }, "sam: exit status 3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			tt.change(t, b)
			line, command := b.line("ping")
			err := b.run(t.Context(), line, command)
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v does not say %q", err, tt.says)
			}
			if err != nil && (strings.Contains(err.Error(), master) || strings.Contains(err.Error(), "short")) {
				t.Errorf("it shows the master key: %v", err)
			}
			if left, _ := filepath.Glob(os.Getenv("TMPDIR") + "/*.json"); len(left) > 0 {
				t.Errorf("%v left behind", left)
			}
		})
	}
	b := newBench(t)
	line, command := b.line("referees")
	if err := b.run(t.Context(), line, command); err == nil || !strings.Contains(err.Error(), `no function "referees": there are ping, teams`) {
		t.Error(err)
	}
}

func remove(t *testing.T, b *bench, program string) {
	t.Helper()
	if err := os.Remove(filepath.Join(b.dir, "bin", program)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", fmt.Sprint(b.dir, "/bin"))
}
