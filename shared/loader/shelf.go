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
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// A shelf collects what a load changes in the lists of one kind of entry in one
// order. Projections put an entity's entries of both views on it; what differs
// becomes an edit.
type shelf[T any] struct {
	kind  pagedlist.Kind[T]
	edits map[string][]pagedlist.Op[T]
	// leaving are deletions that are made later: of entities that leave a list by
	// which others are found that show something of what changed.
	leaving map[string][]pagedlist.Op[T]
	memo    pagedlist.Memo[T]

	before, after []entry[T] // of the entity being projected
}

type entry[T any] struct {
	list string
	key  []byte
	put  *T
}

func newShelf[T any](kind pagedlist.Kind[T]) *shelf[T] {
	return &shelf[T]{kind: kind, edits: map[string][]pagedlist.Op[T]{}, leaving: map[string][]pagedlist.Op[T]{}}
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
			s.edits[e.list] = append(s.edits[e.list], pagedlist.Op[T]{Key: e.key, Put: e.put})
		}
		for _, e := range s.before {
			edits := s.edits
			if findsOthers(e.list) && !slices.ContainsFunc(s.after, func(x entry[T]) bool { return x.list == e.list }) {
				edits = s.leaving
			}
			edits[e.list] = append(edits[e.list], pagedlist.Op[T]{Key: e.key})
		}
	} else {
		for _, e := range s.after {
			s.edits[e.list] = append(s.edits[e.list], pagedlist.Op[T]{Key: e.key, Put: e.put})
		}
	}
	s.before, s.after = s.before[:0], s.after[:0]
}

// shelves are all of them.
type shelves struct {
	organizationsByID   *shelf[records.Organization]
	organizationsByName *shelf[records.Organization]
	trees               *shelf[records.TreeNode]
	competitionsByID    *shelf[records.Competition]
	competitionsByName  *shelf[records.Competition]
	teamsByID           *shelf[records.TeamEntry]
	teamsByName         *shelf[records.TeamEntry]
	playersByID         *shelf[records.PlayerEntry]
	playersByName       *shelf[records.PlayerEntry]
	squads              *shelf[records.PlayerEntry]
	matches             *shelf[records.MatchEntry]
	ids                 *shelf[records.IDEntry]
	lineups             *shelf[records.LineupEntry]
	tables              *shelf[records.TableEntry]
	clubEntries         *shelf[records.TeamEntry]
	performances        *shelf[records.PerformanceEntry]
	contributions       *shelf[records.ContributionEntry]
	scorers             *shelf[records.ScorerEntry]
	cards               *shelf[records.CardEntry]
}

func newShelves(names *collation) *shelves {
	return &shelves{
		organizationsByID:   newShelf(records.OrganizationKind(func(o records.Organization) []byte { return records.IDKey(o.ID) })),
		organizationsByName: newShelf(records.OrganizationKind(func(o records.Organization) []byte { return names.key(o.Name, o.ID) })),
		trees:               newShelf(records.TreeKind()),
		competitionsByID:    newShelf(records.CompetitionKind(func(c records.Competition) []byte { return records.IDKey(c.ID) })),
		competitionsByName:  newShelf(records.CompetitionKind(func(c records.Competition) []byte { return names.key(c.Name, c.ID) })),
		teamsByID:           newShelf(records.TeamKind(func(t records.TeamEntry) []byte { return records.IDKey(t.ID) })),
		teamsByName:         newShelf(records.TeamKind(func(t records.TeamEntry) []byte { return names.key(t.Name, t.ID) })),
		playersByID:         newShelf(records.PlayerKind(func(p records.PlayerEntry) []byte { return records.IDKey(p.ID) })),
		playersByName:       newShelf(records.PlayerKind(func(p records.PlayerEntry) []byte { return names.key(p.Name, p.ID) })),
		squads:              newShelf(records.SquadKind()),
		matches:             newShelf(records.MatchKind()),
		ids:                 newShelf(records.IDKind()),
		lineups:             newShelf(records.LineupKind()),
		tables:              newShelf(records.TableKind()),
		clubEntries:         newShelf(records.ClubEntryKind()),
		performances:        newShelf(records.PerformanceKind()),
		contributions:       newShelf(records.ContributionKind()),
		scorers:             newShelf(records.ScorerKind(names.scorer)),
		cards:               newShelf(records.CardKind(names.card)),
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
func (c *collation) scorer(e records.ScorerEntry) []byte {
	return c.ranked(e.Player.Name, e.Player.ID, ^uint32(e.Value), uint32(e.Appearances)) //nolint:gosec // counts
}

// card is the place of a row of cards: total descending, red, secondYellow,
// name, id (D27).
func (c *collation) card(e records.CardEntry) []byte {
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
