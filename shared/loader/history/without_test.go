package history

import "testing"

// Where none of the oldest numbers has a load, the next load looks further.
func TestAGapInTheNumbersIsPassed(t *testing.T) {
	for last, want := range map[int]Kept{18: {First: 19}, 39: {First: 40, Since: 7, Bytes: 5}} {
		got, writes, err := Kept{First: 3, Since: 1}.without(nil, last, &Past{Number: 40, Millis: 7, Size: 5})
		if err != nil || len(writes) > 0 || got != want {
			t.Errorf("none up to %d: %+v, want %+v; %v, %v", last, got, want, writes, err)
		}
	}
}
