// Package integrity checks whether what a load brings fits together with what the
// table holds and keeps.
//
// The dataset has checked its own references before, and asks here for those to
// stored records (Stays). Once its records are in the view after, a Checker finds
// records that go and that others still name, organizations below themselves, teams and
// matches of groups that a season does not have, and seasons with too many teams. Rest is
// what a full load removes, and Guard refuses deletions that are likely an accident.
// Missing, Odd, Exposed and Alike give warnings, Namesakes and Renamed what has to be meant. Unfit names the lines of what the table
// cannot hold.
//
// # Invariants
//
//   - Nothing here changes a view; what is needed of the table is fetched.
//   - A fault names the line of the dataset that causes it, and the record that
//     stays by the operator's own key.
package integrity
