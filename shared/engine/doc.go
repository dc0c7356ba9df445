// Package engine finds and runs the embedded DynamoDB engine, dynoxide: a
// server process of its own on the loopback interface that keeps its tables in
// memory or in one SQLite file. For tests that ask for it, it also runs AWS's
// own DynamoDB Local, a Java program (StartAWS).
//
// Invariants:
//   - An Engine that Start returns listens, is a child of this process and is
//     the process that answers at Endpoint: readiness is what the child itself
//     reports, or an answer that it alone can give, not that something answers
//     at its port.
//   - A database file has one engine. A lock beside it is held by the engine
//     process, so it outlives neither.
//   - No engine outlives its parent. On Linux the kernel kills it with us,
//     however we end; what it had acknowledged is in its file.
//   - The engine checks no credentials, so it listens on loopback only. AWS's
//     cannot; nothing but tests may start it.
//
// The package knows processes and files; clients, tables and the AWS SDK are
// the stores' affair.
package engine
