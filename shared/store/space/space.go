// Package space numbers what a build stores in the Sports table, and says where in the
// table it lies.
//
// One table may hold the data of several layouts side by side: the partition key of
// every item begins with the Prefix of its layout. So a build cannot read or write the
// items of another one, and an upgrade makes new data next to those that are served
// (package upgrade). The item that says which layouts there are is the only one that
// all share (records.VersionKey); journals, leases and kept loads belong to a layout.
//
// # Why
//
// One table, instead of one for each layout: no right, alarm, backup or setting of a
// stage changes with an upgrade, and one write switches. The prefix takes two bytes of
// a partition key, three from layout 10 on. It is a constant of the build, so that it
// takes no time.
package space

import "strconv"

// Oldest is the oldest layout that an upgrade reads: that one and every later one. Each
// has a kept table in shared/loader/upgrade/testdata.
const Oldest = 1

// Form tells what builds store apart whose layouts have the same number since it was not
// released yet (D71): the hash of the layout's golden file, to which a test holds it.
const Form = "294f50c3e15b"

// Reads names the data that this build reads.
const Reads = Prefix + Form

// Of begins the partition keys of a layout.
func Of(layout int) string { return strconv.Itoa(layout) + "#" }
