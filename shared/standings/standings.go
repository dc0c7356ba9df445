// Package standings is the arithmetic of league tables and knockout ties, as
// read-api "Standings", D28, D40, D43, D44, D55 and dataset.md "Rules of the
// parts" state it. Pure functions, no I/O: the same input in any order gives the
// same result, and nothing given is changed or kept.
//
// # Tables
//
// A table has a row for every team entered, also for one that has not played.
// A competition without groups is one section of rows; a competition with groups
// is one section a group, in the groups' order and then by id, followed by the
// teams without a group. Ranks count from 1 in each section and are not shared:
// the order is total, because what the criteria leave level is ordered by
// name and then by id.
//
// What counts:
//   - A match counts when it is finished and has a score. It is won, drawn or lost
//     by its winner where that is not the one of score and shoot-out (D59: a ruling;
//     none has lost it for both), else by its score. A shoot-out leaves it drawn,
//     unless the rules have points for one.
//   - Both its teams are in the same section. Where the competition has groups the
//     match is also one of that group (of none, for the teams without), so that
//     a knockout match between two teams of a group stays out of its table. With
//     acrossGroups a match between teams of two groups counts in both sections.
//   - Points are those given for the match, else those of the rules, plus
//     startingPoints or what is carried. With shootoutGoal the winner of a shoot-out has one goal more (D78).
//
// # Order
//
// A team that has withdrawn is below all others of its section.
//
// Criteria apply one after the other, each to the teams that all earlier ones
// left level, and each may split them into smaller sets. A block of head to head
// ranks such a set by the table of the matches among exactly its members: all
// criteria of the block are computed on that one table. Those that the whole block
// leaves level, if they are fewer, get a table of their own and the block again,
// before the criteria behind it. startingPoints are no part of such a table. A block that
// waits is passed over until all matches among its teams are played (D67).
//
// # Carry
//
// A child's table starts from the parent's (Input.Parent): with the points of the
// parent's rows, all or half, less what is deducted from its team in the child; with the record, also played, won, drawn, lost and
// goals, and the parent's matches for head to head. Among qualified, only matches
// among the teams that came into the child count. A child's team is found in the
// parent by its entry, its club or its name.
//
// # Visibility
//
// Hidden and private teams belong in the input: their rows are taken out of
// the result, where the ranks of the others stay as computed (D40).
package standings

import (
	"touchline/shared/sport"
)

// Input is what a table is computed from.
type Input struct {
	Rules  sport.Rules
	Groups []sport.Group
	Teams  []TeamEntry // every team entered, ids distinct
	// Matches of the competition's season, of any status. Read are HomeTeamID,
	// AwayTeamID, GroupID, Status, Score, Penalties, ExtraTime, Winner, Points and
	// SetPoints.
	Matches []sport.Match
	// CardPoints are the fair play points of a match, at most 0; nil: none has any.
	CardPoints func(*sport.Match) (home, away int)
	// Parent is the competition that this one is a child of. nil if there isn't one, or
	// nothing of the rules asks for it.
	Parent *Parent
}

// Parent is the table that a child's teams come from.
type Parent struct {
	Input
	Given []Row // rows that replace what would be computed (Given); nil: none
}

// NeedsParent reports whether the rules of a child ask for the parent's table.
func NeedsParent(r sport.Rules) bool {
	return r.Carry != nil || sport.Uses(r.TieBreakers, sport.ByParentRank)
}

// TeamEntry is what a table needs to know of a team.
type TeamEntry struct {
	ID             sport.ID
	NameKey        []byte   // collation key of the name (D15), compared byte by byte
	ClubID         sport.ID // empty: none; by which it is found in a parent's table
	GroupID        sport.ID // empty: none; without meaning where the competition has no groups
	StartingPoints int      // may be negative: a deduction; where the rules carry, only that counts (D85)
	Seed           int      // higher first
	Withdrawn      bool     // from the season: below all others of its section
}

// Row is a row of a table, computed or given. Ranks count from 1 within the group; Points
// include StartingPoints.
type Row = sport.GivenRow
