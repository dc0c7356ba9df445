// Package simulation keeps all that the service keeps in memory, for tests. Its own tests
// play schedules of faults over that: a seed decides in which order the database calls of
// several processes are made, and what becomes of each call. The processes are the real
// ones, wired as when deployed. What must hold is in the tests of requests and of loads.
//
// `make simulate N=1000000` plays that many schedules of requests; a seed that fails is
// printed with the smallest plan found that still fails.
package simulation
