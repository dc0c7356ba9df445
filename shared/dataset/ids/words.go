package ids

import "touchline/shared/sport"

// Words number the strings of what is kept packed of a dataset: its ids, and the
// texts of which there are few. It is a packed.Dictionary; other texts are written
// out, as are the ids of events, which are not in the table.
type Words struct {
	ids     *Table
	numbers map[string]uint64 // of texts
	texts   []string
}

// Numbers below maxWords are those of texts, the others those of ids. A text that
// may become a word has at most longestWord bytes.
const (
	maxWords    = 1 << 12
	longestWord = 7
)

// NewWords gives the words of a dataset with these ids. The values that fields
// can have are among them from the beginning.
func NewWords(table *Table) *Words {
	w := &Words{ids: table, numbers: map[string]uint64{}}
	enter(w, sport.Statuses())
	enter(w, sport.Visibilities())
	enter(w, sport.Positions())
	enter(w, sport.MatchStatuses())
	enter(w, sport.Winners())
	enter(w, sport.Sides())
	enter(w, sport.Periods())
	enter(w, sport.EventTypes())
	enter(w, sport.EventDetails())
	return w
}

func enter[T ~string](w *Words, values []T) {
	for _, v := range values {
		if _, twice := w.numbers[string(v)]; !twice {
			w.add(string(v))
		}
	}
}

func (w *Words) add(s string) uint64 {
	n := uint64(len(w.texts))
	w.numbers[s], w.texts = n, append(w.texts, s)
	return n
}

// Number is the number of an id of the table or of a text. New texts get one while
// there are few, if they are formations or places on the pitch by their looks.
func (w *Words) Number(s string) (uint64, bool) {
	if sport.IsID(s) {
		n, known := w.ids.Number(Pack(sport.ID(s)))
		return uint64(n) + maxWords, known //nolint:gosec // not below 0
	}
	n, known := w.numbers[s]
	if !known && len(w.texts) < maxWords && len(s) > 0 && len(s) <= longestWord && s[0] >= '0' && s[0] <= '9' {
		return w.add(s), true
	}
	return n, known
}

// Text is the string with a number; false if there isn't one.
func (w *Words) Text(number uint64) (string, bool) {
	if number < uint64(len(w.texts)) {
		return w.texts[number], true
	}
	if number < maxWords || number-maxWords >= uint64(w.ids.Len()) { //nolint:gosec // not below 0
		return "", false
	}
	return string(w.ids.ID(int(number - maxWords))), true //nolint:gosec // below a length
}
