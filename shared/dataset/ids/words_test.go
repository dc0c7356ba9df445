package ids

import (
	"fmt"
	"testing"

	"touchline/shared/sport"
)

func TestWordsAreReadAsTheyWereNumbered(t *testing.T) {
	table := NewTable()
	known := table.Add(sport.KindPlayer, []byte("p"))
	w := NewWords(table)
	for s, want := range map[string]bool{
		string(known): true, "active": true, "ownGoal": true, "penaltyShootout": true, "4-4-2": true, "10:4": true,
		string(sport.IDFor(sport.KindPlayer, "q")): false, "": false, "Änne": false, "2025-08-01": false,
	} {
		for range 2 {
			number, numbered := w.Number(s)
			if numbered != want {
				t.Errorf("%q has a number: %v, want %v", s, numbered, want)
			} else if text, ok := w.Text(number); numbered && (!ok || text != s) {
				t.Errorf("%q is read as %q, %v", s, text, ok)
			}
		}
	}
	for _, number := range []uint64{uint64(len(w.texts)), maxWords - 1, maxWords + 1, 1 << 63} {
		if text, ok := w.Text(number); ok {
			t.Errorf("%d is read as %q", number, text)
		}
	}
}

// A dataset may have as many places on the pitch as it likes: not all are words.
func TestWordsAreBounded(t *testing.T) {
	w := NewWords(NewTable())
	for i := range 2 * maxWords {
		w.Number(fmt.Sprintf("%d:1", i))
	}
	if len(w.texts) != maxWords || len(w.numbers) != maxWords {
		t.Errorf("there are %d words, want %d", len(w.texts), maxWords)
	}
	if _, numbered := w.Number("0:1"); !numbered {
		t.Error("a word has lost its number")
	}
	if _, numbered := w.Number("8000:1"); numbered {
		t.Error("a text beyond the bound has a number")
	}
}
