package ids

import "encoding/binary"

// Texts is a list of texts of which there are millions, kept one after the other. The
// zero value is empty.
type Texts struct {
	starts []uint64 // 0: an empty text
	bytes  []byte   // of each text its length, then the text
}

// Len is the number of texts.
func (t *Texts) Len() int { return len(t.starts) }

// Append adds a text behind the others.
func (t *Texts) Append(text []byte) { t.starts = append(t.starts, t.put(text)) }

// Fill sets a text that is empty.
func (t *Texts) Fill(i int, text []byte) { t.starts[i] = t.put(text) }

func (t *Texts) put(text []byte) (start uint64) {
	if len(text) == 0 {
		return 0
	}
	if len(t.bytes) == 0 {
		t.bytes = append(t.bytes, 0) // no text starts at 0
	}
	start = uint64(len(t.bytes))
	t.bytes = append(binary.AppendUvarint(t.bytes, uint64(len(text))), text...)
	return start
}

// At is a text; the caller may not change it.
func (t *Texts) At(i int) []byte {
	start := t.starts[i]
	if start == 0 {
		return nil
	}
	n, of := binary.Uvarint(t.bytes[start:])
	from := start + uint64(of) //nolint:gosec // at most 10
	return t.bytes[from : from+n : from+n]
}
