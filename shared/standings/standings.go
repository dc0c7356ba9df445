// Package standings is the arithmetic of league tables and knockout ties, as
// read-api "Standings", D28, D40, D43, D44 and dataset.md "Rules of the parts"
// state it. Pure functions, no I/O: the same input in any order gives the same
// answer, and nothing given is changed or kept.
//
// # Tables
//
// A table has a row for every team entered, also for one that has not played.
// A competition without groups is one block of rows; a competition with groups
// is one block a group, in the groups' order and then by id, followed by the
// teams without a group. Ranks count from 1 in each block and are not shared:
// the order is total, because what the tie-breakers leave level is ordered by
// name and then by id.
//
// What counts:
//   - A match counts when it is finished and has a score, by that score alone:
//     a shoot-out leaves it drawn, and a winner given for a match is not asked,
//     since an awarded match carries its awarded score.
//   - Both its teams are in the same block. Where the competition has groups the
//     match is also one of that group (of none, for the teams without), so that
//     a knockout match between two teams of a group stays out of its table.
//   - Points are those of the competition's rules plus startingPoints.
//
// # Head to head
//
// Tie-breakers apply one after the other, each to the teams that all earlier
// ones left level, and each may split them into smaller sets. A head-to-head
// criterion ranks such a set by the table of the matches among exactly its
// members; where headToHeadPoints has split three level teams into one and
// two, headToHeadGoalDiff looks at the matches between those two only. A
// criterion is not applied again to a set it has split, unless the list names
// it again. startingPoints are no part of a head-to-head table.
//
// # Visibility
//
// Hidden and private teams belong in the input: their rows are taken out of
// the result, where the ranks of the others stay as computed (D40).
package standings

import "touchline/shared/sport"

// Input is what a table is computed from.
type Input struct {
	Rules  sport.Rules
	Groups []sport.Group
	Teams  []TeamEntry // every team entered, ids distinct
	// Matches of the competition's season, of any status. Read are HomeTeamID,
	// AwayTeamID, GroupID, Status and Score.
	Matches []sport.Match
}

// TeamEntry is what a table needs to know of a team.
type TeamEntry struct {
	ID             sport.ID
	NameKey        []byte   // collation key of the name (D15), compared byte by byte
	GroupID        sport.ID // empty: none; without meaning where the competition has no groups
	StartingPoints int      // may be negative: a deduction
	Seed           int      // higher first
}

// Row is a row of a table. Counts are of matches and goals; GoalDiff and the
// points may be negative.
type Row struct {
	TeamID         sport.ID
	GroupID        sport.ID // empty: none
	Rank           int      // from 1 within the group
	Played         int
	Won            int
	Drawn          int
	Lost           int
	GoalsFor       int
	GoalsAgainst   int
	GoalDiff       int
	Points         int // StartingPoints included
	StartingPoints int
}
