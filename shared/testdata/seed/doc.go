// Package seed makes up federations in the dataset format, for tests: synthetic ones of
// any size for measurements, and the small one that package demo has as data. Country,
// towns, clubs and people are invented.
//
// The records depend on the options alone: the same options give the same bytes
// on every machine, now and later (before compression, which may change with a
// Go release). So nothing here reads a clock or a system source of randomness;
// every random choice is drawn from a generator of our own, seeded with the name
// of what the choice is for.
//
// A synthetic federation is written record by record, in the same amount of
// memory whatever its size. Size 1 is the size S of the design's budgets; size n
// has n times of everything but the federation:
//
//	associations   9 n   the first has a fifth of the clubs, so that the lists of
//	                     one organization grow with the size
//	clubs        220 n
//	competitions  20 n   10 n leagues of the federation, 20 teams each, and
//	                     10 n tournaments of the associations, 30 teams each
//	                     in 6 groups of 5
//	teams        500 n   each club enters 2 or 3
//	players   10,000 n   20 a team
//	matches    2,500 n   190 a league, 60 a tournament: each team plays each other
//	                     of its league or group once
//
// A third kind is for Saturdays: leagues as above, in which all matches of this
// week are live (Options.Live), and the same matches after another goal in each
// (WriteGoals).
//
// The records are written by package dataset (Append), with keys where its entities have
// ids; tests read them by structs of their own.
package seed
