package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

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
	return `An event is what API Gateway's HTTP API hands to a function (payload format 2.0), such as those under events/. It is printed signed with the key of TOUCHLINE_KEY_ID and TOUCHLINE_SECRET, now and with a new nonce, and for the rest as it was: it works once and for five minutes.

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

// signEvent signs the request in an event. It changes nothing but the four headers of
// the signature: all else stays as it was, byte for byte.
func signEvent(c *terminal.Terminal, k KeyFlags, raw []byte) ([]byte, error) {
	message, err := messageOf(raw)
	if err != nil {
		return nil, err
	}
	key, err := k.find(c)
	if err != nil {
		return nil, err
	}
	r, err := signMessage(key, message, c.Now())
	if errors.Is(err, signing.ErrEscape) {
		return nil, fmt.Errorf("path or query of the event: %w: a %% must be followed by two hex digits; such a request is never signed", err)
	}
	if err != nil {
		return nil, err
	}
	headers := gjson.GetBytes(raw, "headers")
	if !headers.IsObject() {
		return nil, errors.New("an event without headers")
	}
	headers.ForEach(func(name, _ gjson.Result) bool {
		for _, h := range r.Headers {
			if err == nil && strings.EqualFold(name.Str, h[0]) {
				raw, err = sjson.DeleteBytes(raw, "headers."+name.Str)
			}
		}
		return true
	})
	for _, h := range r.Headers {
		if err == nil {
			raw, err = sjson.SetBytes(raw, "headers."+strings.ToLower(h[0]), h[1])
		}
	}
	return raw, err
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
