package records

import (
	"encoding/binary"
	"strconv"
	"strings"

	"touchline/shared/packed"
	"touchline/shared/sport"
	"touchline/shared/store/pagedlist"
)

// Facet is what filters select the entries of a list by, as far as they have it.
type Facet struct {
	Season int
	Gender string
	Status string
	Level  int   // of a tree
	Ends   int64 // Unix seconds, 0: none
}

// pack is the facet as lists hold it.
func (f Facet) pack() pagedlist.Facet { return pagedlist.Facet(packed.Append(nil, &f)) }

// FacetOf is a facet that a schema has packed; zero where none has.
func FacetOf(f pagedlist.Facet) Facet {
	var facet Facet
	if err := packed.Value([]byte(f), &facet); err != nil {
		return Facet{}
	}
	return facet
}

// ByFacet is the Match of a request that selects by facet; nil selects all.
func ByFacet(selects func(Facet) bool) func(pagedlist.Facet) bool {
	if selects == nil {
		return nil
	}
	return func(f pagedlist.Facet) bool { return selects(FacetOf(f)) }
}

// OrganizationSchema is that of organization lists; facets: status.
func OrganizationSchema(key func(Organization) []byte) pagedlist.Schema[Organization] {
	return pagedlist.Schema[Organization]{
		Name: "organization", Key: key,
		Facet: func(o Organization) pagedlist.Facet { return Facet{Status: string(o.Status)}.pack() },
	}
}

// TreeSchema is that of tree lists, breadth first; facets: the level.
func TreeSchema() pagedlist.Schema[TreeNode] {
	return pagedlist.Schema[TreeNode]{
		Name:  "tree",
		Key:   func(n TreeNode) []byte { return n.Path },
		Facet: func(n TreeNode) pagedlist.Facet { return Facet{Level: n.Level}.pack() },
	}
}

// The statuses of competitions in lists. An open one is active while its end is not past
// (D18).
const (
	Open      = "open"
	Completed = "completed"
)

// CompetitionSchema is that of competition lists; facets: season, gender,
// whether completed, and the end that decides whether an open one is active
// (D18).
func CompetitionSchema(key func(Competition) []byte) pagedlist.Schema[Competition] {
	return pagedlist.Schema[Competition]{
		Name: "competition",
		Key:  key,
		Facet: func(c Competition) pagedlist.Facet {
			f := Facet{Season: c.Season, Gender: string(c.Gender), Status: Open, Ends: c.EndsAt}
			if c.Completed {
				f.Status = Completed
			}
			return f.pack()
		},
	}
}

// TeamSchema is that of team lists; facets: status, and season where there is a
// competition whose season it is (D17).
func TeamSchema(key func(TeamEntry) []byte) pagedlist.Schema[TeamEntry] {
	return pagedlist.Schema[TeamEntry]{
		Name: "team",
		Key:  key,
		Facet: func(t TeamEntry) pagedlist.Facet {
			f := Facet{Status: string(t.Status)}
			if t.CompetitionID != "" {
				f.Season = t.Season
			}
			return f.pack()
		},
		Hidden: teamHidden,
	}
}

func teamHidden(t TeamEntry) bool { return t.Hidden }

// PlayerSchema is that of player lists; facets: season and status.
func PlayerSchema(key func(PlayerEntry) []byte) pagedlist.Schema[PlayerEntry] {
	return pagedlist.Schema[PlayerEntry]{
		Name: "player",
		Key:  key,
		Facet: func(p PlayerEntry) pagedlist.Facet {
			f := Facet{Season: p.Season, Status: string(sport.Active)}
			if p.Inactive {
				f.Status = string(sport.Inactive)
			}
			return f.pack()
		},
		Hidden: func(p PlayerEntry) bool { return p.Hidden },
	}
}

// SquadSchema is that of squads: by number, then id.
func SquadSchema() pagedlist.Schema[PlayerEntry] {
	return PlayerSchema(func(p PlayerEntry) []byte { return NumberKey(p.Number, p.ID) })
}

// MatchSchema is that of match lists, by kickoff, then id; facets: season and
// status.
func MatchSchema() pagedlist.Schema[MatchEntry] {
	return pagedlist.Schema[MatchEntry]{
		Name:   "match",
		Key:    func(m MatchEntry) []byte { return KickoffKey(m.Kickoff, m.ID) },
		Facet:  func(m MatchEntry) pagedlist.Facet { return Facet{Season: m.Season, Status: string(m.Status)}.pack() },
		Hidden: func(m MatchEntry) bool { return m.Hidden },
	}
}

// PerformanceSchema is that of players' matches, by kickoff, then match id;
// facets: season and status.
func PerformanceSchema() pagedlist.Schema[PerformanceEntry] {
	return pagedlist.Schema[PerformanceEntry]{
		Name: "performance",
		Key:  func(p PerformanceEntry) []byte { return KickoffKey(p.Kickoff, p.Match) },
		Facet: func(p PerformanceEntry) pagedlist.Facet {
			return Facet{Season: p.Season, Status: string(p.Status)}.pack()
		},
		Hidden: func(p PerformanceEntry) bool { return p.Hidden },
	}
}

// The statuses of a club's entries: its own, which are in no competition and so
// not among its competition copies (D26, D44), and copies of a competition's
// current season and of others (D46).
const (
	OwnEntry      = "own"
	CurrentEntry  = "current"
	ArchivedEntry = "archived"
)

// ClubEntrySchema is that of a club's team entries, the most recent first: by season
// and competition id, both descending, then id (D44). Facets: season and status.
func ClubEntrySchema() pagedlist.Schema[TeamEntry] {
	return pagedlist.Schema[TeamEntry]{
		Name: "club entry",
		Key:  recentKey,
		Facet: func(t TeamEntry) pagedlist.Facet {
			f := Facet{Season: t.Season, Status: CurrentEntry}
			switch {
			case t.CompetitionID == "":
				f.Status = OwnEntry
			case t.Archived:
				f.Status = ArchivedEntry
			}
			return f.pack()
		},
		Hidden: teamHidden,
	}
}

// recentKey orders by season and competition id descending, then id: what
// descends is written as its complement, an id that is missing as the least.
func recentKey(t TeamEntry) []byte {
	key := binary.BigEndian.AppendUint32(make([]byte, 0, 4+2*sport.IDLength), ^uint32(t.Season)) //nolint:gosec // a season has at most nine digits
	for i := range sport.IDLength {
		b := byte(0)
		if i < len(t.CompetitionID) {
			b = t.CompetitionID[i]
		}
		key = append(key, ^b)
	}
	return append(key, t.ID...)
}

// ScorerSchema is that of top scorer lists, by rank (D27).
func ScorerSchema(key func(ScorerEntry) []byte) pagedlist.Schema[ScorerEntry] {
	return pagedlist.Schema[ScorerEntry]{Name: "scorer", Key: key}
}

// CardSchema is that of card lists, by rank (D27).
func CardSchema(key func(CardEntry) []byte) pagedlist.Schema[CardEntry] {
	return pagedlist.Schema[CardEntry]{Name: "card", Key: key}
}

// IDSchema is that of the loader's lists of ids.
func IDSchema() pagedlist.Schema[IDEntry] {
	return pagedlist.Schema[IDEntry]{Name: "id", Key: func(e IDEntry) []byte { return IDKey(e.ID) }}
}

// ContributionSchema is that of the loader's lists of what matches add to sums.
func ContributionSchema() pagedlist.Schema[ContributionEntry] {
	return pagedlist.Schema[ContributionEntry]{Name: "contribution", Key: func(e ContributionEntry) []byte { return IDKey(e.Match) }}
}

// LineupSchema is that of line-up lists, by player, then match.
func LineupSchema() pagedlist.Schema[LineupEntry] {
	return pagedlist.Schema[LineupEntry]{Name: "lineup", Key: func(e LineupEntry) []byte { return IDKey(e.Player + e.Match) }}
}

// TableSchema is that of the list of given tables.
func TableSchema() pagedlist.Schema[TableEntry] {
	return pagedlist.Schema[TableEntry]{Name: "table", Key: func(e TableEntry) []byte {
		return []byte(string(e.Competition) + string(SeasonTag(e.Season)) + string(e.Table))
	}}
}

// TableOf is the entry of a TableSchema at a key; false: none has that key.
func TableOf(key []byte) (TableEntry, bool) {
	competition, rest, ok := strings.Cut(string(key), "S#")
	const digits = 9 // SeasonTag
	if !ok || len(rest) < digits {
		return TableEntry{}, false
	}
	season, err := strconv.Atoi(rest[:digits])
	return TableEntry{Competition: sport.ID(competition), Season: season, Table: sport.TableName(rest[digits:])}, err == nil
}

// The entries of lists that are not records themselves, and their places.

// TeamEntry is an entry of a team list. In tournament lists hidden teams are
// there too, with a facet that keeps them from every response: the loader needs
// them for the table (D40).
type TeamEntry struct {
	Team
	Hidden bool `dynamodbav:"hi,omitempty"`
	// Archived: of a season that is not the current one of its competition. Only
	// lists of a club's entries say so (D46).
	Archived bool `dynamodbav:"ar,omitempty"`
}

// PlayerEntry is an entry of a player list. In squads hidden players are there
// too, as in tournament lists hidden teams.
type PlayerEntry struct {
	Player
	Season   int  `dynamodbav:"se,omitempty"` // of the team's competition
	Inactive bool `dynamodbav:"in,omitempty"`
	Hidden   bool `dynamodbav:"hi,omitempty"`
}

// MatchEntry is an entry of a match list; hidden matches as in TeamEntry.
type MatchEntry struct {
	Match
	Hidden bool `dynamodbav:"hi,omitempty"`
	// Private: hidden by its own visibility, so that it does not count for a
	// table either. A match hidden with a team does (D40).
	Private bool `dynamodbav:"pv,omitempty"`
	// Fair play points of a finished match, at most 0: tables
	// that compare by them read no events.
	HomeFairPlay int `dynamodbav:"hf,omitempty"`
	AwayFairPlay int `dynamodbav:"af,omitempty"`
}

// IDEntry is an entry of a loader's list.
type IDEntry struct {
	ID sport.ID `dynamodbav:"i"`
}

// LineupEntry is an entry of LineupPlayers: one player in one match.
type LineupEntry struct {
	Player sport.ID `dynamodbav:"p"`
	Match  sport.ID `dynamodbav:"m"`
}

// TableEntry is an entry of EveryTable.
type TableEntry struct {
	Competition sport.ID        `dynamodbav:"k"`
	Season      int             `dynamodbav:"s"`
	Table       sport.TableName `dynamodbav:"t"`
}

// IDKey is the place of an id in a list by id.
func IDKey(id sport.ID) []byte { return []byte(id) }

// KickoffKey is the place of a match in a list by kickoff, then id: eight bytes
// of time that order as signed numbers do, and the id. With an empty id it is
// the lower bound of all matches at that time.
func KickoffKey(kickoff int64, id sport.ID) []byte {
	key := binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(id)), uint64(kickoff)^(1<<63)) //nolint:gosec // the bits are meant, not the number
	return append(key, id...)
}

// NumberKey is the place of a player in a squad: number, then id.
func NumberKey(number int, id sport.ID) []byte {
	key := binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(id)), uint32(number)) //nolint:gosec // a dataset's numbers fit, dataset refuses others
	return append(key, id...)
}
