package details

import (
	"fmt"
	"time"

	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/times"
	"touchline/shared/sport"
)

// maxFormerNumbers bounds the former numbers of a player (D47).
const maxFormerNumbers = 20

var formerNumberFields = []jsonl.Field[sport.FormerNumber]{
	jsonl.Required("number", jsonl.Integer(1, jsonl.MaxInt), func(f *sport.FormerNumber) *int { return &f.Number }),
	jsonl.Required("until", until, func(f *sport.FormerNumber) *int64 { return &f.Until }),
}

var until = jsonl.Value[int64]{
	Read: func(l *jsonl.Line) int64 {
		text := l.Text(jsonl.MaxName)
		until, err := times.ParseBeginning(text, time.UTC)
		if err != nil {
			l.Fault("", err.Error()+jsonl.NotGiven(text)+times.Advice(text))
			return 0
		}
		return until.UnixMilli()
	},
	Append: func(dst []byte, v int64) []byte { return fmt.Appendf(dst, "%q", times.Written(time.UnixMilli(v))) },
}

// FormerNumbers are the numbers that a player had before.
var FormerNumbers = jsonl.ListOf(maxFormerNumbers, jsonl.Struct(formerNumberFields), func(l *jsonl.Line, before []sport.FormerNumber, f *sport.FormerNumber) {
	if n := len(before); n > 0 && f.Until != 0 && f.Until <= before[n-1].Until {
		l.Fault("until", "must be later than the one before it in the list")
	}
})

// AddFormerNumber adds the number that a player had until now; of more than there may be
// the oldest goes.
func AddFormerNumber(all []sport.FormerNumber, number int, now time.Time) []sport.FormerNumber {
	all = append(all[:len(all):len(all)], sport.FormerNumber{Number: number, Until: now.UnixMilli()})
	return all[max(0, len(all)-maxFormerNumbers):]
}
