package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"touchline/scripts/webconsole"
	"touchline/shared/engine"
)

// webConsoleCommand is `touchline console`: the console of package webconsole,
// not the terminal of type console.
type webConsoleCommand struct {
	databaseFlags
	Addr string `default:"127.0.0.1:0" placeholder:"HOST:PORT" help:"Loopback address to serve on (default: ${default}, a free port)."`
	JSON bool   `name:"json" help:"Print each address that logs in as one line of JSON."`
}

// Help is shown below the flags.
func (webConsoleCommand) Help() string {
	return `Serves a web application for your browser on this machine: the data, the requests and why they were refused, keys, loads, and an explorer of the API. Open the address that it prints. It works once; the next one is printed as soon as it was used. Ctrl-C ends it.

With --stack it works on a deployment, with your AWS credentials.

Examples:

    touchline console
    touchline console --stack prod
`
}

// Run serves until ctx ends.
func (k *webConsoleCommand) Run(ctx context.Context, c *console) error {
	if !engine.LoopbackHost(k.Addr) {
		return usagef("--addr %q: the console is served on a loopback address only, such as 127.0.0.1:8090", k.Addr)
	}
	keysFlags := keysCommand{databaseFlags: k.databaseFlags}
	d, registry, err := keysFlags.openSealing(ctx, c)
	if err != nil {
		return err
	}
	if err := d.ensure(ctx); err != nil {
		return err
	}
	listener, err := listen(k.Addr)
	if err != nil {
		return err
	}
	place := "this machine"
	if d.deployed != nil || !d.own {
		place = d.where
	}
	announce := func(lead, address string) {
		if k.JSON {
			_ = c.json(map[string]string{"url": address}) // a closed pipe is the reader's wish
			return
		}
		c.printf("%s %s\n", lead, address)
	}
	w := webconsole.New(webconsole.Options{
		Addr: listener.Addr().String(), Place: place,
		Sports: d.sports(), Registry: registry,
		Now: c.Now, Announce: func(address string) { announce("Logged in. In another browser open", address) },
		Report: func(err error) { c.sayf("touchline console: %v", d.explain(err)) },
	})
	announce("Open", w.Address())
	return serveConsole(ctx, w, listener)
}

// consoleLimit bounds the wait for pages that are being made when the console
// ends.
const consoleLimit = 5 * time.Second

func serveConsole(ctx context.Context, w *webconsole.Server, listener net.Listener) error {
	server := w.HTTP(ctx)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return fmt.Errorf("serve on %s: %w", listener.Addr(), err)
	case <-ctx.Done():
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), consoleLimit)
	defer cancel()
	if err := server.Shutdown(limited); err != nil {
		return errors.Join(err, server.Close())
	}
	return nil
}
