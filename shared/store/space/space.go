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

// Layout is the version of what this build stores, and Prefix begins its partition keys:
// Of(Layout). Form is the hash of what the layout stores, to which a test holds it. Whoever
// stores otherwise raises all three. A table with another form of the same layout was loaded
// by a build from before the form of layout 1 was settled (D71).
const (
	Layout = 1
	Prefix = "1#"
	Form   = "32658f3bf75e"
)

// Reads names the data that this build reads.
const Reads = Prefix + Form

// Of begins the partition keys of a layout.
func Of(layout int) string { return strconv.Itoa(layout) + "#" }
