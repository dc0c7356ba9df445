package loader

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/kinds"
	"touchline/shared/store/list"
)

// A shelf collects what a load changes in the lists of one kind of entry in one
// order. Projections put an entity's entries of both views on it; what differs
// becomes an edit.
type shelf[T any] struct {
	kind  list.Kind[T]
	edits map[string][]list.Op[T]
	// leaving are deletions that are made later: of entities that leave a list by
	// which others are found that show something of what changed.
	leaving map[string][]list.Op[T]
	memo    list.Memo[T]

	before, after []entry[T] // of the entity being projected
}

type entry[T any] struct {
	list string
	key  []byte
	put  *T
}

func newShelf[T any](kind list.Kind[T]) *shelf[T] {
	return &shelf[T]{kind: kind, edits: map[string][]list.Op[T]{}, leaving: map[string][]list.Op[T]{}}
}

// put says that in a view the entity is in a list, at key.
func (s *shelf[T]) put(v view, listID string, key []byte, put *T) {
	e := entry[T]{listID, key, put}
	if v == before {
		s.before = append(s.before, e)
	} else {
		s.after = append(s.after, e)
	}
}

// settle turns the difference between the two views of the entity into edits.
func (s *shelf[T]) settle() {
	byPlace := func(a, b entry[T]) int {
		return cmp.Or(cmp.Compare(a.list, b.list), bytes.Compare(a.key, b.key))
	}
	if len(s.before) > 0 {
		slices.SortFunc(s.before, byPlace)
		for _, e := range s.after {
			i, same := slices.BinarySearchFunc(s.before, e, byPlace)
			if same && reflect.DeepEqual(s.before[i].put, e.put) {
				s.before = slices.Delete(s.before, i, i+1)
				continue
			}
			if same {
				s.before = slices.Delete(s.before, i, i+1)
			}
			s.edits[e.list] = append(s.edits[e.list], list.Op[T]{Key: e.key, Put: e.put})
		}
		for _, e := range s.before {
			edits := s.edits
			if findsOthers(e.list) && !slices.ContainsFunc(s.after, func(x entry[T]) bool { return x.list == e.list }) {
				edits = s.leaving
			}
			edits[e.list] = append(edits[e.list], list.Op[T]{Key: e.key})
		}
	} else {
		for _, e := range s.after {
			s.edits[e.list] = append(s.edits[e.list], list.Op[T]{Key: e.key, Put: e.put})
		}
	}
	s.before, s.after = s.before[:0], s.after[:0]
}

// shelves are all of them.
type shelves struct {
	organizationsByID   *shelf[store.Organization]
	organizationsByName *shelf[store.Organization]
	trees               *shelf[store.TreeNode]
	competitionsByID    *shelf[store.Competition]
	competitionsByName  *shelf[store.Competition]
	teamsByID           *shelf[store.TeamEntry]
	teamsByName         *shelf[store.TeamEntry]
	playersByID         *shelf[store.PlayerEntry]
	playersByName       *shelf[store.PlayerEntry]
	squads              *shelf[store.PlayerEntry]
	matches             *shelf[store.MatchEntry]
	ids                 *shelf[store.IDEntry]
	lineups             *shelf[store.LineupEntry]
	tables              *shelf[store.TableEntry]
	clubEntries         *shelf[store.TeamEntry]
	performances        *shelf[store.PerformanceEntry]
	contributions       *shelf[store.ContributionEntry]
	scorers             *shelf[store.ScorerEntry]
	cards               *shelf[store.CardEntry]
}

func newShelves(names *collation) *shelves {
	return &shelves{
		organizationsByID:   newShelf(kinds.Organizations(func(o store.Organization) []byte { return store.IDKey(o.ID) })),
		organizationsByName: newShelf(kinds.Organizations(func(o store.Organization) []byte { return names.key(o.Name, o.ID) })),
		trees:               newShelf(kinds.Trees()),
		competitionsByID:    newShelf(kinds.Competitions(func(c store.Competition) []byte { return store.IDKey(c.ID) })),
		competitionsByName:  newShelf(kinds.Competitions(func(c store.Competition) []byte { return names.key(c.Name, c.ID) })),
		teamsByID:           newShelf(kinds.Teams(func(t store.TeamEntry) []byte { return store.IDKey(t.ID) })),
		teamsByName:         newShelf(kinds.Teams(func(t store.TeamEntry) []byte { return names.key(t.Name, t.ID) })),
		playersByID:         newShelf(kinds.Players(func(p store.PlayerEntry) []byte { return store.IDKey(p.ID) })),
		playersByName:       newShelf(kinds.Players(func(p store.PlayerEntry) []byte { return names.key(p.Name, p.ID) })),
		squads:              newShelf(kinds.Squads()),
		matches:             newShelf(kinds.Matches()),
		ids:                 newShelf(kinds.IDs()),
		lineups:             newShelf(kinds.Lineups()),
		tables:              newShelf(kinds.Tables()),
		clubEntries:         newShelf(kinds.ClubEntries()),
		performances:        newShelf(kinds.Performances()),
		contributions:       newShelf(kinds.Contributions()),
		scorers:             newShelf(kinds.Scorers(names.scorer)),
		cards:               newShelf(kinds.Cards(names.card)),
	}
}

// collation gives the place of a name in the Unicode root collation, then id
// (D15). Lists are written side by side, hence the lock.
type collation struct {
	mu       sync.Mutex
	collator *collate.Collator
	buffer   collate.Buffer
	last     string
	lastKey  []byte
}

func newCollation() *collation { return &collation{collator: collate.New(language.Und)} }

// name is the collation key of a name. No key is the beginning of another once
// the final zero stands behind it: within a key zeros only separate levels.
func (c *collation) name(name string) []byte {
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
func (c *collation) scorer(e store.ScorerEntry) []byte {
	return c.ranked(e.Player.Name, e.Player.ID, ^uint32(e.Value), uint32(e.Appearances)) //nolint:gosec // counts
}

// card is the place of a row of cards: total descending, red, secondYellow,
// name, id (D27).
func (c *collation) card(e store.CardEntry) []byte {
	name, id := e.Team.Name, e.Team.ID
	if e.Player != nil {
		name, id = e.Player.Name, e.Player.ID
	}
	return c.ranked(name, id, ^uint32(e.Total), ^uint32(e.Red), ^uint32(e.SecondYellow)) //nolint:gosec // counts
}

func (c *collation) ranked(name string, id sport.ID, by ...uint32) []byte {
	var key []byte
	for _, n := range by {
		key = binary.BigEndian.AppendUint32(key, n)
	}
	return append(key, c.key(name, id)...)
}

func (c *collation) key(name string, id sport.ID) []byte {
	k := c.name(name)
	return append(append(make([]byte, 0, len(k)+len(id)), k...), id...)
}
