// Package diff finds what differs between the two views of a load: changes of
// lists and writes of items.
//
// A projection puts every item and every list entry of an entity, in both views,
// and then calls Compare: entries and items that are the same in both views are
// dropped, the rest go into the Sink, packed, with the place that each has in the
// order of writes: by phase, then lists by their names and items by their keys.
package diff
