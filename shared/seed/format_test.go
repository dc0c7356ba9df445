package seed

import (
	"context"
	"os"
	"testing"

	"touchline/shared/dataset"
)

// TestTheFormatsReaderFindsNoFault reads the output as the loader does, with
// nothing stored: every record is complete, every reference can be resolved, and nothing
// is odd, such as goals that are not the score, or a player who plays after a red card.
func TestTheFormatsReaderFindsNoFault(t *testing.T) {
	tests := []struct {
		name string
		give Options
	}{
		{"size 1 with all details", Options{Size: 1, Details: 100}},
		{"demo", Options{Demo: true}},
	}
	nothing := func(_ context.Context, targets []dataset.Target) ([]bool, error) {
		return make([]bool, len(targets)), nil
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			counts, err := Write(dir, tt.give)
			if err != nil {
				t.Fatal(err)
			}
			set, err := dataset.Read(t.Context(), os.DirFS(dir), dataset.Options{})
			if err != nil {
				t.Fatal(err)
			}
			faults, err := set.Resolve(t.Context(), nothing, false)
			if err != nil || faults.Count() > 0 || set.Warnings.Count() > 2 { // two matches in which something happens twice in a minute
				t.Errorf("%v, %v, %v", faults, set.Warnings, err)
			}
			written := counts.Organizations + counts.Competitions + counts.Teams + counts.Players + counts.Matches
			if set.Len() != written {
				t.Errorf("%d records read, %d written", set.Len(), written)
			}
		})
	}
}
