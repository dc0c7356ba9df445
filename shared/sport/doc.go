// Package sport is the domain: ids, the entities of a dataset and the value
// sets of the contract, with the standard library only.
//
// The structs are a dataset's records after validation: references are ids,
// defaults are filled in, times are UTC. Empty strings and zero numbers mean
// "none" where a field's comment says so. Nothing here knows DynamoDB, HTTP or
// JSON.
package sport
