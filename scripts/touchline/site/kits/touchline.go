// Package touchline is the Go kit of Touchline 2.0 in one file, with the standard
// library only (Go 1.24 or later). Copy it into a package of your own.
//
//	api := touchline.New("https://api.example.org", "tk_...", "the secret")
//	for match, err := range touchline.Pages[touchline.Match](ctx, api, "/v1/tournaments/5f1d.../matches", touchline.Query{"status": "finished"}) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(match.Home.Name, match.Score, match.Away.Name)
//	}
//
// Keep the secret on a server: whoever has it can ask everything that you can.
//
// SPDX-License-Identifier: 0BSD
package touchline

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Client calls one service with one key. It is safe for concurrent use; change
// its fields before the first request only.
type Client struct {
	HTTP        *http.Client  // ends an attempt after 30 s; follows no redirect: the signature is for one path
	Attempts    int           // how often a request is sent at most
	LongestWait time.Duration // a longer one is not waited for: the refusal is returned
	// Sleep waits, or returns the error of a context that ends first.
	Sleep func(context.Context, time.Duration) error

	baseURL, keyID string
	sign           func(text string) string
	offset         atomic.Int64 // nanoseconds that the service's clock is ahead of ours
}

// New makes a client for the address of a service, such as
// https://api.example.org, and a key.
func New(baseURL, keyID, secret string) *Client {
	return &Client{
		HTTP: &http.Client{Timeout: 30 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}},
		Attempts: 4, LongestWait: 2 * time.Minute, Sleep: sleep,
		baseURL: strings.TrimRight(baseURL, "/"), keyID: keyID,
		sign: func(text string) string { return Signature(secret, text) },
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Code is the error.code of a refusal, by which errors.Is finds it:
//
//	if errors.Is(err, touchline.NotFound) { ... }
type Code string

// Error is the code itself.
func (c Code) Error() string { return string(c) }

// The codes so far. More may be added: branch on the status for the rest.
const (
	BadRequest              Code = "badRequest"
	Unauthorized            Code = "unauthorized"
	Forbidden               Code = "forbidden"
	ScopeMissing            Code = "scopeMissing"
	ProRequired             Code = "proRequired"
	NotFound                Code = "notFound"
	MethodNotAllowed        Code = "methodNotAllowed"
	ScopeTooLarge           Code = "scopeTooLarge"
	RateLimited             Code = "rateLimited"
	QuotaExceeded           Code = "quotaExceeded"
	InternalError           Code = "internalError"
	IntegrationsUnavailable Code = "integrationsUnavailable"
	ServiceUnavailable      Code = "serviceUnavailable"
)

// Error is a refusal, or an answer that did not come from the service (no Code).
type Error struct {
	Status    int
	Code      Code
	Message   string
	Details   Details
	RequestID string // to quote when you report it
	Header    http.Header
}

// Details say more about a refusal. What was not given is empty.
type Details struct {
	Field         string   `json:"field"` // the parameter at fault
	Limit         int      `json:"limit"`
	Max           int      `json:"max"`
	RequiresOneOf []string `json:"requiresOneOf"`
}

// Error says everything but the request.
func (e *Error) Error() string {
	text := fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Message)
	if e.Details.Field != "" {
		text += ", field " + e.Details.Field
	}
	if len(e.Details.RequiresOneOf) > 0 {
		text += ", needs one of " + strings.Join(e.Details.RequiresOneOf, ", ")
	}
	return text + " (request " + e.RequestID + ")"
}

// Unwrap returns the code.
func (e *Error) Unwrap() error { return e.Code }

// ErrLost is in the chain of an error where no answer came, after every attempt.
var ErrLost = errors.New("touchline: no answer")

// ErrMoved says that data changed while Mirror read them, as often as it tried.
var ErrMoved = errors.New("touchline: the data changed in every round")

// Response is a successful answer.
type Response struct {
	Header http.Header // X-RateLimit-Remaining, X-Service-Data-Version and others
	Body   []byte
}

// Query are parameters. A value is written as fmt.Sprint does, a time.Time in
// RFC 3339; nil leaves the parameter out.
type Query map[string]any

func (q Query) encode() string {
	var pairs []string
	for name, value := range q {
		if value == nil {
			continue
		}
		if at, ok := value.(time.Time); ok {
			value = at.UTC().Format(time.RFC3339Nano)
		}
		pairs = append(pairs, encode(name)+"="+encode(fmt.Sprint(value)))
	}
	slices.Sort(pairs)
	return strings.Join(pairs, "&")
}

// Get returns the data of a single resource, such as
// Get[Standings](ctx, api, "/v1/tournaments/5f1d.../standings", nil).
func Get[T any](ctx context.Context, c *Client, path string, q Query) (T, error) {
	var body struct {
		Data T `json:"data"`
	}
	r, err := c.Raw(ctx, path, q)
	if err != nil {
		return body.Data, err
	}
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return body.Data, fmt.Errorf("touchline: GET %s: %w", path, err)
	}
	return body.Data, nil
}

// Pages yields every item of a list, page after page. An error is the last.
func Pages[T any](ctx context.Context, c *Client, path string, q Query) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		for answer, err := range c.pages(ctx, path, q) {
			if err != nil {
				yield(none, err)
				return
			}
			var page struct{ Data []T }
			if err := json.Unmarshal(answer.Body, &page); err != nil {
				yield(none, fmt.Errorf("touchline: GET %s: %w", path, err))
				return
			}
			for _, item := range page.Data {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}

// pages yields the answers of a list.
func (c *Client) pages(ctx context.Context, path string, q Query) iter.Seq2[*Response, error] {
	return func(yield func(*Response, error) bool) {
		asked := Query{"limit": 100}
		for name, value := range q {
			asked[name] = value
		}
		for page := 1; ; page++ {
			asked["page"] = page
			r, err := c.Raw(ctx, path, asked)
			var more struct{ HasMore bool }
			if err == nil {
				err = json.Unmarshal(r.Body, &more)
			}
			if !yield(r, err) || err != nil || !more.HasMore {
				return
			}
		}
	}
}

// settled is how long a load takes at most until every worker shows it.
const settled = 15 * time.Second

// Mirror reads lists until all their pages are of one state of the data, and
// returns the items of each list by its path, and the number of that state
// (X-Service-Data-Version). Where the data change meanwhile it starts over, at
// most rounds times, and calls startedOver (if not nil) each time. Read the items
// with json.Unmarshal into the type of the list.
func (c *Client) Mirror(ctx context.Context, rounds int, startedOver func(), paths ...string) (lists map[string][]json.RawMessage, version string, err error) {
	for round := range rounds {
		if round > 0 && startedOver != nil {
			startedOver()
		}
		lists, version, err = c.state(ctx, paths)
		if lists != nil || err != nil {
			return lists, version, err
		}
	}
	return nil, "", ErrMoved
}

// state is one round of Mirror; nil lists: the data changed.
func (c *Client) state(ctx context.Context, paths []string) (map[string][]json.RawMessage, string, error) {
	version, err := c.DataVersion(ctx)
	if err != nil {
		return nil, "", err
	}
	lists := map[string][]json.RawMessage{}
	same := !strings.HasSuffix(version, "+")
	for _, path := range paths {
		if !same {
			break
		}
		lists[path] = []json.RawMessage{}
		for r, err := range c.pages(ctx, path, nil) {
			if err != nil {
				return nil, "", err
			}
			var page struct{ Data []json.RawMessage }
			if err := json.Unmarshal(r.Body, &page); err != nil {
				return nil, "", fmt.Errorf("touchline: GET %s: %w", path, err)
			}
			lists[path] = append(lists[path], page.Data...)
			if same = r.Header.Get("X-Service-Data-Version") == version; !same {
				break
			}
		}
	}
	if err := c.Sleep(ctx, settled); err != nil {
		return nil, "", err
	}
	if !same {
		return nil, "", nil
	}
	after, err := c.DataVersion(ctx)
	if err != nil || after != version {
		return nil, "", err
	}
	return lists, version, nil
}

// DataVersion is the number of the data's state, which grows by one with each
// load that changes something; a + follows it while such a load is written.
func (c *Client) DataVersion(ctx context.Context) (string, error) {
	r, err := c.Raw(ctx, "/v1/ping", nil)
	if err != nil {
		return "", err
	}
	version := r.Header.Get("X-Service-Data-Version")
	if version == "" {
		return "", errors.New("touchline: the service does not say which state its data have")
	}
	return version, nil
}

// Raw sends a GET for a path, which may have a query of its own, until it
// succeeds or repeating it does not help. The error is an *Error where the
// request was refused.
func (c *Client) Raw(ctx context.Context, path string, q Query) (*Response, error) {
	path, query, _ := strings.Cut(path, "?")
	query = strings.Trim(query+"&"+q.encode(), "&")
	corrected := false
	for attempt := 1; ; attempt++ {
		sent := time.Now().Add(time.Duration(c.offset.Load()))
		r, status, err := c.once(ctx, path, query, sent)
		wait := time.Second << (attempt - 1)
		switch {
		case err != nil:
			err = fmt.Errorf("GET %s: %w: %w", path, ErrLost, err)
		case status == http.StatusOK && bytes.HasPrefix(r.Body, []byte("{")) && json.Valid(r.Body):
			return r, nil
		case status == http.StatusUnauthorized && !corrected && c.correct(r.Header, sent):
			corrected = true
			attempt--
			continue
		default:
			err = refusal(status, r)
			if status == http.StatusTooManyRequests {
				wait = retryAfter(r.Header)
			} else if !slices.Contains([]int{500, 502, 503, 504}, status) {
				return nil, err
			}
		}
		if attempt >= c.Attempts || wait > c.LongestWait || ctx.Err() != nil {
			return nil, err
		}
		if stopped := c.Sleep(ctx, wait); stopped != nil {
			return nil, errors.Join(stopped, err)
		}
	}
}

// onOneConnection keeps net/http from sending a request again by itself, with a
// nonce that was used: it would where a connection that was open before is lost.
func onOneConnection(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(ctx)
	var connections atomic.Int32
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		if secure, ok := info.Conn.(*tls.Conn); ok && secure.ConnectionState().NegotiatedProtocol == "h2" {
			return // shared with others, and only repeats what was not processed
		}
		if connections.Add(1) > 1 {
			stop()
			_ = info.Conn.Close()
		}
	}}), stop
}

// once signs a request and makes one attempt.
func (c *Client) once(ctx context.Context, path, query string, sent time.Time) (*Response, int, error) {
	ctx, stop := onOneConnection(ctx)
	defer stop()
	target := strings.TrimSuffix(c.baseURL+path+"?"+query, "?")
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return nil, 0, err
	}
	nonce := rand.Text()
	timestamp := strconv.FormatInt(sent.Unix(), 10)
	request.Header.Set("X-Service-Key", c.keyID)
	request.Header.Set("X-Service-Timestamp", timestamp)
	request.Header.Set("X-Service-Nonce", nonce)
	request.Header.Set("X-Service-Signature", c.sign(Canonical(http.MethodGet, path, query, timestamp, nonce)))
	answer, err := c.HTTP.Do(request)
	if err != nil {
		return nil, 0, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return &Response{Header: answer.Header, Body: body}, answer.StatusCode, err
}

// correct takes the service's clock from the Date of a 401, and reports whether
// ours was off, by a day at most.
func (c *Client) correct(h http.Header, sent time.Time) bool {
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil || date.Sub(sent).Abs() < time.Minute || time.Until(date).Abs() > 24*time.Hour {
		return false
	}
	c.offset.Store(int64(time.Until(date)))
	return true
}

// retryAfter is what a 429 says: seconds, or a date.
func retryAfter(h http.Header) time.Duration {
	if seconds, err := strconv.ParseUint(h.Get("Retry-After"), 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(h.Get("Retry-After")); err == nil {
		return max(time.Until(date), 0)
	}
	return time.Minute
}

func refusal(status int, r *Response) error {
	var body struct {
		Error struct {
			Code    Code
			Message string
			Details Details
		}
	}
	if json.Unmarshal(r.Body, &body) != nil {
		body.Error.Message = "the answer is not the service's"
	}
	return &Error{status, body.Error.Code, body.Error.Message, body.Error.Details, r.Header.Get("X-Request-Id"), r.Header}
}

// Signature is the HMAC-SHA256 of a text, in hexadecimal digits.
func Signature(secret, text string) string {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}

// Canonical is the string that is signed: six fields, a line feed between them.
func Canonical(method, path, query, timestamp, nonce string) string {
	empty := sha256.Sum256(nil)
	return strings.Join([]string{strings.ToUpper(method), upperEscapes(path), CanonicalQuery(query), timestamp, nonce, hex.EncodeToString(empty[:])}, "\n")
}

// CanonicalQuery is the query as it is signed: each key and value decoded and
// encoded again, the pairs sorted.
func CanonicalQuery(query string) string {
	var pairs [][2]string
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		pairs = append(pairs, [2]string{encode(decode(name)), encode(decode(value))})
	}
	slices.SortFunc(pairs, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	var joined []string
	for _, pair := range pairs {
		joined = append(joined, pair[0]+"="+pair[1])
	}
	return strings.Join(joined, "&")
}

func decode(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// encode writes every byte but letters, digits and -._~ as an escape.
func encode(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		switch {
		case 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z', '0' <= c && c <= '9', strings.IndexByte("-._~", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// upperEscapes writes the digits of escapes in upper case.
func upperEscapes(path string) string {
	b := []byte(path)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:], strings.ToUpper(string(b[i+1:i+3])))
			i += 2
		}
	}
	return string(b)
}

// What follows is generated from the OpenAPI document. A pointer may be nil where
// the service says null or leaves the field out.
