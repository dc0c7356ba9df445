package format

import (
	"touchline/shared/dataset"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/rules"
	"touchline/shared/dataset/times"
	"touchline/shared/sport"
)

// Append appends a record to dst as a line of its file, line end included. Reading the
// line gives the record again; defaults are left out, and nothing is checked. A record
// without a Key is written with its ID. References are written as they are, so a writer
// may put keys where Value has ids.
func Append[T dataset.Entity](dst []byte, rec *dataset.Record[T]) []byte {
	switch r := any(rec).(type) {
	case *organizationRecord:
		dst = jsonl.AppendRecord(dst, organizationFields, r, r.Deleted)
	case *dataset.Record[sport.Competition]:
		d := competitionDraft{*r, rules.Given{Rules: r.Value.Rules}, times.Written(r.Value.EndsAt), rules.Undated(r.Value.Withdrawals)}
		dst = jsonl.AppendRecord(dst, competitionFields, &d, r.Deleted)
	case *teamRecord:
		dst = jsonl.AppendRecord(dst, teamFields, r, r.Deleted)
	case *playerRecord:
		dst = jsonl.AppendRecord(dst, playerFields, r, r.Deleted)
	case *dataset.Record[dataset.Match]:
		d := matchDraft{Record: *r}
		d.Value.Base = r.Value.Full()
		if m := &d.Value.Base; !m.WinnerGiven && m.Winner == m.WonBy("") {
			m.Winner = "" // it follows
		}
		if local := r.Value.KickoffLocal; local != "" {
			d.kickoffLocal, d.Value.Base.KickoffTimeOpen = &local, false // as it says
			if d.Value.Base.CompetitionID == "" {
				d.zone = "UTC"
			}
		} else if at := times.Written(r.Value.Base.Kickoff); at != "" {
			d.kickoffAt = &at
		}
		dst = jsonl.AppendRecord(dst, matchFields, &d, r.Deleted)
	case *tableRecord:
		dst = jsonl.AppendRecord(dst, tableFields, r, r.Deleted)
	}
	return append(dst, '\n')
}
