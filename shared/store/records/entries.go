package records

import (
	"encoding/binary"

	"touchline/shared/sport"
)

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
