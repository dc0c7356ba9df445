// Package touchline is the Go kit of Touchline 1.0.0 in one file, with the standard
// library only (Go 1.24 or later). Copy it into a package of your own.
//
//	api := touchline.New("https://api.example.org", "tk_...", "the secret")
//	for match, err := range touchline.Pages[Match](ctx, api, "/v1/tournaments/5f1d.../matches", touchline.Query{"status": "finished"}) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(match.Status, match.KickoffAt)
//	}
//
// Match is a struct of yours, with the fields that you read.
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
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"regexp"
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

// Error is a refusal. Branch on Status and Code; quote RequestID when you report it.
// Status is 0 where no whole answer came, after every attempt, and 200 where an answer
// is not the service's, such as the page of a network that wants a login.
type Error struct {
	Status    int
	Code      string
	Message   string
	Details   Details
	RequestID string
	Header    http.Header

	lost error
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

// Unwrap returns why no answer came.
func (e *Error) Unwrap() error { return e.lost }

// Response is a successful answer.
type Response struct {
	Header http.Header // X-RateLimit-Remaining, X-Service-Data-Version and others
	Body   []byte
}

// Query are parameters. A value is written as fmt.Sprint does; nil leaves the parameter
// out.
type Query map[string]any

func (q Query) encode() string {
	var pairs []string
	for name, value := range q {
		if value != nil {
			pairs = append(pairs, encode(name)+"="+encode(fmt.Sprint(value)))
		}
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
		asked := Query{"limit": 100}
		maps.Copy(asked, q)
		for page := 1; ; page++ {
			asked["page"] = page
			var body struct {
				Data    []T
				HasMore bool
			}
			r, err := c.Raw(ctx, path, asked)
			if err == nil {
				err = json.Unmarshal(r.Body, &body)
			}
			if err != nil {
				var none T
				yield(none, fmt.Errorf("touchline: GET %s: %w", path, err))
				return
			}
			for _, item := range body.Data {
				if !yield(item, nil) {
					return
				}
			}
			if !body.HasMore {
				return
			}
		}
	}
}

// Raw sends a GET for a path, which may have a query of its own, until it
// succeeds or repeating it does not help. The error is an *Error.
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
			err = &Error{Message: "no answer: " + err.Error(), Header: http.Header{}, lost: err}
		case status == http.StatusOK && bytes.HasPrefix(r.Body, []byte("{")) && json.Valid(r.Body):
			return r, nil
		case status == http.StatusUnauthorized && !corrected && c.correct(r.Header, sent):
			corrected = true
			attempt--
			continue
		default:
			err = refusal(status, r)
			if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable && r.Header.Get("Retry-After") != "" {
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

// retryAfter is what a 429 or 503 says: seconds, or a date.
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
			Code    string
			Message string
			Details Details
		}
	}
	if json.Unmarshal(r.Body, &body) != nil {
		body.Error.Message = "the answer is not the service's"
	}
	return &Error{status, body.Error.Code, body.Error.Message, body.Error.Details, r.Header.Get("X-Request-Id"), r.Header, nil}
}

// Signature is the HMAC-SHA256 of a text, in hexadecimal digits.
func Signature(secret, text string) string {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}

var escape = regexp.MustCompile("%[0-9a-fA-F]{2}")

// Canonical is the string that is signed: six fields, a line feed between them.
func Canonical(method, path, query, timestamp, nonce string) string {
	empty := sha256.Sum256(nil)
	return strings.Join([]string{strings.ToUpper(method), escape.ReplaceAllStringFunc(path, strings.ToUpper), CanonicalQuery(query), timestamp, nonce, hex.EncodeToString(empty[:])}, "\n")
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
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") // a plus is %2B by then
}
