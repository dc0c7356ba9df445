package ids

import (
	"encoding/binary"
	"testing"
)

// numbered are ids that differ in one place only.
func numbered(i int) (id Packed) {
	binary.LittleEndian.PutUint32(id[i%3*4:], uint32(i+1)) //nolint:gosec // small
	return id
}

func TestIDsKeepTheirNumbers(t *testing.T) {
	const most = 20_000
	var n Numbers
	if _, known := n.Find(numbered(0)); known {
		t.Fatal("an id is known before any is added")
	}
	for i := range most {
		if number, added := n.Add(numbered(i)); !added || number != i {
			t.Fatalf("id %d: number %d, new: %v", i, number, added)
		}
		if number, added := n.Add(numbered(i / 2)); added || number != i/2 {
			t.Fatalf("id %d again: number %d, new: %v", i/2, number, added)
		}
	}
	for i := range 2 * most {
		number, known := n.Find(numbered(i))
		if known != (i < most) || known && (number != i || n.At(number) != numbered(i)) {
			t.Fatalf("id %d: number %d, known: %v", i, number, known)
		}
	}
	if n.Len() != most {
		t.Errorf("%d ids, want %d", n.Len(), most)
	}
}

func TestLinesAreThoseOfTheFirst(t *testing.T) {
	var l Lines
	a, b := numbered(1).ID(), numbered(2).ID()
	if l.At(a) != 0 || l.Claim(a, 7) != 0 || l.Claim(b, 9) != 0 || l.Claim(a, 11) != 7 || l.At(a) != 7 || l.At(b) != 9 {
		t.Errorf("the lines are %d and %d, want 7 and 9", l.At(a), l.At(b))
	}
}
