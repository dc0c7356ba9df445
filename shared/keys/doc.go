// Package keys holds the API keys that operators issue: their records, how a
// secret is made, sealed and opened, the changes that an operator makes, and the
// worker's cache of credentials (read-api, Authentication; design.md, Keys).
//
// A record (Key) names an organization, scopes and options, and holds one sealed
// secret, or two during a rotation: both verify until one is retired. A secret
// is in the clear in three places only: where Create or Rotate returns it, once;
// inside Seal and Open; and in a Credential in the worker's cache. The types
// that hold one (Secret, LocalSealer, Credential) never print it: not with any fmt
// verb, not as JSON, not in a log.
//
// # Invariants
//
//   - A change of a record is written only if the record still has the version that
//     was read, so that no concurrent change is lost (Store.Put).
//   - Every change names the secret that it adds or drops. A retry can therefore see
//     whether the first attempt was applied: a response that got lost leads neither
//     to a second secret nor to a wrong "exists" (Registry).
//   - A sealed secret can be opened for its own key id only: the id is bound to it
//     as additional data (Sealer).
//   - A credential is at most CredentialTTL old. An unknown key is never cached. A
//     store or sealer that fails is ErrUnavailable, never a guess (D3, D10), and the
//     next request tries again, except for a secret that can never be opened: that
//     is remembered for SealedTTL.
//   - Nothing here writes while a request is served.
//
// The tests on DynamoDB need the engine that `make deps` gets: before that `go test
// ./shared/keys` says ok and has skipped them, which -v shows.
package keys
