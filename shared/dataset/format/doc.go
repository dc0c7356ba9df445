// Package format reads a dataset: a folder with a file for each kind of record, a record on
// each line (dataset.md). It writes records as lines, too.
//
// [Read] reads the files line by line, in the order of [files.Names], into a [dataset.Set] of
// sport entities, with derived ids and defaults filled in. It checks every rule that a folder
// alone can break: the JSON itself, the values and their bounds (D47), duplicate ids, groups,
// line-ups and events, the hierarchy of organizations. What is wrong is a [dataset.Fault] that
// names file, line and field; what is odd but possible is one of the warnings (D51).
//
// A line passes through these packages:
//
//	files      finds and opens the files, and splits them into lines
//	sheet      gives a row of a CSV file as a line
//	jsonl      reads and writes the JSON of a line, by the table of its kind's fields;
//	           completes a patch, or a row, from the stored record; lists faults
//	rules      reads the rules of a competition
//	results    checks the score, the sets and the winner of a match
//	details    reads line-ups, events and statistics of a match, and packs them
//	names      finds what a row means by a name, or without an id
//	ids        keeps the key of each id once
//	times      reads instants and kick-offs
//	slips      finds what people mistype, and what spreadsheets leave in a text
//	dataset    holds the records
//	relations  checks what takes the clock, or what a line refers to, to see
//
// Where dataset.md is silent, this package reads it so:
//
//   - null for an optional field is the field left out; for a required one, and
//     inside a list, it is a fault. Integers are written with digits alone: 1.0
//     and 1e2 are faults.
//   - Two spellings of one id, a key and its hash, are one record.
//   - A table of 10,000 rows is longer than the 1 MiB of a line, which refuses it
//     first: some 9,700 rows of short keys fit.
//   - A grid is a row and a column of one to three digits each, which is D47's
//     seven characters.
//   - endsAt without an offset is in the competition's time zone; a date alone
//     is the last millisecond of that day.
//   - A goal without detail is a regular one, a missedPenalty may have none; a
//     card, a shootoutPenalty and a period need theirs and a substitution has
//     none. The side of a period event is read and dropped (D45).
//   - A group needs a competition in the same record; a parentId needs the stage
//     playoff or playout.
//   - A player is listed once in the line-ups of a match, a team once in a given
//     table. Two seasons of one competition cannot both be current.
//   - additionalParentIds that repeat one another or parentId are dropped.
//   - A deletion of all seasons of a competition and a record of one of them in
//     the same dataset contradict each other: the later line is a duplicate.
//
// A record with "patch": true, and a row of CSV that has no column for some fields
// (D62), is completed from the stored record before it is read as any other. Read
// asks its caller for stored records (Options.Stored). A winner that followed from the
// score does not stay; kickoffLocal takes the place of kickoffAt.
package format
