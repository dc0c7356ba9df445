package diff

import (
	"bytes"
	"encoding/binary"
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Collation gives the place of a name in the Unicode root collation, then id
// (D15). The lock is there because lists are written in parallel.
type Collation struct {
	mu       sync.Mutex
	collator *collate.Collator
	buffer   collate.Buffer
	last     string
	lastKey  []byte
}

func NewCollation() *Collation { return &Collation{collator: collate.New(language.Und)} }

// Name is the collation key of a name. With the final zero after it, no key is
// a prefix of another: within a key zeros only separate levels.
func (c *Collation) Name(name string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if name != c.last || c.lastKey == nil {
		c.buffer.Reset()
		c.last, c.lastKey = name, append(bytes.Clone(c.collator.KeyFromString(&c.buffer, name)), 0)
	}
	return c.lastKey
}

// scorer is the place of a row of top scorers: value descending, fewer
// appearances, name, id (D27).
func (c *Collation) scorer(e records.ScorerEntry) []byte {
	return c.ranked(e.Player.Name, e.Player.ID, ^uint32(e.Value), uint32(e.Appearances)) //nolint:gosec // counts
}

// card is the place of a row of cards: total descending, red, secondYellow,
// name, id (D27).
func (c *Collation) card(e records.CardEntry) []byte {
	name, id := e.Team.Name, e.Team.ID
	if e.Player != nil {
		name, id = e.Player.Name, e.Player.ID
	}
	return c.ranked(name, id, ^uint32(e.Total), ^uint32(e.Red), ^uint32(e.SecondYellow)) //nolint:gosec // counts
}

func (c *Collation) ranked(name string, id sport.ID, by ...uint32) []byte {
	var key []byte
	for _, n := range by {
		key = binary.BigEndian.AppendUint32(key, n)
	}
	return append(key, c.Key(name, id)...)
}

func (c *Collation) Key(name string, id sport.ID) []byte {
	k := c.Name(name)
	return append(append(make([]byte, 0, len(k)+len(id)), k...), id...)
}
