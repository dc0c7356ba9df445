package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strings"
	"sync"
	"time"
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

// forwarder forwards connections from one address to another.
type forwarder struct {
	listener net.Listener
	target   string
	open     sync.WaitGroup
	mu       sync.Mutex
	ended    bool
	both     map[net.Conn]bool // connections on both sides
}

// forward listens on from, a host and port, until it is closed.
func forward(from, to string) (*forwarder, error) {
	l, err := net.Listen("tcp", from)
	if err != nil {
		return nil, err
	}
	f := &forwarder{listener: l, target: to, both: map[net.Conn]bool{}}
	f.open.Add(1)
	go f.accept()
	return f, nil
}

func (f *forwarder) accept() {
	defer f.open.Done()
	for {
		in, err := f.listener.Accept()
		if err != nil {
			return // closed
		}
		if f.keep(in) {
			f.open.Add(1)
			go f.serve(in)
		}
	}
}

// keep registers a connection, or closes it if the forwarder has been closed.
func (f *forwarder) keep(c net.Conn) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		_ = c.Close()
		return false
	}
	f.both[c] = true
	return true
}

// dialLimit is generous for a listener on the same machine.
const dialLimit = 2 * time.Second

func (f *forwarder) serve(in net.Conn) {
	defer f.open.Done()
	defer f.drop(in)
	out, err := net.DialTimeout("tcp", f.target, dialLimit)
	if err != nil || !f.keep(out) {
		return
	}
	defer f.drop(out)
	// When one side ends, both end: HTTP does not use half-open connections.
	ended := make(chan struct{}, 2)
	for _, pair := range [][2]net.Conn{{in, out}, {out, in}} {
		f.open.Go(func() {
			_, _ = io.Copy(pair[0], pair[1]) // the caller notices what is missing
			ended <- struct{}{}
		})
	}
	<-ended
}

func (f *forwarder) drop(c net.Conn) {
	_ = c.Close()
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.both, c)
}

// close ends the listener and every connection, and waits for them.
func (f *forwarder) close() error {
	err := f.listener.Close()
	f.mu.Lock()
	f.ended = true
	for c := range f.both {
		_ = c.Close()
	}
	f.mu.Unlock()
	f.open.Wait()
	return err
}
