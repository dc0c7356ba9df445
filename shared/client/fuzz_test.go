package client_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"touchline/shared/client"
)

// answerer is a transport with a fixed response.
type answerer func() *http.Response

func (a answerer) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := a()
	answer.Request = r
	return answer, nil
}

func answerOf(status int, contentType, after string, body []byte) *http.Response {
	return &http.Response{
		StatusCode: status, Proto: "HTTP/1.1", Body: io.NopCloser(bytes.NewReader(body)),
		Header: http.Header{"Content-Type": {contentType}, "Retry-After": {after}, "Date": {after}, "X-Request-Id": {contentType}},
	}
}

func FuzzAnswersFromStrangers(f *testing.F) {
	f.Add(200, "application/json", "7", []byte(`{"data":[{"id":"000000000000000000000001"}],"page":1,"limit":100,"total":1,"hasMore":false}`))
	f.Add(422, "application/json", "", []byte(`{"error":{"code":"scopeTooLarge","details":{"max":50,"requiresOneOf":["associationId"]}}}`))
	f.Add(429, "text/html", "99999999999", []byte(`{"error":{"code":"x","message":"\u001b","details":[1],"retryAfter":-1}}`))
	f.Fuzz(func(t *testing.T, status int, contentType, after string, body []byte) {
		if status < 200 || status > 599 {
			return // net/http does not return such a response
		}
		if len(body) > 1<<12 {
			return // longer, not different
		}
		requests := 0
		c, err := client.New(client.Config{
			BaseURL: "http://service.example", KeyID: keyID, Secret: secret, Attempts: 1, MaxBody: 1 << 16,
			HTTP: &http.Client{Transport: answerer(func() *http.Response {
				requests++
				return answerOf(status, contentType, after, body)
			})},
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Ping(t.Context())
		if err != nil && (strings.Contains(err.Error(), secret) || strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' || r == 0x7f })) {
			t.Errorf("an error with the secret or control characters: %q", err)
		}
		if requests != 1 {
			t.Errorf("%d requests", requests)
		}
	})
}
