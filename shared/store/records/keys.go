package records

import (
	"fmt"
	"strconv"
	"strings"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/space"
)

// The keys of the Sports table, all built here. Every partition key but that of the
// version begins with space.Prefix, which is left out below. Access patterns:
//
//	one organization          O#<id>   -
//	one team, one player      T#<id>   -            P#<id>  -
//	one match                 M#<id>   -            its details: L line-ups, E events,
//	                                                V figures; D all three as given
//	one competition's season  C#<id>   <tag>        its tables: <tag>#T, groups: <tag>#G,
//	                                                statistics: <tag>#V
//	where a season lies       C#<id>   S#<season, 9 digits>#C
//	which seasons there are   C#<id>   S
//	what a team's or player's
//	seasons add up to         T#<id>, P#<id>        S
//	a table given by a load   C#<id>   X#<season>#<table>
//	a list                    L#<list> head, chunks, pages (package pagedlist)
//	a piece of an item that is
//	larger than DynamoDB allows  <pk>     <sk>~<name>#<piece, 3 digits> (pieces.go)
//	the loader's own items    LOAD     lock, load#<number>, load#journal#<n>,
//	                                   undo#<number>#<n>, erased#<kind>#<id>#<season>
//	which layouts there are   LOAD     version, without a space
//
// <tag> is "cur" for the current season and "S#<season, 9 digits>" for every other. So a
// request that names no season need not look up which one is current. Which lists there
// are: lists.go.

// Tag names a season of a competition within its partition.
type Tag string

// CurrentTag is the tag of a competition's current season.
const CurrentTag Tag = "cur"

// SeasonTag is the tag of a season that is not the current one.
func SeasonTag(season int) Tag { return Tag(fmt.Sprintf("S#%09d", season)) }

// What the sort keys of a season's tables and statistics end with.
const (
	tableSuffix      = "#T"
	statisticsSuffix = "#V"
)

func key(pk, sk string) store.Key { return store.Key{PK: space.Prefix + pk, SK: sk} }

// Source says, by the key of an item, which record it is, if a dataset brought it. The kind
// is empty for every other item: it follows from those, but for a match's details (MatchDetailKey).
func Source(key store.Key) (kind sport.Kind, id sport.ID) {
	letter, id := Partition(key.PK)
	switch letter {
	case 'O', 'T', 'P', 'M':
		if key.SK == single {
			return KindOf(letter), id
		}
	case 'C':
		if IsCompetitionSK(key.SK) || IsGivenTableSK(key.SK) {
			return KindOf(letter), id
		}
	}
	return "", ""
}

// Given reports whether an item holds what a dataset has brought, or a piece of that: a
// record, or the details of a match.
func Given(key store.Key) bool {
	key.SK, _, _ = strings.Cut(key.SK, pieceSeparator)
	kind, _ := Source(key)
	_, id := Partition(key.PK)
	return kind != "" || key == MatchDetailKey(id)
}

// KindOf is the kind of the records in partitions of a letter; empty: of none.
func KindOf(letter byte) sport.Kind { return kinds[letter] }

var kinds = [256]sport.Kind{
	'O': sport.KindOrganization, 'C': sport.KindCompetition, 'T': sport.KindTeam, 'P': sport.KindPlayer, 'M': sport.KindMatch,
}

// Partition says what a partition is of: the letter that begins its key within the
// space, and the id. It is 0 for what has no such form, and in another space.
func Partition(pk string) (kind byte, id sport.ID) {
	own, ok := strings.CutPrefix(pk, space.Prefix)
	if !ok || len(own) < 2 || own[1] != '#' {
		return 0, ""
	}
	return own[0], sport.ID(own[2:])
}

// single is the sort key of a partition with one record.
const single = "-"

// Where the records of these names lie: TeamSeasonsKey and PlayerSeasonsKey for a
// SeasonsRecord, StatisticsKey for the CompetitionStatisticsRecord.

func OrganizationKey(id sport.ID) store.Key  { return key("O#"+string(id), single) }
func TeamKey(id sport.ID) store.Key          { return key("T#"+string(id), single) }
func PlayerKey(id sport.ID) store.Key        { return key("P#"+string(id), single) }
func MatchKey(id sport.ID) store.Key         { return key("M#"+string(id), single) }
func MatchDetailKey(id sport.ID) store.Key   { return key("M#"+string(id), "D") }
func LineupsKey(id sport.ID) store.Key       { return key("M#"+string(id), "L") }
func EventsKey(id sport.ID) store.Key        { return key("M#"+string(id), "E") }
func FiguresKey(id sport.ID) store.Key       { return key("M#"+string(id), "V") }
func TeamSeasonsKey(id sport.ID) store.Key   { return key("T#"+string(id), seasonsSK) }
func PlayerSeasonsKey(id sport.ID) store.Key { return key("P#"+string(id), seasonsSK) }

func CompetitionKey(id sport.ID, tag Tag) store.Key { return ofCompetition(id, string(tag)) }
func GroupsKey(id sport.ID, tag Tag) store.Key      { return ofCompetition(id, string(tag)+"#G") }
func TableKey(id sport.ID, tag Tag) store.Key       { return ofCompetition(id, string(tag)+tableSuffix) }
func StatisticsKey(id sport.ID, tag Tag) store.Key {
	return ofCompetition(id, string(tag)+statisticsSuffix)
}
func CompetitionSeasonsKey(id sport.ID) store.Key { return ofCompetition(id, seasonsSK) }
func SeasonKey(id sport.ID, season int) store.Key {
	return ofCompetition(id, string(SeasonTag(season))+"#C")
}

// seasonsSK is the sort key of a SeasonsRecord, and of a competition's seasons.
const seasonsSK = "S"

func ofCompetition(id sport.ID, sk string) store.Key { return store.Key{PK: CompetitionPK(id), SK: sk} }

// SeasonOf is the season whose SeasonRecord has a sort key; false: none has.
func SeasonOf(sk string) (int, bool) {
	tag, ok := strings.CutSuffix(sk, "#C")
	season, err := strconv.Atoi(strings.TrimPrefix(tag, "S#"))
	return season, ok && err == nil
}

// CompetitionPK is the partition of all seasons of a competition.
func CompetitionPK(id sport.ID) string { return space.Prefix + "C#" + string(id) }

// IsCompetitionSK tells a CompetitionRecord from the other items of its
// partition.
func IsCompetitionSK(sk string) bool {
	return sk == string(CurrentTag) || strings.HasPrefix(sk, "S#") && strings.Count(sk, "#") == 1
}

// givenPrefix begins the sort keys of a competition's GivenTableRecords.
const givenPrefix = "X#"

// GivenTableKey is where a GivenTableRecord lies. It is keyed by the season
// itself: a table stays where it is when the current season changes.
func GivenTableKey(id sport.ID, season int, table sport.TableName) store.Key {
	return ofCompetition(id, fmt.Sprintf("%s%09d#%s", givenPrefix, season, table))
}

// IsGivenTableSK tells a GivenTableRecord from the other items of its partition.
func IsGivenTableSK(sk string) bool { return strings.HasPrefix(sk, givenPrefix) && !IsPiece(sk) }

// GivenTableIn is the season and the table that the sort key of a GivenTableRecord names.
func GivenTableIn(sk string) (season int, table sport.TableName, err error) {
	year, name, _ := strings.Cut(strings.TrimPrefix(sk, givenPrefix), "#")
	season, err = strconv.Atoi(year)
	return season, sport.TableName(name), err
}

// loadPK is the partition of the loader's own items.
const loadPK = "LOAD"

// LockKey is where the lease of a running load lies, and with it the header of the
// journal.
func LockKey() store.Key { return key(loadPK, "lock") }

// VersionKey is where the table says which layouts it has (package generation): the
// same in all of them.
func VersionKey() store.Key { return store.Key{PK: loadPK, SK: "version"} }

// JournalKey is where the n-th piece of the journal lies, from 0.
func JournalKey(n int) store.Key { return key(loadPK, fmt.Sprintf("%s%06d", JournalPrefix, n)) }

// JournalPrefix begins the sort keys of a journal's pieces.
const JournalPrefix = "load#journal#"

// JournalPK is the partition of the journal.
const JournalPK = space.Prefix + loadPK

// LoadKey is where the history keeps a load, by its number (history.Past).
func LoadKey(number int) store.Key { return key(loadPK, fmt.Sprintf("load#%010d", number)) }

// ErasedPrefix begins the sort keys of ErasedKey.
const ErasedPrefix = "erased#"

// ErasedKey is where the table keeps that a record was erased (D69); season is 0 where it
// is no season of a competition.
func ErasedKey(kind sport.Kind, id sport.ID, season int) store.Key {
	return key(loadPK, fmt.Sprintf("%s%s#%s#%d", ErasedPrefix, kind, id, season))
}

// ErasedRecord is all that the table keeps of a record that was erased: its id is a digest.
type ErasedRecord struct {
	Kind   sport.Kind `dynamodbav:"k"`
	ID     sport.ID   `dynamodbav:"i"`
	Season int        `dynamodbav:"s,omitempty"`
	Day    string     `dynamodbav:"d"` // YYYY-MM-DD, in UTC
}

// UndoKey is the key of the n-th piece, from 0, of what undoes a load.
func UndoKey(number, n int) store.Key {
	return key(loadPK, fmt.Sprintf("undo#%010d#%06d", number, n))
}
