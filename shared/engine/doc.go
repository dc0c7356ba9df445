// Package engine finds and runs the embedded DynamoDB engine, dynoxide: a
// separate server process on the loopback interface that keeps its tables in
// memory or in one SQLite file. Tests may run AWS's own instead (enginetest).
//
// The engine checks no credentials and serves any origin and any host name, so a
// web page could use it. StartGuarded therefore runs it on a random port behind a
// reverse proxy, the guard, which has the well-known address and refuses what a
// page sends. A call through the guard takes three times as long; programs ask
// the guard where the engine listens (Direct) and go there.
//
// Invariants:
//   - An Engine that Start returns accepts connections, is a child of this
//     process and is what listens at Endpoint: that it is ready is known from its
//     own output, not from something listening on its port.
//   - A database file has one engine. The engine process, like what
//     restores the file, holds a lock next to it.
//   - No engine outlives its parent. On Linux the kernel kills it with us,
//     however we end; what it had acknowledged is in its file.
//   - It listens on loopback only.
//   - Only a program that nobody else may write is run: the one in the checkout
//     that this program was built in, or the one on PATH.
//
// The package knows processes and files, not tables or the AWS SDK.
package engine
