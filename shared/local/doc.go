// Package local is the front door of a laptop: an HTTP/1.1 server that serves an
// http.Handler, the one that the functions serve.
//
// # Invariants
//
//   - The request target is passed on as sent, in URL.RawPath and URL.RawQuery, neither
//     decoded, cleaned nor judged; so are all methods and headers. net/http would refuse
//     a malformed escape by itself, so its connection escapes targets.
//   - Bytes that are not an HTTP request, or one too large to be read, get the
//     response of a request with a body: 400, from the same handler, with its
//     headers, in place of what net/http writes before it has asked a handler. Only a caller who stops sending until a timeout gets no response.
//   - Of a body at most the first byte is read. A connection with an unread body is
//     closed after the response, once the caller had time to read that.
//   - The caller's address is that of the connection.
//   - If hosts are restricted, a request for another host reaches no handler. Whoever
//     runs the server is told of each, to log it.
package local
