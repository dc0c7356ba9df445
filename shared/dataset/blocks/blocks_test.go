package blocks

import (
	"bytes"
	"strings"
	"testing"
)

func TestListsKeepWhatIsAppended(t *testing.T) {
	var l List[int]
	for i := range 3*size + 1 {
		if l.Len() != i {
			t.Fatalf("%d values are counted, want %d", l.Len(), i)
		}
		l.Append(i)
		*l.At(i / 2) += size
	}
	for i := range l.Len() {
		want := i
		for j := 2 * i; j <= min(2*i+1, l.Len()-1); j++ {
			want += size
		}
		if got := *l.At(i); got != want {
			t.Fatalf("value %d is %d, want %d", i, got, want)
		}
	}
}

// Some are empty, and some of these are filled in when there are many others.
func TestTextsKeepWhatIsAppended(t *testing.T) {
	var texts Texts
	want := make([][]byte, 2*size+10)
	for i := range want {
		if i%3 > 0 {
			want[i] = []byte(strings.Repeat("ä", i%200))
		}
		texts.Append(want[i])
	}
	for i := range want {
		if i%6 == 0 {
			want[i] = []byte{byte(i), byte(i >> 8)}
			texts.Fill(i, want[i])
		}
	}
	if texts.Len() != len(want) {
		t.Fatalf("%d texts are counted, want %d", texts.Len(), len(want))
	}
	for i, text := range want {
		if got := texts.At(i); !bytes.Equal(got, text) {
			t.Fatalf("text %d is %q, want %q", i, got, text)
		}
	}
}
