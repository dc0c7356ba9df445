package stack_test

import (
	"testing"

	"touchline/shared/stack"
)

func TestLessMemoryThanAProcessorsHasOne(t *testing.T) {
	for megabytes, want := range map[int]int{128: 1, 256: 1, 1769: 1, 1770: 2, 3538: 2, 10240: 6} {
		if got := stack.Processors(megabytes); got != want {
			t.Errorf("%d MB: %d processors, want %d", megabytes, got, want)
		}
	}
}
