// Package projection writes down what each affected record looks like in a view:
// its items, and its entries in lists. Each kind of record has a file of its
// own. A projection reads the world, which must hold all that it looks up
// (package affected), and puts what it finds into the sink of package diff.
//
// # Invariants
//
//   - A projection is a pure function of a view. The order of loads, and how a
//     dataset is divided into loads, do not show in the table.
//   - Everything of an entity is put between two comparisons of the sink.
//
// Why a table has its order is in no item, since no response shows it and a live score
// would have to write it. [Explain] computes it when somebody asks, from the records that
// the table is computed from: what a load reads for one table, and no write.
package projection
