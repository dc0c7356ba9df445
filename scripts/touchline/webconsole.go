package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/serve"
	"touchline/scripts/touchline/terminal"
	"touchline/scripts/webconsole"
	"touchline/shared/loader"
	"touchline/shared/local"
	"touchline/shared/store/file"
)

// webConsoleCommand is `touchline console`: it serves the console of package
// webconsole.
type webConsoleCommand struct {
	database.Flags
	Addr     string `default:"127.0.0.1:0" placeholder:"HOST:PORT" help:"Loopback address to serve on (default: ${default}, a free port)."`
	ReadOnly bool   `name:"read-only" help:"Change nothing."`
	JSON     bool   `name:"json" help:"Print each address that logs in as one line of JSON."`
}

func (webConsoleCommand) Help() string {
	return `Serves a web application for your browser on this machine: the data, the keys, and loads. Open the address that it prints. It works once; the next one is printed as soon as it was used. Ctrl-C ends it.

With --stack it works on a deployment, with your AWS credentials.

Examples:

    touchline console
    touchline console --read-only
    touchline console --stack prod
`
}

func (k *webConsoleCommand) Run(ctx context.Context, c *terminal.Terminal) error {
	if !local.LoopbackHost(k.Addr) {
		return terminal.Usagef("--addr %q: the console is served on a loopback address only, such as 127.0.0.1:8090", k.Addr)
	}
	d, err := k.OpenShared(ctx, c)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.CheckLayout(ctx); err != nil {
		return err
	}
	listener, err := serve.Listen("--addr", k.Addr)
	if err != nil {
		return err
	}
	place := "this machine"
	if d.File == nil {
		place = d.Where
	}
	lost := make(chan error, 1) // why the data are
	announce := func(lead, address string) {
		if k.JSON {
			_ = c.JSON(map[string]string{"url": address}) // a closed pipe is the reader's wish
			return
		}
		c.Printf("%s %s\n", lead, address)
	}
	w := webconsole.New(webconsole.Options{
		Addr: listener.Addr().String(), Place: place,
		Sports: d.Sports(), Keys: d.Keys(),
		Usage: d.Usage,
		Loader: func() *loader.Loader {
			l := d.Loader(c.Steps(), serve.LoadPatience)
			l.Progress = nil // nobody watches
			return l
		},
		Now: c.Now, ReadOnly: k.ReadOnly,
		Announce: func(address string) { announce("Logged in. In another browser open", address) },
		Report: func(err error) {
			if !errors.Is(err, file.ErrClosed) {
				c.Sayf("touchline console: %v", d.Explain(err))
				return
			}
			select {
			case lost <- d.Explain(err):
			default: // it was said
			}
		},
	})
	defer w.Close()
	announce("Open", w.Address())
	return serveConsole(ctx, w, listener, lost)
}

// consoleLimit bounds the wait for pages that are being made when the console
// ends.
const consoleLimit = 5 * time.Second

// serveConsole serves until ctx ends, or the data are lost.
func serveConsole(ctx context.Context, w *webconsole.Server, listener net.Listener, lost <-chan error) (err error) {
	server := w.HTTP(ctx)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return fmt.Errorf("serve on %s: %w", listener.Addr(), err)
	case err = <-lost:
	case <-ctx.Done():
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), consoleLimit)
	defer cancel()
	if failed := server.Shutdown(limited); failed != nil {
		return errors.Join(err, failed, server.Close())
	}
	return err
}
