package loader

import (
	"fmt"
	"math"
	"runtime/debug"
	"runtime/metrics"

	"touchline/shared/loader/diff"
	"touchline/shared/loader/spool"
)

// A load is refused where what is to come needs more than there is, and ended where it has
// used that up, while records are read, compared or projected.
//
// What a load keeps in memory once it is applied, in bytes for each record that changes,
// with what shows something of it: of a first load, which has one view, and of a change.
// The heap of a first load grows by 15 to 28 MB for 10,000 players with 2,500 matches
// (170 MB at 30,000 players, 308 MB at 120,000). To compute it piecemeal would take less
// memory, and some 900 lines of code. The estimate is below that, since 100,000 players load
// in a control group of 512 MB, of which the process takes 460; a load that takes more is
// ended.
const (
	firstMemory  = 1 << 10
	changeMemory = 7 << 10
)

// MemoryError is the error of a load, or a check, that needs more memory than the process may take
// (GOMEMLIMIT). The load has written nothing; one that it had to finish first may have.
type MemoryError struct {
	Needs, Has int64 // bytes; Needs is an estimate
}

// Error says how much it needs.
func (e *MemoryError) Error() string {
	return fmt.Sprintf("this needs some %d MB of memory, and the process may take %d MB", e.Needs>>20, e.Has>>20)
}

// memory is how much the process may take, and how much it has in use after the last
// collection.
type memory struct {
	limit func() int64
	live  func() int64
}

func ofProcess() memory {
	return memory{
		limit: func() int64 { return debug.SetMemoryLimit(-1) },
		live: func() int64 {
			s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
			metrics.Read(s)
			return int64(s[0].Value.Uint64()) //nolint:gosec // less than the machine has
		},
	}
}

// enough refuses a load that needs so many bytes beside what is in use.
func (m memory) enough(more int64) error {
	// Collecting takes all the time of a process whose heap is as large as may be.
	const fill = 85 // percent
	limit, needs := m.limit(), m.live()+more
	if limit == math.MaxInt64 || needs <= limit/100*fill {
		return nil
	}
	return &MemoryError{Needs: needs * 100 / fill, Has: limit}
}

// sink counts the writes that a load needs, and hands them on as long as there is memory.
type sink struct {
	to    diff.Sink // nil: nothing is written, in a dry run
	room  memory
	count int
}

// Put implements diff.Sink.
func (s *sink) Put(r spool.Record) error {
	const often = 1000 // the collector says more only after a while
	if s.count++; s.count%often == 1 {
		if err := s.room.enough(0); err != nil {
			return err
		}
	}
	if s.to == nil {
		return nil
	}
	return s.to.Put(r)
}
