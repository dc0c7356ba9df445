// Package simulation plays schedules of faults, for tests: a seed decides in
// which order the database calls of several processes are made, and what becomes
// of each call. The processes are the real ones, wired as when deployed; only what
// keeps data is replaced, by a Database in memory.
//
// A Schedule runs in a bubble of testing/synctest, where the clock is virtual.
// Whenever all goroutines of the bubble are waiting, the test lets Step draw one
// of the pending calls and decide its outcome:
//
//	done           made at once
//	lost           not made; the connection breaks
//	applied, lost  made; the connection breaks before the response
//	throttled      refused for its rate
//	partly done    of a bulk write: the rest is returned as unprocessed
//	late           made up to 30 seconds later, while other calls go on
//	killed         the process ends, with the call made or not made
//
// Whoever repeats calls does so as when deployed (store.Table); nonces and keys are
// asked for three times, as by the SDK. The same seed gives the same schedule, as far
// as the processes draw no random numbers of their own.
//
// The tests decide what must hold. `make simulate N=1000000` plays that many
// schedules of requests; a seed that fails is printed with the smallest plan
// found that still fails.
package simulation
