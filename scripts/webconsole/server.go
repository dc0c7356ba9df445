package webconsole

import (
	"context"
	"crypto/rand"
	"embed"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"touchline/scripts/webconsole/data"
	"touchline/shared/keys"
	"touchline/shared/loader"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/file/owner"
)

// Options are what a console shows and works on. All are required unless they
// say otherwise.
type Options struct {
	Addr  string // host and port that the console listens on, as in its address
	Place string // what it looks at, such as "stack touchline-prod"

	Sports *store.Table
	Keys   keys.Store
	// Usage returns the requests of each organization in the UTC month of a
	// time.
	Usage func(ctx context.Context, month time.Time) (map[sport.ID]int, error)
	Now   func() time.Time
	// Loader makes a loader for the table, for one load.
	Loader func() *loader.Loader

	// ReadOnly refuses whatever changes something.
	ReadOnly bool
	// Announce shows the operator the next address for logging in.
	Announce func(address string)
	// Report shows the operator a fault whose cause should not be on a page.
	Report func(error)
}

// Server is a console. It is an http.Handler and safe for concurrent use.
type Server struct {
	options Options
	root    string            // of the path of everything
	links   *strings.Replacer // puts it before where a page leads to; data has no quotes
	door    doorman
	handler http.Handler
	loading sync.Mutex // held while a load writes
	source  *data.Source
	dir     string // for what is uploaded
	release func() error
}

//go:embed assets
var assets embed.FS

// New makes a console. Address makes the first address.
func New(o Options) *Server {
	s := &Server{options: o, root: "/" + rand.Text(), door: doorman{now: o.Now}}
	var err error
	if s.dir, s.release, err = owner.Claim("touchline-console-"); err != nil {
		o.Report(fmt.Errorf("keep uploads in a folder of this console: %w", err)) // they go to the system's
	}
	pages := http.NewServeMux()
	s.links = strings.NewReplacer(` href="/`, ` href="`+s.root+`/`, ` src="/`, ` src="`+s.root+`/`, ` action="/`, ` action="`+s.root+`/`)
	s.routes(pages)
	all := http.NewServeMux()
	files, err := fs.Sub(assets, "assets")
	if err != nil {
		panic(err) // of a name that is malformed
	}
	all.Handle("GET /assets/", http.StripPrefix("/assets/", http.FileServerFS(files)))
	all.HandleFunc("GET "+loginPath, s.login)
	all.Handle("/", s.loggedIn(pages))
	s.handler = http.StripPrefix(s.root, s.guard(all))
	return s
}

// Address makes an address that logs in once. It replaces the one before.
func (s *Server) Address() string {
	return "http://" + s.options.Addr + s.root + loginPath + "?token=" + s.door.newToken()
}

// Close ends every session and removes what was uploaded.
func (s *Server) Close() {
	s.door.close()
	if s.release != nil {
		_ = s.release() // the next console tries again
	}
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// routes are the pages.
func (s *Server) routes(m *http.ServeMux) {
	m.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { s.redirect(w, r, "/data") })
	s.dataRoutes(m)
	m.HandleFunc("GET /keys", s.keyList)
	m.HandleFunc("GET /keys/{id}", s.key)
	s.loadRoutes(m)
	m.HandleFunc("GET /fixtures/{id}", s.fixtures)
	m.HandleFunc("POST /fixtures/{id}", s.enterResults)
	m.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, http.StatusNotFound, "There is no such page", "Choose one from the menu.")
	})
}

// readTimeout and the others bound how long a connection may be blocked. An
// upload of a large dataset over the loopback interface takes seconds.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = 5 * time.Minute
	idleTimeout   = 2 * time.Minute
)

// HTTP is a server for the console whose requests end with ctx.
func (s *Server) HTTP(ctx context.Context) *http.Server {
	return &http.Server{
		Handler: s, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, IdleTimeout: idleTimeout,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
}
