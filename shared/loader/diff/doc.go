// Package diff collects what differs between the two views of a load: edits of
// lists and writes of items.
//
// A projection puts every item and every list entry of an entity, in both views,
// and then calls Compare: entries and items that are the same in both views are
// dropped, the rest become edits. They are ordered for package commit by phase
// (of lists) and by rank (of items).
package diff
