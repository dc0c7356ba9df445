package format

import (
	"touchline/shared/dataset"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

type teamRecord = dataset.Record[sport.Team]

// teamFields is the record of teams.ndjson.
var teamFields = []jsonl.Field[teamRecord]{
	jsonl.ID("id", sport.KindTeam, func(r *teamRecord) (*sport.ID, *string) { return &r.ID, &r.Key }),
	jsonl.Required("name", jsonl.Text(jsonl.MaxName), func(r *teamRecord) *string { return &r.Value.Name }),
	jsonl.Required("shortName", jsonl.Text(jsonl.MaxName), func(r *teamRecord) *string { return &r.Value.ShortName }),
	jsonl.Optional("logo", jsonl.URL(), func(r *teamRecord) *string { return &r.Value.Logo }),
	jsonl.Optional("organizationId", jsonl.Ref(sport.KindOrganization), func(r *teamRecord) *sport.ID { return &r.Value.OrganizationID }),
	jsonl.Optional("competitionId", jsonl.Ref(sport.KindCompetition), func(r *teamRecord) *sport.ID { return &r.Value.CompetitionID }),
	jsonl.Optional("season", season, func(r *teamRecord) *int { return &r.Value.Season }),
	jsonl.Optional("group", jsonl.Ref(sport.KindGroup), func(r *teamRecord) *sport.ID { return &r.Value.GroupID }),
	jsonl.Optional("gender", gender, func(r *teamRecord) *sport.Gender { return &r.Value.Gender }),
	jsonl.Optional("status", status, func(r *teamRecord) *sport.Status { return &r.Value.Status }),
	jsonl.Optional("visibility", visibility, func(r *teamRecord) *sport.Visibility { return &r.Value.Visibility }),
	jsonl.Optional("startingPoints", jsonl.Integer(-jsonl.MaxInt, jsonl.MaxInt), func(r *teamRecord) *int { return &r.Value.StartingPoints }),
	jsonl.Optional("seed", jsonl.Integer(-jsonl.MaxInt, jsonl.MaxInt), func(r *teamRecord) *int { return &r.Value.Seed }),
	jsonl.Deletion("deleted", func(r *teamRecord) *bool { return &r.Deleted }),
	jsonl.Deletion("erase", func(r *teamRecord) *bool { return &r.Erased }),
}

func readTeam(r *reader) {
	l := r.line
	rec := &teamRecord{Origin: l.Origin(), Value: sport.Team{Status: sport.Active}}
	jsonl.ReadRecord(l, teamFields, rec, &rec.Deleted)
	if rec.Value.GroupID != "" && rec.Value.CompetitionID == "" && l.Faults() == 0 {
		l.Fault("group", "needs a competitionId")
	}
	rec.Kept = r.kept("seed")
	r.countEntry(&rec.Value)
	enterID(r, rec, &rec.Value.ID)
}

// countEntry bounds the teams of a competition's season (D47).
func (r *reader) countEntry(t *sport.Team) {
	if t.CompetitionID == "" {
		return
	}
	in := dataset.SeasonOf(t.CompetitionID, t.Season)
	if r.entries[in]++; r.entries[in] == MaxTeams+1 {
		r.line.Faultf("competitionId", "has more than %d teams in a season with this one", MaxTeams)
	}
}
