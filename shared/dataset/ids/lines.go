package ids

import (
	"touchline/shared/dataset/blocks"
	"touchline/shared/sport"
)

// Lines are the lines of a file on which ids are first. The zero value has none.
type Lines struct {
	numbers Numbers
	lines   blocks.List[int32]
}

// Claim notes the line of an id, unless it is on another already, which it gives;
// else 0.
func (l *Lines) Claim(id sport.ID, line int) (taken int) {
	number, added := l.numbers.Add(Pack(id))
	if !added {
		return int(*l.lines.At(number))
	}
	l.lines.Append(int32(line)) //nolint:gosec // lines are counted in millions
	return 0
}

// At is the line of an id; 0: none.
func (l *Lines) At(id sport.ID) int {
	number, known := l.numbers.Find(Pack(id))
	if !known {
		return 0
	}
	return int(*l.lines.At(number))
}
