package rules

import (
	"fmt"
	"slices"
	"time"

	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/times"
	"touchline/shared/sport"
)

// Withdrawals are the teams that have withdrawn from a season, while its record is
// read: where a day begins depends on the time zone, which may come later.
type Withdrawals []withdrawal

type withdrawal struct {
	sport.Withdrawal
	from string
}

// maxWithdrawals bounds the withdrawals from a season (D47).
const maxWithdrawals = 1000

var withdrawnMatches = sport.WithdrawnMatchesValues()

var withdrawalFields = []jsonl.Field[withdrawal]{
	jsonl.Required("teamId", func(l *jsonl.Line, w *withdrawal) { w.TeamID = l.Ref(sport.KindTeam) }),
	jsonl.Required("matches", func(l *jsonl.Line, w *withdrawal) { w.Matches = jsonl.Enum(l, withdrawnMatches) }),
	jsonl.Optional("from", func(l *jsonl.Line, w *withdrawal) { w.from = l.Text(jsonl.MaxName) }),
	jsonl.Optional("goals", func(l *jsonl.Line, w *withdrawal) { w.Goals = l.Integer(0, MaxGoals) }),
}

// Read reads the value of the field.
func (ws *Withdrawals) Read(l *jsonl.Line) {
	l.List(maxWithdrawals, func(int) {
		var w withdrawal
		jsonl.Object(l, withdrawalFields, &w)
		switch {
		case w.TeamID != "" && slices.ContainsFunc(*ws, func(other withdrawal) bool { return other.TeamID == w.TeamID }):
			l.Faultf("teamId", "team %q is in the list already", l.Given(w.TeamID))
		case w.Goals != 0 && w.Matches == sport.MatchesAnnulled:
			l.Fault("goals", "must not be given for matches that are annulled")
		}
		*ws = append(*ws, w)
	})
}

// In are the withdrawals with their days in the time zone of the competition. The path
// is at the competition.
func (ws Withdrawals) In(l *jsonl.Line, zone *time.Location) []sport.Withdrawal {
	var all []sport.Withdrawal
	for i, w := range ws {
		if w.from != "" {
			var err error
			if w.From, err = times.ParseBeginning(w.from, zone); err != nil {
				l.Fault(fmt.Sprintf("withdrawals[%d].from", i), err.Error()+jsonl.NotGiven(w.from))
			}
		}
		all = append(all, w.Withdrawal)
	}
	return all
}
