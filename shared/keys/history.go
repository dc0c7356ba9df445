package keys

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Event is a change of a key. It holds ids of secrets, and never one.
type Event struct {
	At      time.Time     `json:"at" dynamodbav:"at"`
	By      string        `json:"by,omitempty" dynamodbav:"by,omitempty"` // as Registry.By says; empty: not known
	Changes []FieldChange `json:"changes,omitempty" dynamodbav:"changes,omitempty"`
}

// FieldChange is a field before and after a change; an empty value means none.
type FieldChange struct {
	Name   string `json:"name" dynamodbav:"name"`
	Before string `json:"before,omitempty" dynamodbav:"before,omitempty"`
	After  string `json:"after,omitempty" dynamodbav:"after,omitempty"`
}

// ScopeNames are the names of the key's scopes, or none or all.
func (k Key) ScopeNames(separator string) string {
	switch len(k.Scopes) {
	case 0:
		return "none"
	case len(AllScopes()):
		return "all"
	}
	names := make([]string, len(k.Scopes))
	for i, s := range k.Scopes {
		names[i] = string(s)
	}
	return strings.Join(names, separator)
}

// Fields are what is said about a key, always in the same order; Before is empty.
func (k Key) Fields() []FieldChange {
	older := ""
	if k.Previous != nil {
		older = k.Previous.ID
	}
	return []FieldChange{
		{Name: "label", After: k.Label},
		{Name: "descendants", After: map[bool]string{true: "yes", false: "no"}[k.Descendants]},
		{Name: "scopes", After: k.ScopeNames(" ")},
		{Name: "allowed from", After: strings.Join(Allowlist(k), " ")},
		{Name: "quota", After: fmt.Sprintf("%d a month", k.Quota())},
		{Name: "expires", After: Stamp(k.ExpiresAt)},
		{Name: "revoked", After: Stamp(k.RevokedAt)},
		{Name: "secret id", After: k.Current.ID},
		{Name: "older id", After: older},
	}
}

// Differences are the fields that differ.
func Differences(before, after Key) (changes []FieldChange) {
	old := before.Fields()
	for i, f := range after.Fields() {
		if f.Before = old[i].After; f.Before != f.After {
			changes = append(changes, f)
		}
	}
	return changes
}

// A record is read with each request whose worker does not know the key: up to 4 KB
// cost one unit.
const (
	maxEvents     = 20
	maxEventBytes = 2000
	maxValue      = 200 // bytes of a value before or after; an allowlist may be longer
)

// note adds an event, and drops the oldest of too many.
func (k *Key) note(e Event) {
	e.By = shortened(e.By)
	for i, c := range e.Changes {
		e.Changes[i].Before, e.Changes[i].After = shortened(c.Before), shortened(c.After)
	}
	history := append(slices.Clone(k.History), e)
	history = history[max(0, len(history)-maxEvents):]
	for len(history) > 1 && sizeOf(history) > maxEventBytes {
		history = history[1:]
	}
	k.History = history
}

func shortened(value string) string {
	if len(value) <= maxValue {
		return value
	}
	return strings.ToValidUTF8(value[:maxValue], "") + "…"
}

// sizeOf is how many bytes the texts of events have, with the names of their
// attributes.
func sizeOf(history []Event) (bytes int) {
	for _, e := range history {
		bytes += 40 + len(e.By)
		for _, c := range e.Changes {
			bytes += 25 + len(c.Name) + len(c.Before) + len(c.After)
		}
	}
	return bytes
}
