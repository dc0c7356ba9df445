package ids

import (
	"encoding/binary"
	"slices"
)

// size is how many texts a block has. All but the last are full.
const size = 1 << 12

// Texts is a list of texts of which there are millions, in blocks of some thousand:
// none moves as the list grows, or leaves room unused but in the last block. A small list
// has one block, which is no larger than a slice would be. The zero value is empty.
type Texts struct{ blocks []block }

// block is the texts of a block, one after the other, each after its length.
type block struct {
	starts []uint32 // 0: an empty text
	bytes  []byte
}

// Len is the number of texts.
func (t *Texts) Len() int {
	last := len(t.blocks) - 1
	if last < 0 {
		return 0
	}
	return last*size + len(t.blocks[last].starts)
}

// Append adds a text behind the others.
func (t *Texts) Append(text []byte) {
	last := len(t.blocks) - 1
	switch {
	case last < 0:
		t.blocks = []block{{}}
	case len(t.blocks[last].starts) == size:
		t.blocks[last].bytes = slices.Clone(t.blocks[last].bytes) // of the length that it has
		t.blocks = append(t.blocks, block{starts: make([]uint32, 0, size)})
	}
	b := &t.blocks[len(t.blocks)-1]
	b.starts = append(b.starts, b.put(text))
}

// Fill sets a text that is empty.
func (t *Texts) Fill(i int, text []byte) {
	b := &t.blocks[i/size]
	b.starts[i%size] = b.put(text)
}

func (b *block) put(text []byte) uint32 {
	if len(text) == 0 {
		return 0
	}
	if len(b.bytes) == 0 {
		b.bytes = append(b.bytes, 0) // no text starts at 0
	}
	start := len(b.bytes)
	b.bytes = binary.AppendUvarint(b.bytes, uint64(len(text)))
	b.bytes = append(b.bytes, text...)
	return uint32(start) //nolint:gosec // texts are lines of a dataset at most: 4096 of 1 MiB
}

// At is a text; the caller may not change it.
func (t *Texts) At(i int) []byte {
	b := &t.blocks[i/size]
	start := b.starts[i%size]
	if start == 0 {
		return nil
	}
	n, of := binary.Uvarint(b.bytes[start:])
	from := int(start) + of
	return b.bytes[from : from+int(n) : from+int(n)] //nolint:gosec // the length of a text
}
