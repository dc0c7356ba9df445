// Package serve is `touchline serve`: the whole API on one machine.
//
// It opens the file of the data, which it shares with other commands of the user, unless
// a DynamoDB is named. It loads what it was asked to, and serves until it is told to
// stop, or the file cannot be written any more. Then it finishes the requests in
// progress. The package also has what serve needs besides the service: the first key and
// the demo, the pages for callers, and the deletion of expired items, which AWS's
// DynamoDB does by itself.
//
// On a loopback address serve is for programs on this machine: a request with
// another name as its Host is refused, since a browser can be led here under any
// name. The secret of a key for somebody's own data is shown once; only that of
// the demo, which protects nothing, is shown at each start. No key is made in a
// database that somebody else has started.
package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"touchline/scripts/touchline/apikeys"
	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/doctor"
	"touchline/scripts/touchline/logs"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/keys"
	"touchline/shared/loader/history"
	"touchline/shared/local"
	"touchline/shared/service"
)

// Command is `touchline serve`.
type Command struct {
	Version string `kong:"-"` // of the program

	refusesPages bool // where the address is a loopback one

	Addr         string   `default:"${addr}" placeholder:"HOST:PORT" help:"Where to serve (default: ${default})."`
	AllowHost    []string `name:"allow-host" sep:"none" placeholder:"NAME" help:"Serve requests for this host name, too: that of a proxy in front. On a loopback address only requests for localhost and loopback addresses are served."`
	Endpoint     string   `name:"dynamodb-endpoint" placeholder:"URL" help:"DynamoDB to use in place of the file in --data-dir, where the log stays (default: AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL)."`
	TrustedProxy []string `name:"trusted-proxy" sep:"none" placeholder:"CIDR" help:"Address or prefix of a proxy in front, whose X-Forwarded-For is believed: the last address there that is no such proxy's is the caller's; repeat it for more."`
	FailureLimit int      `name:"failure-limit" default:"${failure_limit}" placeholder:"N" help:"Failed authentications a minute of one address, after which it has to wait, 1 to 100000 (default: ${default})."`
	RateLimit    int      `name:"rate-limit" default:"${rate_limit}" placeholder:"N" help:"Requests a minute of one key, 1 to 100000 (default: ${default}, as on AWS). More is for developing: a program that is tested need not wait."`
	Demo         bool     `xor:"data" help:"Load a made-up federation if there is no data yet, with its season around today, and print a key for it."`
	Data         string   `xor:"data" placeholder:"DIR" help:"Import this dataset first, and print a key for its federation."`
	Photo        string   `env:"TOUCHLINE_DEFAULT_PHOTO" default:"https://example.org/player.png" placeholder:"URL" help:"Picture of players who have none (default: ${default})."`
	KeepLoads    int      `name:"keep-loads" placeholder:"DAYS" help:"How many days loads are kept from now on, to list and to undo them, 1 to 3650 (default: as before, at first 14)."`
	Quiet        bool     `help:"Show no line for each request on the terminal; the log has them."`
	JSON         bool     `name:"json" help:"Print address and key as JSON, once ready."`
	DocsAddr     string   `name:"docs-addr" placeholder:"HOST:PORT" help:"Where to serve the pages for callers (touchline docs), to this machine only; off: nowhere (default: nowhere, with --demo ${docs_addr})."`
	Health       string   `placeholder:"HOST:PORT" help:"Where to serve /health, to this machine only (default: nowhere)."`
	logs.FileFlags
}

// Help is shown below the flags.
func (Command) Help() string {
	return `The data are in a file in --data-dir, unless a DynamoDB is named. Other commands of the same user work with them meanwhile. SIGTERM or Ctrl-C ends it when the requests under way are answered.

Each request is a line of JSON in --log (--log - is the terminal), of which 'touchline why' explains one. SIGHUP opens that file again, after logrotate moved it. --health is for monitoring.

Examples:

    touchline serve --demo
    touchline serve --data austria --addr 127.0.0.1:9090
`
}

// shutdownLimit bounds the wait for requests in progress. It is longer than
// pipeline.DefaultTimeout. So only callers who are slow to send a request or to read a
// response are cut off. Silent connections are closed at once.
const shutdownLimit = 10 * time.Second

// Run serves until ctx ends.
func (s *Command) Run(ctx context.Context, c *terminal.Terminal) (err error) {
	trusted, err := s.trusted()
	if err != nil {
		return err
	}
	if !service.IsURL(s.Photo) {
		return terminal.Usagef("--photo %q: want an http or https URL", s.Photo)
	}
	// This comes first, so that a second start is refused before it changes
	// anything.
	listener, err := Listen("--addr", s.Addr)
	if err != nil {
		return err
	}
	defer listener.Close()
	var watching net.Listener // nil: nowhere
	if s.Health != "" {
		if watching, err = listenHere("--health", s.Health); err != nil {
			return err
		}
		defer watching.Close()
	}
	box := &doctor.Box{Now: c.Now}
	d, err := s.database(ctx, c)
	if err != nil {
		return err
	}
	defer d.Close()
	ours := d.File != nil
	patient := *c
	patient.Busy = extending(c)
	if err := s.upgrade(ctx, &patient, d, ours); err != nil {
		return err
	}
	seal, err := apikeys.SealerOf(ctx, c, d.Keys())
	if err != nil {
		return d.Explain(err)
	}
	w, err := s.prepare(ctx, &patient, d, seal, ours)
	if err != nil {
		return err
	}
	log, err := s.FileFlags.Open(c, s.Quiet)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	defer reopenOnHangup(c, log)()
	box.Sports, box.Nonces, box.Keys, box.LogFault, box.InPlace = d.Sports(), d.Nonces(), d.Keys(), log.Fault, d.InPlace
	box.Interrupted = d.Loader(c.Steps(), 0).Interrupted
	log.Also = counting(box, log.Also)
	cached := CacheOf(c, d)
	if ours {
		box.Data = s.Folder()
		sweep(ctx, c, d)
		ticker, look := time.NewTicker(sweepEvery), time.NewTicker(freshEvery)
		defer ticker.Stop()
		defer look.Stop()
		own, end := context.WithCancel(ctx)
		defer end()
		go SweepAt(own, c, d, ticker.C)
		go FreshAt(own, d.Sports(), cached, look.C)
	}
	s.refusesPages = local.LoopbackHost(listener.Addr().String())
	server := &local.Server{
		Handler:    s.Handler(c, d, seal, log, cached),
		ServesHost: s.hosts(listener.Addr()), Refused: refused(c, log), Trusts: trusted,
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	docs, err := s.docs("http://" + callable(listener.Addr()))
	if err != nil {
		return err
	}
	defer docs.end(ctx)
	var health *beside // nil: nowhere
	if watching != nil {
		health = serveBeside(watching, box.Handler())
		defer health.end(ctx)
	}
	if err := s.ready(c, d, w, listener.Addr(), docs.url(), health.url()); err != nil {
		return err
	}
	notify(c, "READY=1")
	debug.FreeOSMemory() // what the first load took: an idle service needs a fifth of it
	select {
	case err := <-served:
		return fmt.Errorf("serve on %s: %w", s.Addr, err)
	case err := <-d.Broken():
		return fmt.Errorf("nothing can be written to the data any more: %w", d.Explain(err))
	case <-ctx.Done():
	}
	notify(c, "STOPPING=1")
	c.Sayf("stopping (%v): requests under way are answered", context.Cause(ctx))
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownLimit)
	defer cancel()
	if err := server.Shutdown(limited); err != nil && limited.Err() == nil {
		return fmt.Errorf("stop serving: %w", err)
	}
	return nil
}

// trusted are the proxies in front.
func (s *Command) trusted() ([]netip.Prefix, error) {
	var all []netip.Prefix
	for _, text := range s.TrustedProxy {
		prefix, err := netip.ParsePrefix(text)
		if address, wrong := netip.ParseAddr(text); wrong == nil {
			prefix, err = address.Prefix(address.BitLen())
		}
		if err != nil {
			return nil, terminal.Usagef("--trusted-proxy %q: want an address such as 127.0.0.1, or a prefix such as 10.0.0.0/8", text)
		}
		all = append(all, prefix.Masked())
	}
	if s.KeepLoads < 0 || s.KeepLoads > history.MostDays {
		return nil, terminal.Usagef("--keep-loads must be from 1 to %d", history.MostDays)
	}
	if s.FailureLimit < 1 || s.FailureLimit > maxLimit {
		return nil, terminal.Usagef("--failure-limit must be from 1 to %d", maxLimit)
	}
	if s.RateLimit < 1 || s.RateLimit > maxLimit {
		return nil, terminal.Usagef("--rate-limit must be from 1 to %d", maxLimit)
	}
	return all, nil
}

// maxLimit is that of a function's setting for failures, too.
const maxLimit = 100_000

// notify tells systemd about a change of state (sd_notify(3)), if it wants to
// know: a service of Type=notify is up when serve is ready.
func notify(c *terminal.Terminal, state string) {
	path := c.Getenv("NOTIFY_SOCKET")
	if path == "" {
		return
	}
	conn, err := net.Dial("unixgram", path) // net knows the names that begin with @
	if err == nil {
		_, err = conn.Write([]byte(state))
		err = errors.Join(err, conn.Close())
	}
	if err != nil {
		c.Sayf("note: systemd cannot be told %s: %v", state, err)
	}
}

// extendEvery is how often a start that takes long asks systemd for more time.
const extendEvery = 10 * time.Second

// extending asks systemd for two minutes from now on, whenever progress is made.
func extending(c *terminal.Terminal) func() {
	var last time.Time
	return func() {
		if now := c.Now(); now.Sub(last) >= extendEvery {
			last = now
			notify(c, "EXTEND_TIMEOUT_USEC=120000000")
		}
	}
}

// reopenOnHangup opens the log of requests again at every SIGHUP, as programs
// expect that move a log away, until end is called.
func reopenOnHangup(c *terminal.Terminal, log logs.RequestLog) (end func()) {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	go func() {
		for range hangup {
			if err := log.Reopen(); err != nil {
				c.Sayf("the log of requests cannot be opened again: %v", err)
			}
		}
	}()
	return func() {
		signal.Stop(hangup)
		close(hangup)
	}
}

// listenHere is Listen for an address of this machine alone.
func listenHere(flag, addr string) (net.Listener, error) {
	if !local.LoopbackHost(addr) {
		return nil, terminal.Usagef("%s %q: want an address of this machine alone, such as %s", flag, addr, DefaultDocsAddr)
	}
	return Listen(flag, addr)
}

// Listen opens an address to serve on, which a flag gave.
func Listen(flag, addr string) (net.Listener, error) {
	network := "tcp"
	if host, _, err := net.SplitHostPort(addr); err == nil && net.ParseIP(host).To4() != nil {
		network = "tcp4" // otherwise 0.0.0.0 would include every IPv6 address
	}
	l, err := net.Listen(network, addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is in use: another touchline serve may be running; stop it, or choose another address with %s", addr, flag)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("%s may not be used: choose a port above 1023 with %s", addr, flag)
	case err != nil:
		return nil, terminal.Usagef("%s %q: %v", flag, addr, err)
	}
	return l, nil
}

// callable is the address at which programs on this machine call a listener.
func callable(listening net.Addr) string {
	host, port, err := net.SplitHostPort(listening.String())
	if err != nil {
		return listening.String()
	}
	switch ip := net.ParseIP(host); {
	case ip.Equal(net.IPv4zero):
		host = "127.0.0.1"
	case ip.IsUnspecified():
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}

// hosts decides which Host headers are served. On the loopback interface serve
// is for programs on this machine, and a browser there can be led to it under
// any name. On other addresses callers have their own names for this machine.
func (s *Command) hosts(listening net.Addr) func(string) bool {
	if !local.LoopbackHost(listening.String()) {
		return nil
	}
	return func(host string) bool {
		if local.LoopbackHost(host) {
			return true
		}
		name, _, err := net.SplitHostPort(host)
		if err != nil {
			name = host
		}
		return slices.ContainsFunc(s.AllowHost, func(allowed string) bool { return strings.EqualFold(allowed, name) })
	}
}

// database opens the file, or connects to the DynamoDB named and creates the tables that
// are missing there.
func (s *Command) database(ctx context.Context, c *terminal.Terminal) (*database.Database, error) {
	flags := database.Flags{Endpoint: s.Endpoint}
	if flags.OnFile(c.Getenv) {
		return s.Own(ctx)
	}
	return flags.OpenOrMake(ctx, c)
}

// prepare loads what was asked for and finds or makes the key to show. In a
// database that somebody else has started it makes none: they decide who may
// read it.
func (s *Command) prepare(ctx context.Context, c *terminal.Terminal, d *database.Database, seal keys.Sealer, ours bool) (*welcome, error) {
	registry := &keys.Registry{Store: d.Keys(), Sealer: seal, Now: c.Now, By: apikeys.Author(d)}
	w, err := &welcome{}, error(nil)
	switch {
	case s.Demo:
		w, err = demonstration(ctx, c, d)
	case s.Data != "":
		w, err = imported(ctx, c, d, s.Data)
	}
	if err == nil && s.KeepLoads > 0 {
		p := c.Steps()
		err = d.Loader(p, LoadPatience).Keep(ctx, s.KeepLoads)
		p.End()
	}
	if err == nil && ours && w.organization != "" {
		err = w.key(ctx, registry)
	}
	return w, err
}
