package openapi

import (
	_ "embed"

	"touchline/shared/keys"
	"touchline/shared/signing"
)

// overview is the description of the document.
//
//go:embed overview.md
var overview string

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
