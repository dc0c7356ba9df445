// Package packed writes Go values as few bytes, and reads them again. All that
// Touchline stores or keeps in a form of its own is written by it: the entries
// and indexes of lists, the details of matches, what matches add to
// statistics, and the players and matches of a dataset while it is in memory.
//
// # How it works
//
// The type says what is written, so nothing in the bytes names or tags it. Field
// by field, in the order of the declaration:
//
//	struct          a bit for each field, set where the field is not zero, as one
//	                uvarint; then the fields that are set
//	bool            its bit alone
//	int, uint       varint or uvarint
//	string          0 and twelve bytes for an id (24 lower-case hex digits); else
//	                the length and one, and the bytes
//	[]byte          the length, and the bytes
//	slice, array    the length, not of an array; then the elements
//	pointer         its bit, and what it points to
//
// Unexported fields and those tagged `packed:"-"` are left out. Bools and pointers are
// supported as fields alone; maps, floats and interfaces are not, nor are types that
// contain themselves.
//
// Marshal and Deflate put a byte in front: the version of this encoding, and
// whether the rest is deflated (RFC 1951). Append and Value are for what is within
// something that has such a byte already.
//
// # Invariants
//
// Equal values have equal bytes, so that bytes can be compared in place of
// values. Whatever is read is bounded: a length never exceeds the bytes that are
// left, and decoding fails with ErrMalformed instead of reading beyond them.
//
// A field may be added at the end of a struct: where it was not written it is
// zero. Any other change of a stored type makes what is stored unreadable, and
// must raise the version of the table's layout.
//
// # Why
//
// A list is as fast as its entries are small: a read pays for 4 KB at a time, a
// load for each item. The entry of a player with his team, of pagedlist's tests,
// takes 75 bytes here, 232 as JSON and 193 as DynamoDB attributes; it is read in
// 0.6 µs, a tenth of what JSON takes. CBOR and the like tag each value and would
// still need the ids turned into bytes. What these formats give in return, that
// others can read them, nobody needs: the bytes never leave Touchline's tables.
package packed
