package dataset

import (
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/ids"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/parts"
	"touchline/shared/sport"
)

type teamRecord = Record[sport.Team]

// teamFields is the record of teams.ndjson.
var teamFields = []jsonl.Field[teamRecord]{
	jsonl.Identifying("id", func(l *jsonl.Line, r *teamRecord) { r.ID, r.Key = l.ID(sport.KindTeam) }),
	jsonl.Required("name", func(l *jsonl.Line, r *teamRecord) { r.Value.Name = l.Text(jsonl.MaxName) }),
	jsonl.Required("shortName", func(l *jsonl.Line, r *teamRecord) { r.Value.ShortName = l.Text(jsonl.MaxName) }),
	jsonl.Optional("logo", func(l *jsonl.Line, r *teamRecord) { r.Value.Logo = l.URL() }),
	jsonl.Optional("organizationId", func(l *jsonl.Line, r *teamRecord) { r.Value.OrganizationID = l.Ref(sport.KindOrganization) }),
	jsonl.Optional("competitionId", func(l *jsonl.Line, r *teamRecord) { r.Value.CompetitionID = l.Ref(sport.KindCompetition) }),
	jsonl.Optional("season", func(l *jsonl.Line, r *teamRecord) { r.Value.Season = season(l) }),
	jsonl.Optional("group", func(l *jsonl.Line, r *teamRecord) { r.Value.GroupID = l.Ref(sport.KindGroup) }),
	jsonl.Optional("gender", func(l *jsonl.Line, r *teamRecord) { r.Value.Gender = jsonl.Enum(l, genders) }),
	jsonl.Optional("status", func(l *jsonl.Line, r *teamRecord) { r.Value.Status = jsonl.Enum(l, statuses) }),
	jsonl.Optional("visibility", func(l *jsonl.Line, r *teamRecord) { r.Value.Visibility = jsonl.Enum(l, visibilities) }),
	jsonl.Optional("startingPoints", func(l *jsonl.Line, r *teamRecord) { r.Value.StartingPoints = l.Integer(-jsonl.MaxInt, jsonl.MaxInt) }),
	jsonl.Optional("seed", func(l *jsonl.Line, r *teamRecord) { r.Value.Seed = l.Integer(-jsonl.MaxInt, jsonl.MaxInt) }),
	jsonl.Deletion("deleted", func(l *jsonl.Line, r *teamRecord) { r.Deleted = l.Bool() }),
	jsonl.Deletion("erase", func(l *jsonl.Line, r *teamRecord) { r.erase(l) }),
}

func readTeam(r *reader) {
	l := r.line
	rec := &teamRecord{Origin: l.Origin(), Value: sport.Team{Status: sport.Active, Visibility: sport.Public}}
	jsonl.Record(l, teamFields, rec, &rec.Deleted)
	if rec.Value.GroupID != "" && rec.Value.CompetitionID == "" && l.Faults() == 0 {
		l.Fault("group", "needs a competitionId")
	}
	r.countEntry(&rec.Value)
	if rec.Deleted {
		rec.Value = sport.Team{}
	}
	rec.Value.ID = rec.ID
	who := identity{Kind: files.Teams, ID: ids.Pack(rec.ID)}
	r.claim(who, sport.KindTeam, rec.ID)
	enter(r, (*list[sport.Team])(&r.set.Teams), rec, who)
}

// countEntry bounds the teams of a competition's season (D47).
func (r *reader) countEntry(t *sport.Team) {
	if t.CompetitionID == "" {
		return
	}
	in := seasonOf(t.CompetitionID, t.Season)
	if r.entries[in]++; r.entries[in] == MaxTeams+1 {
		r.line.Faultf("competitionId", "has more than %d teams in a season with this one", MaxTeams)
	}
}

type playerRecord = Record[sport.Player]

// playerFields is the record of players.ndjson.
var playerFields = []jsonl.Field[playerRecord]{
	jsonl.Identifying("id", func(l *jsonl.Line, r *playerRecord) { r.ID, r.Key = l.ID(sport.KindPlayer) }),
	jsonl.Required("name", func(l *jsonl.Line, r *playerRecord) { r.Value.Name = l.Text(jsonl.MaxName) }),
	jsonl.Required("teamId", func(l *jsonl.Line, r *playerRecord) { r.Value.TeamID = l.Ref(sport.KindTeam) }),
	jsonl.Optional("number", func(l *jsonl.Line, r *playerRecord) { r.Value.Number = l.Count() }),
	jsonl.Optional("formerNumbers", func(l *jsonl.Line, r *playerRecord) { r.Value.FormerNumbers = parts.ReadFormerNumbers(l) }),
	jsonl.Optional("position", func(l *jsonl.Line, r *playerRecord) { r.Value.Position = parts.ReadPosition(l) }),
	jsonl.Optional("photo", func(l *jsonl.Line, r *playerRecord) { r.Value.Photo = l.URL() }),
	jsonl.Optional("status", func(l *jsonl.Line, r *playerRecord) { r.Value.Status = jsonl.Enum(l, statuses) }),
	jsonl.Optional("visibility", func(l *jsonl.Line, r *playerRecord) { r.Value.Visibility = jsonl.Enum(l, visibilities) }),
	jsonl.Deletion("deleted", func(l *jsonl.Line, r *playerRecord) { r.Deleted = l.Bool() }),
	jsonl.Deletion("erase", func(l *jsonl.Line, r *playerRecord) { r.erase(l) }),
}

func readPlayer(r *reader) {
	l := r.line
	rec := &playerRecord{Origin: l.Origin(), Value: sport.Player{Status: sport.Active, Visibility: sport.Public}}
	jsonl.Record(l, playerFields, rec, &rec.Deleted)
	if rec.Deleted {
		rec.Value = sport.Player{}
	}
	rec.Value.ID = rec.ID
	who := identity{Kind: files.Players, ID: ids.Pack(rec.ID)}
	r.claim(who, sport.KindPlayer, rec.ID)
	enter(r, &r.set.Players, rec, who)
}
