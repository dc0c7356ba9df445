package rules

import (
	"fmt"
	"slices"
	"time"

	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/times"
	"touchline/shared/sport"
)

// Withdrawal is a team that has withdrawn from a season, while its record is read:
// where a day begins depends on the time zone, which may come later.
type Withdrawal struct {
	sport.Withdrawal
	from string
}

// maxWithdrawals bounds the withdrawals from a season (D47).
const maxWithdrawals = 1000

// Withdrawals are the value of the field.
var Withdrawals = jsonl.ListOf(maxWithdrawals, jsonl.Struct([]jsonl.Field[Withdrawal]{
	jsonl.Required("teamId", jsonl.Ref(sport.KindTeam), func(w *Withdrawal) *sport.ID { return &w.TeamID }),
	jsonl.Required("matches", jsonl.OneOf(sport.WithdrawnMatchesValues()), func(w *Withdrawal) *sport.WithdrawnMatches { return &w.Matches }),
	jsonl.Optional("from", jsonl.Text(jsonl.MaxName), func(w *Withdrawal) *string { return &w.from }),
	jsonl.Optional("goals", jsonl.Integer(0, MaxGoals), func(w *Withdrawal) *int { return &w.Goals }),
}), checkWithdrawal)

func checkWithdrawal(l *jsonl.Line, before []Withdrawal, w *Withdrawal) {
	switch {
	case w.TeamID != "" && slices.ContainsFunc(before, func(other Withdrawal) bool { return other.TeamID == w.TeamID }):
		l.Faultf("teamId", "team %q is in the list already", l.Given(w.TeamID))
	case w.Goals != 0 && w.Matches == sport.MatchesAnnulled:
		l.Fault("goals", "must not be given for matches that are annulled")
	}
}

// Dated are withdrawals with their days in the time zone of the competition. The path
// is at the competition.
func Dated(l *jsonl.Line, zone *time.Location, ws []Withdrawal) []sport.Withdrawal {
	var all []sport.Withdrawal
	for i, w := range ws {
		if w.from != "" {
			var err error
			if w.From, err = times.ParseBeginning(w.from, zone); err != nil {
				l.Fault(fmt.Sprintf("withdrawals[%d].from", i), err.Error()+jsonl.NotGiven(w.from)+times.Advice(w.from))
			}
		}
		all = append(all, w.Withdrawal)
	}
	return all
}

// Undated gives withdrawals as they are before Dated.
func Undated(ws []sport.Withdrawal) []Withdrawal {
	var all []Withdrawal
	for _, w := range ws {
		all = append(all, Withdrawal{w, times.Written(w.From)})
	}
	return all
}
