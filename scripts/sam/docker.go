package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"time"

	"touchline/shared/engine"
)

// docker runs the docker command of this machine.
func docker(ctx context.Context, arguments ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "docker", arguments...).Output() //nolint:gosec // the arguments are ours
	switch exit, failed := errors.AsType[*exec.ExitError](err); {
	case errors.Is(err, exec.ErrNotFound):
		return "", errors.New("docker is missing: sam runs functions in containers; install Docker and start it. `touchline serve` needs neither it nor sam")
	case failed:
		return "", fmt.Errorf("docker does not answer: start it, and check that you may use it (%s)", strings.TrimSpace(string(exit.Stderr)))
	}
	return strings.TrimSpace(string(out)), err
}

// forward serves the engine at to on another address, until end is called.
func forward(from string, to *url.URL) (address string, end func() error, err error) {
	l, err := net.Listen("tcp", from)
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: engine.Forward(to, nil, http.DefaultTransport), ReadHeaderTimeout: headLimit}
	go func() { _ = server.Serve(l) }() // until end
	return l.Addr().String(), server.Close, nil
}

// headLimit bounds how long the headers of a request may take.
const headLimit = 10 * time.Second
