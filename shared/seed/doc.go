// Package seed makes up federations in the dataset format: a synthetic one of
// any size for measuring, and a small one for a first look (demo). Country,
// towns, clubs and people are invented.
//
// The records are a function of the options: the same options give the same
// bytes on every machine, now or later (before compression, which may change
// with a Go release). So nothing here reads a clock or a
// random source of the system; every random choice is drawn from a generator
// of our own that is seeded by the name of what it is drawn for.
//
// A synthetic federation is written record by record from its indexes and
// takes the same memory at every size. Size 1 is the size S of the design's
// budgets; size n has n times of everything but the federation:
//
//	associations   9 n   the first holds a fifth of the clubs, so that one
//	clubs        220 n   organization's lists grow with the size
//	competitions  20 n   10 n leagues of the federation, 20 teams each, and
//	                     10 n tournaments of the associations, 30 teams each
//	                     in 6 groups of 5
//	teams        500 n   clubs enter 2 or 3
//	players   10,000 n   20 a team
//	matches    2,500 n   190 a league, 60 a tournament, all against all once
//
// A third kind is for Saturdays: leagues as above, whose matches of this week are
// all under way (Options.Live), and the same matches once each has had another
// goal (WriteGoals).
//
// The package writes the format (dataset.md) and knows neither the entities
// nor the loader, so a load of its output tests both.
package seed
