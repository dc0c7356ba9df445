package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"touchline/shared/engine"
	"touchline/shared/keys"
	"touchline/shared/stack"
	"touchline/shared/store"
)

// usualEngine is where `touchline serve` has its engine.
const usualEngine = "http://" + stack.LocalEngine

// engine is the address of the DynamoDB on this machine, after checking that it
// responds.
func (m machine) engine(ctx context.Context) (*url.URL, error) {
	address := cmp.Or(m.Getenv(stack.VariableDynamoDBEndpoint), usualEngine)
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%s is no address of a DynamoDB: want one such as %s", stack.VariableDynamoDBEndpoint, usualEngine)
	}
	client, err := store.NewClient(ctx, store.Settings{Endpoint: address, Getenv: m.Getenv})
	if err != nil {
		return nil, err
	}
	if err := store.Ping(ctx, client, address); err != nil {
		return nil, fmt.Errorf("%w: run `make run` in another terminal, or name another DynamoDB with %s", err, stack.VariableDynamoDBEndpoint)
	}
	// Containers use another host name for the engine, which the guard in front
	// of the engine of serve refuses.
	return url.Parse(engine.Direct(ctx, address))
}

// reachable is the engine's address for containers. end stops what was started
// for that.
func (m machine) reachable(ctx context.Context, at *url.URL) (address string, end func() error, err error) {
	nothing := func() error { return nil }
	system, err := docker(ctx, "info", "--format", "{{.OperatingSystem}}")
	if err != nil {
		return "", nil, err
	}
	if !loopback(at.Hostname()) {
		return at.String(), nothing, nil
	}
	inside := *at
	if m.System != "linux" || strings.Contains(system, "Docker Desktop") {
		inside.Host = net.JoinHostPort("host.docker.internal", cmp.Or(at.Port(), "80"))
		return inside.String(), nothing, nil
	}
	gateway, err := docker(ctx, "network", "inspect", "bridge", "--format", "{{range .IPAM.Config}}{{.Gateway}} {{end}}")
	if err != nil {
		return "", nil, err
	}
	first, _, _ := strings.Cut(strings.TrimSpace(gateway), " ")
	inside.Host, end, err = forward(net.JoinHostPort(first, "0"), at)
	if err != nil {
		return "", nil, fmt.Errorf("containers cannot reach the engine at %s by Docker's bridge (%q): name one that they reach with %s: %w", at.Host, first, stack.VariableDynamoDBEndpoint, err)
	}
	return inside.String(), end, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// variables are the environment variables of a function that differ between this
// machine and AWS.
func (m machine) variables(engine string) (map[string]string, error) {
	master, err := m.masterKey()
	if err != nil {
		return nil, err
	}
	tables := stack.LocalTables(m.Getenv)
	return map[string]string{
		stack.VariableSportsTable:      tables.Sports,
		stack.VariableNoncesTable:      tables.Nonces,
		stack.VariableQuotasTable:      tables.Quotas,
		stack.VariableKeysTable:        tables.Keys,
		stack.VariableKMSKey:           "", // as if it were not set
		stack.VariableMasterKey:        master,
		stack.VariableDynamoDBEndpoint: engine,
	}, nil
}

// masterKey is the master key of this machine as text; serve has made it.
func (m machine) masterKey() (string, error) {
	if text := m.Getenv(stack.VariableMasterKey); text != "" {
		_, err := keys.ParseMasterKey(text)
		if err != nil {
			err = fmt.Errorf("%s: %w", stack.VariableMasterKey, err)
		}
		return text, err
	}
	path, err := keys.MasterKeyPath()
	if err != nil {
		return "", err
	}
	none := func(string) (string, bool) { return "", false }
	if _, err := keys.LoadMasterKey(none, path); err != nil { // with its checks
		return "", err
	}
	text, err := os.ReadFile(filepath.Clean(path))
	return strings.TrimSpace(string(text)), err
}

// writeVariables writes the file for sam's --env-vars, readable by this user
// only. The variables are for every function.
func writeVariables(variables map[string]string) (file string, err error) {
	raw, err := json.Marshal(map[string]map[string]string{"Parameters": variables})
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp("", "touchline-sam-*.json") // mode 0600
	if err != nil {
		return "", err
	}
	_, err = f.Write(raw)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}
