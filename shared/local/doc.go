// Package local is the front door of a laptop: an HTTP/1.1 server that makes of
// each request the event a gateway would make, and hands it to the same handler.
//
// Invariants
//
//   - The request target is handed on as it was sent, not decoded, cleaned or
//     judged; so are all methods and headers. net/http would answer a malformed
//     escape by itself, fasthttp does not.
//   - What is no HTTP request, or too large to be read, is answered like a request
//     with a body: 400, by the same handler, with its headers. Only who sends
//     nothing more until a timeout gets nothing.
//   - No body is read beyond its first byte. A connection on which one is left is
//     closed after the answer, and only once the caller had time to read it.
//   - The caller's address is that of the connection.
//   - Where hosts are restricted, a request for another host reaches no handler
//     and is not logged.
package local
