package keys

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"touchline/shared/sport"
)

// ResourceOrganization is the only resource type with which a key
// authenticates (D1 step 8).
const ResourceOrganization = "organization"

// DefaultMonthlyQuota is the number of requests a month for a key without a
// monthlyQuota of its own (read-api, Limits).
const DefaultMonthlyQuota = 10000

// Key is the record of an API key. Its secrets are sealed; keys from Store.List
// do not even hold those.
type Key struct {
	ID           string         `json:"keyId" dynamodbav:"pk"` // [A-Za-z0-9_-]{1,100}
	Organization sport.ID       `json:"organization" dynamodbav:"organization"`
	ResourceType string         `json:"resourceType" dynamodbav:"resourceType"`
	Scopes       []Scope        `json:"scopes" dynamodbav:"scopes"` // in AllScopes' order, no repeats, may be empty
	Descendants  bool           `json:"descendants" dynamodbav:"descendants"`
	Allowlist    []netip.Prefix `json:"allowlist,omitempty" dynamodbav:"allowlist,omitempty"`       // masked, none IPv4-mapped; empty: every address
	MonthlyQuota *int           `json:"monthlyQuota,omitempty" dynamodbav:"monthlyQuota,omitempty"` // 0 or more; nil: DefaultMonthlyQuota
	CreatedAt    time.Time      `json:"createdAt" dynamodbav:"createdAt"`                           // UTC, milliseconds, like all times here
	ExpiresAt    *time.Time     `json:"expiresAt,omitempty" dynamodbav:"expiresAt,omitempty"`       // from this moment on it does not work
	RevokedAt    *time.Time     `json:"revokedAt,omitempty" dynamodbav:"revokedAt,omitempty"`
	Label        string         `json:"label,omitempty" dynamodbav:"label,omitempty"`
	History      []Event        `json:"history,omitempty" dynamodbav:"history,omitempty"` // the last changes, the oldest first

	Current  SealedSecret  `json:"current" dynamodbav:"current"`
	Previous *SealedSecret `json:"previous,omitempty" dynamodbav:"previous,omitempty"` // the older secret, during a rotation

	// Damaged says that the record cannot be read: all but the id is empty, and nobody is
	// let in (Store.List).
	Damaged bool `json:"damaged,omitempty" dynamodbav:"-"`
	Version int  `json:"-" dynamodbav:"version"` // of the record as read; 0: not stored yet (Store.Put)
}

// Unread is the Version with which Put writes over a record that cannot be read.
const Unread = -1

// SealedSecret is a secret as stored.
type SealedSecret struct {
	ID        string     `json:"secretId" dynamodbav:"id"` // random; names the change that added it
	CreatedAt time.Time  `json:"createdAt" dynamodbav:"createdAt"`
	Sealed    Ciphertext `json:"-" dynamodbav:"sealed"`
}

// Ciphertext is a sealed secret. Only its size is printed.
type Ciphertext []byte

// Format implements fmt.Formatter for every verb.
func (c Ciphertext) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "[sealed, %d bytes]", len(c))
}

// Valid reports whether the key authenticates at now: it belongs to an
// organization, is not revoked, and has not expired (D1 step 8). A revocation
// counts whatever its time is, so that a difference between clocks cannot delay
// it.
func (k Key) Valid(now time.Time) bool {
	return k.ResourceType == ResourceOrganization && sport.IsID(string(k.Organization)) &&
		k.RevokedAt == nil && (k.ExpiresAt == nil || now.Before(*k.ExpiresAt))
}

// Allows reports whether the key may be used from the address of the caller (D1
// step 12). Without an allowlist every address may, even an unknown one. An
// IPv4-mapped IPv6 address counts as the IPv4 address, and a zone is ignored.
func (k Key) Allows(caller netip.Addr) bool {
	if len(k.Allowlist) == 0 {
		return true
	}
	caller = caller.Unmap().WithZone("")
	return slices.ContainsFunc(k.Allowlist, func(p netip.Prefix) bool { return p.Contains(caller) })
}

// HasScope reports whether the key holds a scope (D1 step 13).
func (k Key) HasScope(s Scope) bool { return slices.Contains(k.Scopes, s) }

// Quota is how many requests a month the key may make (D9).
func (k Key) Quota() int {
	if k.MonthlyQuota == nil {
		return DefaultMonthlyQuota
	}
	return *k.MonthlyQuota
}

// HasSecret reports whether the key has the secret with that id.
func (k Key) HasSecret(secretID string) bool {
	return k.Current.ID == secretID || k.Previous != nil && k.Previous.ID == secretID
}

// withoutSealed returns the key with only the ids and times of its secrets.
func (k Key) withoutSealed() Key {
	k.Current.Sealed = nil
	if k.Previous != nil {
		previous := *k.Previous
		previous.Sealed = nil
		k.Previous = &previous
	}
	return k
}

// maxIDLength is the greatest length of a key id (read-api, Request headers).
const maxIDLength = 100

// IsID reports whether s has the form of a key id: [A-Za-z0-9_-]{1,100}.
func IsID(s string) bool {
	if s == "" || len(s) > maxIDLength {
		return false
	}
	return !strings.ContainsFunc(s, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-'
	})
}

// Start is what may be shown of a key id that is in no store: its first characters,
// if it has the form of the ids made here; else nothing, since a secret may have been
// sent in its place.
func Start(id string) string {
	if !strings.HasPrefix(id, idPrefix) || len(id) != len(idPrefix)+idDigits {
		return ""
	}
	return id[:len(idPrefix)+shownDigits]
}

// shownDigits of an id tell one key from another, and leave 80 bits of it.
const shownDigits = 4

const (
	idPrefix       = "tk_"
	secretIDPrefix = "ts_"
	// idDigits of base 32 are 100 bits, enough for ids made on two machines not
	// to collide.
	idDigits = 20
)

// newID returns prefix and idDigits random digits.
func newID(prefix string) string { return prefix + rand.Text()[:idDigits] }

// sortKeys puts keys in the order of Store.List: by creation, then id.
func sortKeys(keys []Key) {
	slices.SortFunc(keys, func(a, b Key) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
}
