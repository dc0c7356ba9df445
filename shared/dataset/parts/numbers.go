package parts

import (
	"time"

	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/times"
	"touchline/shared/sport"
)

// maxFormerNumbers bounds the former numbers of a player (D47).
const maxFormerNumbers = 20

var formerNumberFields = []jsonl.Field[sport.FormerNumber]{
	jsonl.Required("number", func(l *jsonl.Line, f *sport.FormerNumber) { f.Number = l.Integer(1, jsonl.MaxInt) }),
	jsonl.Required("until", func(l *jsonl.Line, f *sport.FormerNumber) {
		text := l.Text(jsonl.MaxName)
		until, err := times.ParseBeginning(text, time.UTC)
		if err != nil {
			l.Fault("", err.Error()+jsonl.NotGiven(text))
			return
		}
		f.Until = until.UnixMilli()
	}),
}

// ReadFormerNumbers reads the numbers that a player had before.
func ReadFormerNumbers(l *jsonl.Line) []sport.FormerNumber {
	var all []sport.FormerNumber
	l.List(maxFormerNumbers, func(int) {
		var f sport.FormerNumber
		jsonl.Object(l, formerNumberFields, &f)
		if n := len(all); n > 0 && f.Until != 0 && f.Until <= all[n-1].Until {
			l.Fault("until", "must be later than the one before it in the list")
		}
		all = append(all, f)
	})
	return all
}

// AddFormerNumber adds the number that a player had until now; of more than there may be
// the oldest goes.
func AddFormerNumber(all []sport.FormerNumber, number int, now time.Time) []sport.FormerNumber {
	all = append(all[:len(all):len(all)], sport.FormerNumber{Number: number, Until: now.UnixMilli()})
	return all[max(0, len(all)-maxFormerNumbers):]
}
