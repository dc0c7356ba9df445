package sport

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// ID is the public identifier of a record: 24 lower-case hex digits (D13).
type ID string

// Kind is what an operator's own key is a key of; it is hashed with the key,
// so a club and a team may share one (dataset.md, Ids).
type Kind string

// The kinds that have ids.
const (
	KindOrganization Kind = "organization"
	KindCompetition  Kind = "competition"
	KindGroup        Kind = "group"
	KindTeam         Kind = "team"
	KindPlayer       Kind = "player"
	KindMatch        Kind = "match"
	KindEvent        Kind = "event"
)

// IDLength is the number of hex digits of an ID.
const IDLength = 24

// IsID reports whether s has the form of an ID: exactly 24 lower-case hex
// digits. With upper-case digits it is another string, and not an id (D13).
func IsID(s string) bool {
	return len(s) == IDLength && strings.Trim(s, "0123456789abcdef") == ""
}

// IDFor gives the id of what an operator calls key: the key itself where it is
// an id, else the first 24 hex digits of SHA-256 of kind, a NUL byte and the
// key (dataset.md, Ids). The same key gives the same id in every load.
func IDFor(kind Kind, key string) ID {
	if IsID(key) {
		return ID(key)
	}
	h := sha256.New()
	h.Write([]byte(kind))
	h.Write([]byte{0})
	h.Write([]byte(key))
	return ID(hex.EncodeToString(h.Sum(nil))[:IDLength])
}

// Viewer is whose data a request may see: that of a key's organization, and
// with Descendants of everything below it (read-api, Purpose and scope).
type Viewer struct {
	Organization ID
	Descendants  bool
}
