// Package client signs and sends requests for `touchline get` and the console, and
// has the types of bodies that the console shows. Programs outside this module use
// the Go kit (`touchline kit go`).
//
// What callers can rely on:
//
//   - Every attempt has its own nonce. That includes the retries that net/http would
//     make by itself: they are abandoned and sent again.
//   - What is sent is what was signed, byte for byte. Redirects are not followed,
//     since a signature is for one path.
//   - Requests only read, so they are repeated if that may help: if there is no
//     response at all, and after 429, 500, 502, 503 and 504; a bounded number of
//     times, after the time that Retry-After asks for or a growing pause. If the
//     context's deadline or Config.MaxWait do not allow the pause, the refusal is
//     returned at once. All other refusals (400, 403, 404, 405, 422) are final.
//   - A 401 is repeated once, and only if the Date of the response shows that the
//     timestamp was too far off: the client then follows the server's clock.
//   - Responses are not trusted: bodies are bounded, their form is checked, unknown
//     fields are ignored so that the service can add some, and errors contain no
//     control characters.
//   - No error, log value or formatted Client shows the secret.
package client
