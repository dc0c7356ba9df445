// Package client signs and sends requests for `touchline get` and the console.
// Programs outside this module use the Go kit (`touchline kit go`).
//
// What callers can rely on:
//
//   - A request is sent once, whatever its response, and by a connection of its own:
//     net/http would by itself repeat one that is lost with a used connection, with
//     a nonce that the service may have seen.
//   - The one exception is a 401 whose Date shows that the timestamp was too far
//     off: the client then follows the server's clock and sends the request again,
//     with a new nonce.
//   - What is sent is what was signed, byte for byte. Redirects are not followed,
//     since a signature is for one path.
//   - Responses are not trusted: bodies are bounded, and errors contain no control
//     characters.
//   - No error, log value or formatted Client shows the secret.
package client
