// Package keys holds the API keys of operators: their records, how a secret is
// made, sealed and opened, the changes an operator makes, and the worker's cache
// of credentials (read-api, Authentication; design.md, Keys).
//
// A record (Key) names an organization, scopes and options, and holds one sealed
// secret, or two while a rotation lasts: both verify until one is retired. A
// secret exists in the clear in three places: where Create or Rotate returns it,
// once; inside Seal and Open; and in a Credential of the worker's cache. The
// types that hold one (Secret, MasterKey, Credential) never print it: not with
// any fmt verb, not as JSON, not in a log.
//
// Invariants
//
//   - A record changes only by a write that is conditional on the version that
//     was read, so no concurrent change is lost (Store.Put).
//   - Every change names the secret it adds or drops. Its retry therefore sees
//     whether the first attempt was applied, and a lost answer ends neither in a
//     second secret nor in a false "exists" (Registry).
//   - A sealed secret opens for its own key id only: the id is bound to it as
//     additional data (Sealer).
//   - A credential is at most CredentialTTL old, an unknown key is never cached,
//     and a store or sealer that fails is ErrUnavailable, never a guess (D3, D10).
//     It is asked again by the next request, but for a secret that can never be
//     opened: that is known for SealedTTL.
//   - Nothing here writes on the request path.
package keys
