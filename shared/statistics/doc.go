// Package statistics computes what is derived from matches: the minutes of a
// line-up, running scores, the performances of players, the rankings of a
// competition, and the statistics of competitions, teams and players
// (decisions.md, "Bodies"; D27, D29, D39 to D45). Its functions are pure. The
// result does not depend on the order of the input, except that the events of a
// match are in the order of its record; nothing that is passed in is changed or
// kept.
//
// # Two steps
//
// A match with its line-ups and events is processed once, by [Spells],
// [RunningScores] and [ContributionOf]. The [Contribution] is small, can be stored as
// JSON, and depends on the match alone, not on the record of any player or team.
// Everything else is added up from contributions and from matches without their
// parts: [Rank], [OfCompetition], [OfTeam], [OfPlayer].
//
// # What counts
//
//   - Only finished matches, and of these only those that the caller passes: hidden
//     matches are left out of the input. Contributions of other matches count for
//     coverage only, so that live matches may be part of any input.
//   - Results (won, drawn, lost, points, form, streaks, home wins, clean sheets) are
//     those of the tables of package standings (sport.Rules): they follow from the
//     score, and a shoot-out makes a draw unless the rules give points for one. A
//     winner given for a match does not count; points given for it do.
//   - Penalties of a shoot-out are not goals. A player's goals include penalty goals
//     but not own goals. A second yellow card counts as a second yellow and not as
//     another yellow; the first one still counts as a yellow (D27).
//   - Cards of a team and of a competition, and goals by minute, are counted from the
//     events, whether or not these name a player. totals.goals and the goals of a
//     team are those of the scores (D42), which the events need not account for.
//
// # Line-ups
//
// Appearances, starts, substitutions and minutes come from published line-ups
// (confirmed, D45) and from the events that name a player listed there. A player
// named by events only has the goals, assists and cards of these events but no
// appearance: without a line-up it is not known who was on the pitch. Such a
// player belongs to the side of the event, or to the other side if it is an own
// goal; a listed player belongs to the side of the line-up. Substitutions have
// no effect on players who are not listed.
//
// minuteIn is 0 for a starter, otherwise the minute of the substitution.
// minuteOut is the minute of the substitution or the sending-off, nil for
// players on the pitch at the end. A card for a player who is off the pitch
// changes no minute. If a player comes back, minuteIn is the first minute on and
// minuteOut the last minute off, and the minutes played are the sum of all
// spells (D53). Stoppage time counts as the last minute of its period (in football 45,
// 90, 105, 120); no minute is above the length of the match (D61).
//
// Until a match is finished its performances are what has happened so far,
// except that a player on the pitch has 0 minutes until leaving it (D53): this
// way a goal changes nothing that is stored about the other players. Before a
// match starts nobody has appeared.
//
// # Goalkeepers
//
// A goalkeeper is a player whom a line-up lists as one or, if it gives no
// position, whose own record says so. A clean sheet is a finished match in which
// a goalkeeper appeared, for however long, and his side conceded nothing by the
// score, whether or not the events are known.
//
// # Visibility
//
// Rankings are computed with hidden players and teams, whose rows are removed
// afterwards, so that the ranks of the others stay as computed (D40).
package statistics
