package serve

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"touchline/scripts/touchline/site"
	"touchline/shared/local"
)

// DefaultDocsAddr is the address of the demo's pages for callers.
const DefaultDocsAddr = "127.0.0.1:8081"

// noDocs is the --docs-addr for no pages.
const noDocs = "off"

// beside is a server for programs of this machine, beside that of the API; nil if
// there isn't one.
type beside struct {
	URL    string
	server *http.Server
}

// serveBeside serves until end.
func serveBeside(l net.Listener, handler http.Handler) *beside {
	b := &beside{URL: "http://" + callable(l.Addr()), server: &http.Server{
		ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: time.Minute, IdleTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			// A web page whose name was made to resolve to this machine (DNS
			// rebinding) sends that name.
			if !local.LoopbackHost(r.Host) {
				http.Error(w, "This server is for programs of its own machine.", http.StatusForbidden)
				return
			}
			handler.ServeHTTP(w, r)
		}),
	}}
	go func() { _ = b.server.Serve(l) }() // ends with end
	return b
}

// docs serves the pages for callers of baseURL, if asked to.
func (s *Command) docs(baseURL string) (*beside, error) {
	addr := s.DocsAddr
	if addr == noDocs || addr == "" && !s.Demo {
		return nil, nil //nolint:nilnil // none was asked for
	}
	l, err := listenHere("--docs-addr", cmp.Or(addr, DefaultDocsAddr))
	if err != nil && addr == "" { // any other will do
		l, err = listenHere("--docs-addr", "127.0.0.1:0")
	}
	if err != nil {
		return nil, err
	}
	files := sync.OnceValues(func() (http.Handler, error) {
		made, err := site.Files(baseURL)
		return site.Handler(made), err
	})
	return serveBeside(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler, err := files()
		if err != nil {
			http.Error(w, "The pages could not be written: "+err.Error(), http.StatusInternalServerError)
			return
		}
		handler.ServeHTTP(w, r)
	})), nil
}

// end closes the server, which has a second for what it is doing.
func (b *beside) end(ctx context.Context) {
	if b == nil {
		return
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := b.server.Shutdown(limited); err != nil {
		_ = b.server.Close() // readers are cut off
	}
}

// url is the server's address; empty if there isn't one.
func (b *beside) url() string {
	if b == nil {
		return ""
	}
	return b.URL
}
