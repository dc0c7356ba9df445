package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/signing"
)

// EventCommand is `touchline event`.
type EventCommand struct {
	File string `arg:"" help:"File of the event; - reads standard input."`
	KeyFlags
}

// Help is shown below the flags.
func (EventCommand) Help() string {
	return `An event is what API Gateway's HTTP API hands to a function (payload format 2.0), such as those under events/. It is printed signed with the key of --as, of TOUCHLINE_KEY_ID and TOUCHLINE_SECRET or of 'touchline login', now and with a new nonce, and for the rest as it was: it works once and for five minutes.

Examples:

    touchline event events/ping/ping.json
    touchline event - <event.json | sam local invoke -e - …
`
}

// maxEvent is the size limit of Lambda for a payload, in bytes.
const maxEvent = 6 << 20

// Run prints the event with a signature of now.
func (e *EventCommand) Run(c *terminal.Terminal) error {
	raw, err := e.read(c)
	if err != nil {
		return err
	}
	signed, err := signEvent(c, e.KeyFlags, raw)
	if err != nil {
		return fmt.Errorf("%s: %w", e.File, err)
	}
	c.Printf("%s\n", bytes.TrimSpace(signed))
	return nil
}

func (e *EventCommand) read(c *terminal.Terminal) ([]byte, error) {
	in := c.In
	if e.File != "-" {
		file, err := os.Open(filepath.Clean(e.File))
		if err != nil {
			return nil, err
		}
		defer func() { _ = file.Close() }()
		in = file
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxEvent+1))
	if err == nil && len(raw) > maxEvent {
		err = fmt.Errorf("%s is larger than the %d MB of a Lambda payload", e.File, maxEvent>>20)
	}
	return raw, err
}

// signEvent signs the request in an event. It changes nothing but the headers,
// byte for byte.
func signEvent(c *terminal.Terminal, k KeyFlags, raw []byte) ([]byte, error) {
	message, err := messageOf(raw)
	if err != nil {
		return nil, err
	}
	key, err := k.Find(c)
	if err != nil {
		return nil, err
	}
	r, err := signMessage(c, key, message)
	if errors.Is(err, signing.ErrEscape) {
		return nil, fmt.Errorf("path or query of the event: %w: a %% must be followed by two hex digits; such a request is never signed", err)
	}
	if err != nil {
		return nil, err
	}
	from, to, err := headersIn(raw)
	if err != nil {
		return nil, err
	}
	var headers map[string]json.RawMessage
	if err := json.Unmarshal(raw[from:to], &headers); err != nil {
		return nil, err
	}
	if headers == nil { // null
		headers = map[string]json.RawMessage{}
	}
	for name := range headers {
		for _, h := range r.Headers {
			if strings.EqualFold(name, h[0]) {
				delete(headers, name)
			}
		}
	}
	for _, h := range r.Headers {
		if headers[strings.ToLower(h[0])], err = json.Marshal(h[1]); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("  ", "  ")
	if err := e.Encode(headers); err != nil {
		return nil, err
	}
	return slices.Concat(raw[:from], bytes.TrimSpace(b.Bytes()), raw[to:]), nil
}

// headersIn finds the headers in an event: where their object begins and ends.
func headersIn(raw []byte) (from, to int, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return 0, 0, err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return 0, 0, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return 0, 0, err
		}
		if text, _ := name.(string); !strings.EqualFold(text, "headers") {
			continue
		}
		if to > 0 {
			return 0, 0, errors.New("an event with headers twice")
		}
		to = int(d.InputOffset())
		from = to - len(value)
	}
	if to == 0 {
		return 0, 0, errors.New("an event without headers")
	}
	return from, to, nil
}

// messageOf is the request in an event, unsigned.
func messageOf(raw []byte) (signing.Message, error) {
	const want = "want an event of API Gateway's HTTP API, payload format 2.0, such as events/ping/ping.json"
	var event struct {
		Version        string
		RawPath        *string
		RawQueryString string
		Headers        map[string]string
		RequestContext struct {
			Stage string
			HTTP  struct{ Method string }
		}
	}
	if err := json.Unmarshal(raw, &event); err != nil {
		return signing.Message{}, fmt.Errorf("not an event (%w): %s", err, want)
	}
	switch {
	case event.Version != "2.0":
		return signing.Message{}, fmt.Errorf("an event of version %q: %s", event.Version, want)
	case event.RawPath == nil:
		return signing.Message{}, fmt.Errorf("an event without rawPath: %s", want)
	case event.RequestContext.HTTP.Method == "":
		return signing.Message{}, fmt.Errorf("an event without requestContext.http.method: %s", want)
	}
	return signing.Message{
		Method: event.RequestContext.HTTP.Method, Path: withoutStage(*event.RawPath, event.RequestContext.Stage), Query: event.RawQueryString,
	}, nil
}

// withoutStage removes the name of a gateway's stage from a path, as the
// functions do (package gateway): what is signed begins at /v1.
func withoutStage(path, stage string) string {
	if rest, ok := strings.CutPrefix(path, "/"+stage); ok && stage != "" && strings.HasPrefix(rest, "/v1/") {
		return rest
	}
	return path
}
