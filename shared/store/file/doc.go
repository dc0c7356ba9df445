// Package file keeps all data of a service in one file on this machine, through bbolt:
// the tables of items (store.DB), leases, nonces, quotas and the records of keys.
//
// The file belongs to one process, which opens it (Open) and lets other processes of
// the same user use it through a Unix socket in its folder (Serve, Dial). Nobody else
// may enter the folder. Both ends have the same methods, those of Database: each makes
// a Call, which the File runs, or the socket carries (net/rpc).
//
// A table is a bucket of bbolt's. A record's key is the length of the partition key,
// that key, and the sort key, so that a partition is a range in the order of its sort
// keys. Its value is a checksum, and the item without its key attributes.
//
// What the package keeps true:
//
//   - What was answered is on the disk. One call at a time has the place to write; it
//     takes all others that wait into its transaction, and all are answered after the
//     commit, so that many share the wait for the disk, and none waits for more than two.
//   - A call is made whole or not at all. It reads and decides first; what it changes
//     is written after that, so that a refused one leaves nothing in the transaction.
//     Where a commit fails, as on a full disk, the file is what it was before.
//   - What cannot be relied on is given up. After a failure of the disk the head that holds
//     is written again (settle), at opening too; where that fails, or a read cannot begin,
//     or another program has written over the file, the process ends (Broken).
//   - A damaged file ends no process: heads, free list and branches are read before bbolt
//     opens it (sound), and leaves before it writes (Open).
//   - A lease needs no clock: its holder is a File or a connection, and loses it by
//     giving it back or coming to an end. A connection's is given back once none of its
//     calls is under way.
//   - No damage goes unnoticed where it matters. A read checks the checksum of each
//     record, which covers its table and key, and of those beside a place where none is.
//     Beside each table is the number of its records and the exclusive or of their
//     checksums (Check).
//   - A file of which more is missing than single records is neither written nor served
//     (Database.Lost); what serves it ends once a wipe finds that.
//   - What was deleted or overwritten stays in the free pages of the file until Wipe
//     (wipe.go). The file never shrinks: what a copy of it (Backup) takes is in use.
package file
