package openapi

import (
	"touchline/shared/keys"
	"touchline/shared/signing"
)

// overview is the description of the document.
const overview = `A read-only API: ` + "`GET`" + ` and ` + "`HEAD`" + `, nothing else. It is for servers: no answer carries CORS headers, and a key's secret must never reach a browser or an app.

## Signing

Every request carries four headers, each once: ` + "`X-Service-Key`" + `, ` + "`X-Service-Timestamp`" + `, ` + "`X-Service-Nonce`" + ` and ` + "`X-Service-Signature`" + `. The signature is the HMAC-SHA256, as 64 lower-case hex digits, of the canonical string in UTF-8, keyed with the bytes of the secret as it was shown to you (it is not decoded first).

The canonical string is six fields joined by one line feed (0x0A), with none after the last:

1. the method in upper case;
2. the path exactly as it goes over the wire, from ` + "`/v1`" + ` to before the question mark, never decoded; only the hex digits of percent-escapes become upper case; a trailing slash counts;
3. the query, put in order (below); empty where there is none;
4. the timestamp, as in its header;
5. the nonce, as in its header;
6. the SHA-256 of the body in lower-case hex. Bodies are empty, so it is always ` + "`e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855`" + `.

The query is put in order like this: split at every ` + "`&`" + ` and forget empty parts; split each part at its first ` + "`=`" + ` (none: the value is empty); percent-decode key and value, then encode them again so that only letters, digits and ` + "`- . _ ~`" + ` stay as they are and hex digits are upper case; sort by key, then value, byte by byte; join each pair with ` + "`=`" + ` and the pairs with ` + "`&`" + `. A ` + "`+`" + ` is a plus, never a space.

A timestamp is good for 300 seconds either way of the server's clock, which ` + "`/v1/ping`" + ` tells and every answer's Date header too. A nonce is good once per key: draw a new one for every attempt, also when you try again.

## Scope

A key belongs to an organization and sees it and, if it was made with descendants, all below it. What is outside, hidden, private, of another type or unknown is answered by one and the same 404, and so is an id that is none.

## Queries

An unknown, repeated or empty key is a 400 that names it, and so is a wrong value; letters' case counts. Ids are 24 lower-case hex digits; a filter that is no id is a 404. A request must not have a body, and its path and query together are at most 2048 bytes.

## Limits

60 requests a minute for a key, counted by each worker (` + "`X-RateLimit-*`" + `), and a monthly quota for the organization, by default 10000. Requests that pass authentication, scopes and rate count for the quota, also where they end in 400 or 404. A 429 says in Retry-After when to come back. Too many failed authentications from one address end in 429 as well.

## Answers

Branch on the status and ` + "`error.code`" + `; quote X-Request-Id when you report a failure. ` + "`HEAD`" + ` answers as ` + "`GET`" + ` does, without the body, and costs the same. Any other method is 405 (MethodNotAllowed), OPTIONS 204 (Options), a path that is not in this document 404 (UnknownPath), all three without authentication.`

// The names of the security schemes. Every request needs all of them.
const (
	schemeKey       = "key"
	schemeTimestamp = "timestamp"
	schemeNonce     = "nonce"
	schemeSignature = "signature"
)

// securitySchemes are the four headers.
func securitySchemes() Ordered[securityScheme] {
	var schemes Ordered[securityScheme]
	add := func(name, header, description string) {
		schemes.set(name, securityScheme{Type: "apiKey", In: "header", Name: header, Description: description})
	}
	add(schemeKey, signing.HeaderKey, "The key's id: 1 to 100 of A-Z a-z 0-9 _ -")
	add(schemeTimestamp, signing.HeaderTimestamp, "Unix time in whole seconds, not milliseconds, within 300 seconds of the server's clock.")
	add(schemeNonce, signing.HeaderNonce, "Used once per key: 1 to 128 of A-Z a-z 0-9 _ . ~ -")
	add(schemeSignature, signing.HeaderSignature, "64 lower-case hex digits; the description of the document says how they come about.")
	return schemes
}

// signed is the requirement of all four headers, for a key with the scopes.
func signed(scopes []keys.Scope) []Ordered[[]string] {
	roles := []string{}
	for _, s := range scopes {
		roles = append(roles, string(s))
	}
	var all Ordered[[]string]
	all.set(schemeKey, roles)
	for _, name := range []string{schemeTimestamp, schemeNonce, schemeSignature} {
		all.set(name, []string{})
	}
	return []Ordered[[]string]{all}
}
