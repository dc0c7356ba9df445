// Package statistics is the arithmetic of what is derived from matches: the
// minutes of a line-up, running scores, the performances of players, the
// rankings of a competition and the statistics of competitions, teams and
// players (decisions.md, "Bodies"; D27, D29, D39 to D45). Pure functions, no I/O: the same input in any order gives the same
// answer, and nothing given is changed or kept. Only the order of a match's
// events means something, since it is their order in the record.
//
// # Two steps
//
// A match with its line-ups and events is looked at once: [LineupsOf],
// [Timeline] and [ContributionOf]. The [Contribution] is small and has a JSON
// form to be kept; it depends on the match alone, on no player or team record.
// Everything else is added up from contributions and from matches without their
// parts: [Rank], [OfCompetition], [OfTeam], [OfPlayer].
//
// # What counts
//
//   - Finished matches, and of these what the caller gives: hidden matches stay
//     out of the input. Contributions of other matches count for coverage only,
//     so a live match may be in every input.
//   - Results (won, drawn, lost, points, form, streaks, home wins, clean sheets)
//     are those of the tables of package standings (sport.Rules): of the score,
//     where a shoot-out is a draw unless the rules have points for one. A winner
//     given for a match does not count, points given for it do.
//   - Shoot-out penalties are no goals. A player's goals hold the penalty goals
//     and not the own goals. A second yellow card is a second yellow and not
//     again a yellow; the yellow before it stays one (D27).
//   - Cards of a team, of a competition, and goals by minute are those of the
//     events, named player or not. totals.goals and a team's goals are those of
//     the scores (D42), which events need not cover.
//
// # Line-ups
//
// Appearances, starts, substitutions and minutes come from published line-ups
// (confirmed, D45) and the events that name a player listed there. A player
// whom only an event names has the goals, assists and cards that he is named
// for, and no appearance: without a line-up it is not known who else was on the
// pitch. Such a player's side is the event's, for an own goal the other one; a
// listed player's side is that of the line-up. Substitutions change nothing for
// players who are not listed.
//
// minuteIn is 0 for a starter, else the minute of the substitution; minuteOut is
// that of the substitution or the sending-off, nil for who is on the pitch at
// the end. A card for a player off the pitch changes no minute. Where a player
// comes back, minuteIn is the first minute on and minuteOut the last one off, and
// the minutes played are the sum of the spells (D53). Stoppage time is
// the last minute of its period (45, 90, 105, 120), and without extra time no
// minute is above 90.
//
// While a match is not finished its performances are what has happened so far,
// but that whoever is on the pitch has 0 minutes until he leaves it (D53): a goal
// changes nothing that is stored of the others.
// Before it starts nobody has appeared.
//
// # Goalkeepers
//
// A goalkeeper is a player whom a line-up lists as one or, if it names no
// position, who is one by the player's own record. A clean sheet is a finished
// match in which a goalkeeper appeared, for however long, and his side conceded
// nothing by the score, whether or not the events are known.
//
// # Visibility
//
// Rankings are computed with hidden players and teams; their rows are taken out
// afterwards, so that the ranks of the others stay as computed (D40).
package statistics
