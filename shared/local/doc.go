// Package local is the front door of a laptop: an HTTP/1.1 server that serves an
// http.Handler, the one that the functions serve.
//
// # Invariants
//
//   - The request target is passed on as sent, in URL.RawPath and URL.RawQuery, neither
//     decoded, cleaned nor judged; so are all methods and headers. This is why the
//     server is fasthttp: net/http answers by itself, in plain text and with no header of
//     ours, a malformed escape and whatever else it cannot parse, and asks nobody before.
//   - Bytes that are not an HTTP request, or one too large to be read, get the
//     response of a request with a body: 400, from the same handler, with its
//     headers. Only a caller who stops sending until a timeout gets no response.
//   - Of a body at most the first byte is read. A connection with an unread body is
//     closed after the response, once the caller had time to read that.
//   - The caller's address is that of the connection.
//   - If hosts are restricted, a request for another host reaches no handler, and
//     neither does one of a web page if those are refused. Whoever runs the server
//     is told of each, to log it.
package local
