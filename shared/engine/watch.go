package engine

import (
	"bytes"
	"io"
	"sync"
)

// listening is what the engine prints once it accepts connections (1.2.1:
// "Dynoxide listening on http://127.0.0.1:8000").
const listening = "listening on http"

// saidLimit is how much output of an engine is kept for an error, in bytes.
const saidLimit = 4096

// watcher reads the engine's output. It closes ready at the line that says that
// the engine listens, keeps the beginning for an error, and passes everything on
// to log.
type watcher struct {
	log   io.Writer
	ready chan struct{}

	mu   sync.Mutex
	head []byte
	seen bool
}

// Write never returns an error: a log that is full must not end the engine.
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
