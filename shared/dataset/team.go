package dataset

import "touchline/shared/sport"

type teamRecord = Record[sport.Team]

// teamFields is the record of teams.ndjson.
var teamFields = []field[teamRecord]{
	{"id", identifying, func(l *line, r *teamRecord) { r.ID, r.Key = l.id(sport.KindTeam) }},
	{"name", required, func(l *line, r *teamRecord) { r.Value.Name = l.text(maxName) }},
	{"shortName", required, func(l *line, r *teamRecord) { r.Value.ShortName = l.text(maxName) }},
	{"logo", optional, func(l *line, r *teamRecord) { r.Value.Logo = l.url() }},
	{"organizationId", optional, func(l *line, r *teamRecord) { r.Value.OrganizationID = l.ref(sport.KindOrganization) }},
	{"competitionId", optional, func(l *line, r *teamRecord) { r.Value.CompetitionID = l.ref(sport.KindCompetition) }},
	{"season", optional, func(l *line, r *teamRecord) { r.Value.Season = l.season() }},
	{"group", optional, func(l *line, r *teamRecord) { r.Value.GroupID = l.ref(sport.KindGroup) }},
	{"gender", optional, func(l *line, r *teamRecord) { r.Value.Gender = enum(l, genders) }},
	{"status", optional, func(l *line, r *teamRecord) { r.Value.Status = enum(l, statuses) }},
	{"visibility", optional, func(l *line, r *teamRecord) { r.Value.Visibility = enum(l, visibilities) }},
	{"startingPoints", optional, func(l *line, r *teamRecord) { r.Value.StartingPoints = l.integer(-maxInt, maxInt) }},
	{"seed", optional, func(l *line, r *teamRecord) { r.Value.Seed = l.integer(-maxInt, maxInt) }},
	{"deleted", deletion, func(l *line, r *teamRecord) { r.Deleted = l.truth() }},
}

func readTeam(r *reader) {
	l := &r.line
	rec := &teamRecord{Origin: l.origin, Value: sport.Team{Status: sport.Active, Visibility: sport.Public}}
	record(l, teamFields, rec, &rec.Deleted)
	if rec.Value.GroupID != "" && rec.Value.CompetitionID == "" && l.faults == 0 {
		l.fault("group", "needs a competitionId")
	}
	r.countEntry(&rec.Value)
	if rec.Deleted {
		rec.Value = sport.Team{}
	}
	rec.Value.ID = rec.ID
	who := identity{kind: teams, id: binaryOf(rec.ID)}
	r.claim(who, sport.KindTeam, rec.ID)
	enter(r, &r.set.Teams, rec, who)
}

// countEntry bounds the teams of a competition's season (D47).
func (r *reader) countEntry(t *sport.Team) {
	if t.CompetitionID == "" {
		return
	}
	in := seasonOf(t.CompetitionID, t.Season)
	if r.entries[in]++; r.entries[in] == MaxTeams+1 {
		r.line.faultf("competitionId", "has more than %d teams in a season with this one", MaxTeams)
	}
}

type playerRecord = Record[sport.Player]

// playerFields is the record of players.ndjson.
var playerFields = []field[playerRecord]{
	{"id", identifying, func(l *line, r *playerRecord) { r.ID, r.Key = l.id(sport.KindPlayer) }},
	{"name", required, func(l *line, r *playerRecord) { r.Value.Name = l.text(maxName) }},
	{"teamId", required, func(l *line, r *playerRecord) { r.Value.TeamID = l.ref(sport.KindTeam) }},
	{"number", optional, func(l *line, r *playerRecord) { r.Value.Number = l.count() }},
	{"position", optional, func(l *line, r *playerRecord) { r.Value.Position = enum(l, positions) }},
	{"photo", optional, func(l *line, r *playerRecord) { r.Value.Photo = l.url() }},
	{"status", optional, func(l *line, r *playerRecord) { r.Value.Status = enum(l, statuses) }},
	{"visibility", optional, func(l *line, r *playerRecord) { r.Value.Visibility = enum(l, visibilities) }},
	{"deleted", deletion, func(l *line, r *playerRecord) { r.Deleted = l.truth() }},
}

func readPlayer(r *reader) {
	l := &r.line
	rec := &playerRecord{Origin: l.origin, Value: sport.Player{Status: sport.Active, Visibility: sport.Public}}
	record(l, playerFields, rec, &rec.Deleted)
	if rec.Deleted {
		rec.Value = sport.Player{}
	}
	rec.Value.ID = rec.ID
	who := identity{kind: players, id: binaryOf(rec.ID)}
	r.claim(who, sport.KindPlayer, rec.ID)
	enter(r, &r.set.Players, rec, who)
}
