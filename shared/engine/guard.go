package engine

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Guarded is an engine behind a guard: a reverse proxy on the loopback interface
// that refuses what a web page sends. The engine itself serves any origin and
// any host name, so a web page in a browser on this machine could read and write
// it at a well-known address. It therefore listens on a random port, on Linux of
// a random loopback address, which programs get from the guard: a page would have
// to try 2^40.
//
// An engine that ends by itself is started again where it was, with its file,
// unless it ends too often (see patience). One in memory would be empty, and is
// not.
type Guarded struct {
	// Endpoint is the guard's URL, http://host:port.
	Endpoint string
	// Direct is the engine's own, which bypasses the guard.
	Direct string

	server *http.Server
	done   chan struct{}

	mu      sync.Mutex
	engine  *Engine
	stopped bool
	exit    error // why it ended by itself; read after done is closed
}

// patience is how often an engine may end by itself.
const (
	restartsWithin = time.Minute
	restarts       = 5
)

// tooOften reports whether an engine that has ended at these times, and now, ends
// too often.
func tooOften(ended []time.Time, now time.Time) bool {
	recent := 0
	for _, at := range ended {
		if now.Sub(at) < restartsWithin {
			recent++
		}
	}
	return recent >= restarts
}

// whereabouts is the path at which a guard says where its engine listens.
// DynamoDB's own requests all go to "/".
const whereabouts = "/touchline/engine"

// Owner is what runs behind a guard, for commands that work with it.
type Owner struct {
	BaseURL string `json:"baseUrl,omitempty"` // of the service
	Log     string `json:"log,omitempty"`     // absolute path of its log of requests
	Data    string `json:"data,omitempty"`    // absolute path of the folder of its data
	Health  string `json:"health,omitempty"`  // URL at which it says how it is; empty: nowhere
	PID     int    `json:"pid,omitempty"`
}

// located is the response at whereabouts.
type located struct {
	Engine string `json:"engine"` // URL
	Owner
}

const (
	// headLimit bounds how long the guard waits for the headers of a request.
	headLimit = 10 * time.Second
	// largestBody is a size in bytes, above the 16 MB of DynamoDB's largest
	// request.
	largestBody = 32 << 20
	// askLimit bounds a request to a guard, which responds from memory.
	askLimit = 2 * time.Second
)

// StartGuarded starts an engine on a free port and a guard at o.Addr. Its errors
// are those of Start; ErrAddressInUse is about o.Addr.
func StartGuarded(ctx context.Context, o Options) (*Guarded, error) {
	if o.Addr == "" {
		o.Addr = loopback + ":0"
	}
	host, port, err := splitLoopback(o.Addr)
	if err != nil {
		return nil, err
	}
	listener, err := listen(ctx, host, port)
	if err != nil {
		return nil, err
	}
	o.Addr = net.JoinHostPort(hidden(host), "0")
	e, err := Start(ctx, o)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	g := &Guarded{Endpoint: "http://" + listener.Addr().String(), Direct: e.Endpoint, engine: e, done: make(chan struct{})}
	to, err := url.Parse(e.Endpoint)
	if err != nil {
		return nil, errors.Join(err, listener.Close(), e.Stop())
	}
	transport := &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}
	g.server = &http.Server{
		Handler:           newGuard(located{e.Endpoint, o.Owner}, Forward(to, nil, transport)),
		ReadHeaderTimeout: headLimit,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
	go func() {
		_ = g.server.Serve(listener) // ends with Stop
		transport.CloseIdleConnections()
	}()
	o.Addr = strings.TrimPrefix(e.Endpoint, "http://")
	go g.keep(context.WithoutCancel(ctx), o, e)
	return g, nil
}

// hidden is where an engine behind a guard listens: on Linux, where all of
// 127.0.0.0/8 is this machine's, on a random address of it.
func hidden(host string) string {
	if runtime.GOOS != "linux" {
		return host
	}
	var b [3]byte
	_, _ = rand.Read(b[:])                                     // it never fails
	return fmt.Sprintf("127.%d.%d.%d", b[0], b[1], 1+b[2]%254) // neither the network's nor the broadcast address
}

// keep starts the engine again whenever it ends by itself, until Stop.
func (g *Guarded) keep(ctx context.Context, o Options, e *Engine) {
	defer close(g.done)
	for ended := []time.Time(nil); ; ended = append(ended, time.Now()) {
		<-e.Done()
		g.mu.Lock()
		if g.stopped {
			g.mu.Unlock()
			return
		}
		g.exit = e.exit
		if o.DBPath == "" || tooOften(ended, time.Now()) {
			g.mu.Unlock()
			return
		}
		next, err := Start(ctx, o)
		if err != nil {
			g.exit = fmt.Errorf("%w, and does not start again: %w", e.exit, err)
			g.mu.Unlock()
			return
		}
		why := g.exit
		e, g.engine, g.exit = next, next, nil
		g.mu.Unlock()
		if o.Restarted != nil {
			o.Restarted(why)
		}
	}
}

// Done is closed when the engine has ended, whether by Stop or by itself, and is
// not started again.
func (g *Guarded) Done() <-chan struct{} { return g.done }

// Stop ends the guard, then the engine, as Engine.Stop does.
func (g *Guarded) Stop() error {
	_ = g.server.Close() // a listener that cannot be closed ends with the process
	g.mu.Lock()
	g.stopped = true
	_ = g.engine.Stop() // how it ended is in exit
	g.mu.Unlock()
	<-g.done
	return g.exit
}

// newGuard is the handler of a guard for an engine, which next leads to.
func newGuard(at located, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if reason := fromWebPage(r); reason != "" {
			http.Error(w, "Refused: "+reason+". This is the local database of touchline serve; web pages have no access to it.", http.StatusForbidden)
			return
		}
		if r.URL.Path == whereabouts {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(at) // the caller may have gone
			return
		}
		next.ServeHTTP(w, r)
	})
}

// fromWebPage says how it shows that a web page sent a request; empty if nothing
// shows it. A page cannot leave these headers out, and a page whose name was
// made to resolve to this machine (DNS rebinding) sends that name as Host.
func fromWebPage(r *http.Request) string {
	for _, name := range []string{"Origin", "Sec-Fetch-Site"} {
		if _, sent := r.Header[name]; sent {
			return "it has the header " + name
		}
	}
	if !LoopbackHost(r.Host) {
		return "its Host is not this machine's loopback address"
	}
	return ""
}

// LoopbackHost reports whether the value of a Host header names the loopback
// interface: localhost, or an address of 127.0.0.0/8 or ::1, with a port or
// without.
func LoopbackHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	} else {
		name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && addr.Zone() == "" && addr.Unmap().IsLoopback()
}

// Forward is a reverse proxy to an engine. It keeps the Host of the request and
// removes headers of cross-origin access from the response. rewrite, if not nil,
// may change the request.
func Forward(to *url.URL, rewrite func(in, out *http.Request), transport http.RoundTripper) http.Handler {
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			if rewrite != nil {
				rewrite(r.In, r.Out)
			}
		},
		ModifyResponse: func(r *http.Response) error {
			for name := range r.Header {
				if strings.HasPrefix(name, "Access-Control-") {
					delete(r.Header, name)
				}
			}
			return nil
		},
		Transport: transport,
		ErrorLog:  log.New(io.Discard, "", 0),
		// The client has gone, or the engine has: in either case all that is
		// left to do is to close the connection.
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	// The engine may respond while the transport is still reading the end of the
	// body. net/http then closes the body that it gave us, which the transport
	// takes for a failure, and it breaks off the response. So the transport gets
	// a copy.
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largestBody))
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
		proxy.ServeHTTP(w, r)
	})
}

// Direct returns the address of the engine behind the guard at endpoint, so that
// a load can take the shorter way. If there is no guard, as with any other
// DynamoDB, it returns endpoint.
func Direct(ctx context.Context, endpoint string) string {
	at, ok := ask(ctx, endpoint)
	if u, err := url.Parse(at.Engine); !ok || err != nil || u.Scheme != "http" || !LoopbackHost(u.Host) {
		return endpoint
	}
	return at.Engine
}

// OwnerOf returns the owner of the engine behind the guard at endpoint; false if
// there is no guard.
func OwnerOf(ctx context.Context, endpoint string) (Owner, bool) {
	at, ok := ask(ctx, endpoint)
	return at.Owner, ok
}

// ask requests whereabouts from a loopback address.
func ask(ctx context.Context, endpoint string) (at located, ok bool) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "http" || !LoopbackHost(u.Host) {
		return located{}, false
	}
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.JoinPath(whereabouts).String(), nil)
	if err != nil {
		return located{}, false
	}
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Do(req)
	if err != nil {
		return located{}, false
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK || json.NewDecoder(io.LimitReader(resp.Body, 4096)).Decode(&at) != nil {
		return located{}, false
	}
	return at, at.Engine != ""
}

// listen opens a port of the loopback interface.
func listen(ctx context.Context, host string, port int) (net.Listener, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", net.JoinHostPort(host, fmt.Sprint(port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, inUse(host, port)
	}
	if err != nil {
		return nil, fmt.Errorf("start the engine: %w", err)
	}
	return l, nil
}
