// The tests of this package are those that a script cannot be. What a request
// gets is in package scripts, in plain text, and nowhere else. Here are:
//
//   - tests with a model of the contract: federations at random, of which every
//     record and list is compared with what an oracle says (random_records_test.go,
//     random_lists_test.go), and statistics with the matches that they add up
//     (sums_test.go); model_test.go and oracle_test.go are the model;
//   - a comparison of federations at random that differ only in what is hidden
//     (secret_test.go);
//   - tests of every field of a dataset (fields_test.go), and of the largest
//     records that a dataset may have (bounds_test.go);
//   - tests that change the data under a worker, or break its store (fresh_test.go);
//   - tests that count read units (cost_test.go), also of large federations
//     (scale_test.go).
package endpoints_test
