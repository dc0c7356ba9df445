package engine

import (
	"bytes"
	"io"
	"sync"
)

// listening is what the engine prints once it accepts connections (1.2.1:
// "Dynoxide listening on http://127.0.0.1:8000").
const listening = "listening on http"

// saidLimit bounds what is kept of an engine's output for an error.
const saidLimit = 4096

// watcher reads the engine's output: it closes ready at the line that says so,
// keeps the beginning for an error, and hands everything on to log.
type watcher struct {
	log   io.Writer
	ready chan struct{}

	mu   sync.Mutex
	head []byte
	seen bool
}

// Write never fails: a full log must not end the engine.
func (w *watcher) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if room := saidLimit - len(w.head); room > 0 {
		w.head = append(w.head, p[:min(room, len(p))]...)
	}
	if !w.seen && bytes.Contains(w.head, []byte(listening)) {
		w.seen = true
		close(w.ready)
	}
	if w.log != nil {
		_, _ = w.log.Write(p)
	}
	return len(p), nil
}

func (w *watcher) said() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return string(w.head)
}
