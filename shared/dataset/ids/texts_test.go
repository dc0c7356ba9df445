package ids

import (
	"bytes"
	"strings"
	"testing"
)

// Some are empty, and some of these are filled in when there are many others.
func TestTextsKeepWhatIsAppended(t *testing.T) {
	var texts Texts
	want := make([][]byte, 9_000)
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
