// Package statistics computes what is derived from matches: the minutes of a
// line-up, running scores, the performances of players, the rankings of a
// competition, and the statistics of competitions, teams and players
// (decisions.md, "Bodies"; D27, D29, D39 to D45, D53, D61). Its functions are pure. The
// result does not depend on the order of the input, except that the events of a
// match are in the order of its record; nothing that is passed in is changed or
// kept.
//
// A match with its line-ups and events is processed once, by [Spells],
// [RunningScores] and [ContributionOf]. The [Contribution] is small and depends on the
// match alone, not on the record of any player or team. Everything else is added up from
// contributions and from matches without their parts: [Rank], [OfCompetition], [OfTeam],
// [OfPlayer].
//
// # What counts
//
//   - Only finished matches, and of these only those that the caller passes: hidden
//     matches are left out of the input. Contributions of other matches count for
//     coverage only, so that live matches may be part of any input.
//   - Results are those of the tables of package standings (sport.Rules).
//   - Appearances, starts, substitutions and minutes come from published line-ups and from
//     the events that name a player listed there. A player named by events only has the
//     goals, assists and cards of these events but no appearance. He belongs to the side of
//     the event, or to the other side if it is an own goal; a listed player belongs to the
//     side of the line-up.
//   - A card for a player who is off the pitch changes no minute. Until a match is finished
//     a player on the pitch has 0 minutes: this way a goal changes nothing that is stored
//     about the other players.
//   - A goalkeeper is a player whom a line-up lists as one or, if it gives no
//     position, whose own record says so.
//   - Rankings are computed with hidden players and teams, whose rows are removed
//     afterwards, so that the ranks of the others stay as computed (D40).
package statistics
