package edits

import (
	"context"
	"fmt"
	"slices"
	"time"

	"touchline/shared/loader/world"
	"touchline/shared/regulations"
	"touchline/shared/sport"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// maxChoices bounds the records that a field suggests. Of more, a key is typed.
const maxChoices = 500

// texts are choices by their values.
func texts[T ~string](values []T) []Choice {
	var all []Choice
	for _, v := range values {
		all = append(all, Choice{string(v), string(v)})
	}
	return all
}

// optional puts the choice of nothing before others.
func optional(text string, choices []Choice) []Choice {
	return append([]Choice{{"", text}}, choices...)
}

// fields are those of a kind. Records that belong to a season of a competition choose
// among its teams and groups.
func (b Book) fields(ctx context.Context, kind sport.Kind, around *around, fresh bool) ([]Field, error) {
	status := Field{Name: "status", Label: "Status", Input: "choice", Choices: optional("active", texts([]sport.Status{sport.Inactive}))}
	visibility := Field{Name: "visibility", Label: "Visibility", Input: "choice", Choices: optional("public", texts([]sport.Visibility{sport.Hidden, sport.Private}))}
	var all []Field
	switch kind {
	case sport.KindOrganization, sport.KindCompetition:
		organizations, err := b.organizations(ctx)
		if err != nil {
			return nil, err
		}
		if kind == sport.KindCompetition {
			return append(competitionFields(organizations, fresh), visibility), nil
		}
		all = []Field{
			{Name: "name", Label: "Name"},
			{Name: "type", Label: "Type", Input: "choice", Choices: texts([]sport.OrganizationType{sport.Club, sport.Association, sport.Federation})},
			{Name: "parentId", Label: "Below", Input: "list", Choices: organizations, Help: "the key of the organization above it; empty for the highest"},
			{Name: "description", Label: "Description"}, status, visibility,
		}
	case sport.KindTeam:
		organizations, err := b.organizations(ctx)
		if err != nil {
			return nil, err
		}
		all = []Field{
			{Name: "name", Label: "Name"}, {Name: "shortName", Label: "Short name"},
			{Name: "organizationId", Label: "Club", Input: "list", Choices: organizations, Help: "the key of its club"},
			{Name: "startingPoints", Label: "Points to begin with", Input: "number", Help: "a deduction is negative, such as -3"},
			{Name: "group", Label: "Group", Input: "choice", Choices: around.groups}, {Name: "seed", Label: "Seed", Input: "number", Help: "decides where all else is level: a lot, a ruling"},
			status, visibility,
		}
	case sport.KindPlayer:
		all = []Field{
			{Name: "name", Label: "Name"}, {Name: "teamId", Label: "Team", Input: "list", Choices: around.teams, Help: "the key of a team; another one moves the player"},
			{Name: "number", Label: "Shirt number", Input: "number"}, {Name: "position", Label: "Position", Input: "list", Choices: texts(sport.Positions())},
			status, visibility,
		}
	case sport.KindMatch:
		if fresh {
			around.teams = optional("choose a team", around.teams)
		}
		all = append(matchFields(around), visibility)
	}
	if fresh && (kind == sport.KindTeam || kind == sport.KindMatch) {
		all = append(all, Field{Name: "competitionId", Input: "hidden"}, Field{Name: "season", Input: "hidden"})
	}
	return all, nil
}

func competitionFields(organizations []Choice, fresh bool) []Field {
	all := []Field{
		{Name: "name", Label: "Name"}, {Name: "organizationId", Label: "Run by", Input: "list", Choices: organizations, Help: "the key of an organization"},
		{Name: "type", Label: "Type", Input: "choice", Choices: optional("league", texts([]sport.CompetitionType{sport.Cup, sport.Tournament}))},
		{Name: "timezone", Label: "Time zone", Help: "such as Europe/Vienna; UTC if empty"},
		{Name: "gender", Label: "Gender", Input: "choice", Choices: optional("not said", texts([]sport.Gender{sport.Men, sport.Women}))},
		{Name: "rules.like", Label: "Rules like", Input: "list", Choices: regulationsByName(), Help: "a competition whose regulation is known: type a country or a sport. It replaces all rules; empty: those below"},
		{Name: "rules.sport", Label: "Sport", Help: "football if empty; any other may be named, such as floorball"},
		{Name: "rules.periods.count", Label: "Periods of a match", Input: "number", Help: "2 if empty"}, {Name: "rules.periods.minutes", Label: "Minutes of a period", Input: "number", Help: "45 if empty"}, {Name: "rules.periods.extra", Label: "Minutes of each half of extra time, or of an overtime", Input: "number", Help: "15 if empty"},
		{Name: "rules.win", Label: "Points for a win", Input: "number", Help: "3 if empty"}, {Name: "rules.draw", Label: "Points for a draw", Input: "number", Help: "1 if empty"}, {Name: "rules.loss", Label: "Points for a loss", Input: "number", Help: "0 if empty"},
		{Name: "rules.extraTimeWin", Label: "Points for a win in extra time", Input: "number", Help: "as any win if empty"}, {Name: "rules.extraTimeLoss", Label: "Points for a loss in extra time", Input: "number"},
		{Name: "rules.shootoutWin", Label: "Points for a shoot-out that is won", Input: "number", Help: "as for a draw if empty"}, {Name: "rules.shootoutLoss", Label: "Points for a shoot-out that is lost", Input: "number"},
		{Name: "rules.table", Label: "Table", Input: "choice", Choices: []Choice{{"", "shown"}, {"false", "none, as in a children's league"}}},
		{Name: "rules.hidePlayers", Label: "Leave players' names out, as in a children's league", Input: "check"},
		{Name: "completed", Label: "Completed", Input: "check"},
	}
	if fresh {
		all = slices.Insert(all, 1, Field{Name: "season", Label: "Season", Input: "number", Help: "the year in which it starts"})
	}
	return all
}

// regulationsByName are the entries of the catalogue.
func regulationsByName() []Choice {
	var all []Choice
	for _, r := range regulations.All() {
		all = append(all, Choice{r.Name, r.Competition + ", " + r.Sport})
	}
	return all
}

func matchFields(a *around) []Field {
	sides := []Choice{{"home", "the home team"}, {"away", "the away team"}}
	return []Field{
		{Name: "homeTeamId", Label: "Home", Input: "choice", Choices: a.teams}, {Name: "awayTeamId", Label: "Away", Input: "choice", Choices: a.teams},
		{Name: "kickoffLocal", Label: "Kick-off", Input: "local", Help: "as clocks show it in " + a.zone.String()}, {Name: "round", Label: "Round", Input: "number"},
		{Name: "group", Label: "Group", Input: "choice", Choices: a.groups},
		{Name: "status", Label: "State", Input: "choice", Choices: texts(sport.MatchStatuses()), Help: "one that was cancelled or abandoned is postponed"},
		{Name: "score.home", Label: "Score of the home team", Input: "number"}, {Name: "score.away", Label: "Score of the away team", Input: "number"},
		{Name: "penalties.home", Label: "Shoot-out, home", Input: "number"}, {Name: "penalties.away", Label: "Shoot-out, away", Input: "number"},
		{Name: "extraTime", Label: "After extra time", Input: "check"},
		{Name: "winner", Label: "Awarded to", Input: "choice", Choices: optional("nobody: the score decides", append(sides, Choice{"draw", "both, as a draw"}, Choice{"none", "neither: both have lost"})),
			Help: "a ruling, which counts whatever the score says"},
		{Name: "points.home", Label: "Points of the home team, instead of the rules'", Input: "number"}, {Name: "points.away", Label: "Points of the away team", Input: "number"},
		{Name: "setPoints.home", Label: "Points of all sets together, home", Input: "number", Help: "where the score counts sets; in table tennis the sets. Only the order of a table asks for them"}, {Name: "setPoints.away", Label: "Points of all sets together, away", Input: "number"},
		{Name: "tieWinner", Label: "Goes on", Input: "choice", Choices: optional("by the scores", sides)},
	}
}

// around is what a record of a season chooses from.
type around struct {
	teams, groups []Choice
	zone          *time.Location
}

func (b Book) around(ctx context.Context, competition sport.ID, season int) (*around, error) {
	a := &around{groups: optional("none", nil), zone: time.UTC}
	if competition == "" {
		return a, nil
	}
	w, fetch := b.open()
	fetch.Competitions(ctx, []sport.ID{competition})
	if err := fetch.Err(); err != nil {
		return nil, err
	}
	c := w.SeasonOf(world.Before, competition, season)
	if c == nil {
		return a, nil
	}
	a.zone = Zone(c.Timezone)
	for _, g := range c.Groups {
		a.groups = append(a.groups, Choice{string(g.ID), g.Name})
	}
	entries, err := entered(ctx, fetch, c)
	if err != nil {
		return nil, err
	}
	entries = entries[:min(len(entries), maxChoices)]
	var ids []sport.ID
	for _, t := range entries {
		ids = append(ids, t.ID)
	}
	fetch.Teams(ctx, ids)
	if err := fetch.Err(); err != nil {
		return nil, err
	}
	for _, t := range entries {
		key := string(t.ID)
		if team := w.Teams.At(world.Before, t.ID); team != nil {
			key = called(team.ID, team.Key)
		}
		a.teams = append(a.teams, Choice{key, t.Name})
	}
	return a, nil
}

// organizations are those of the table, as far as a page may list them.
func (b Book) organizations(ctx context.Context) ([]Choice, error) {
	w, fetch := b.open()
	entries, total, err := pagedlist.Read(ctx, fetch.Get, records.IDSchema(), pagedlist.Request[records.IDEntry]{
		List: string(records.Everything(sport.KindOrganization)), WithHidden: true, Limit: maxChoices,
	})
	if err != nil || total > maxChoices {
		return nil, err
	}
	var ids []sport.ID
	for _, e := range entries {
		ids = append(ids, e.ID)
	}
	fetch.Organizations(ctx, ids)
	if err := fetch.Err(); err != nil {
		return nil, err
	}
	var all []Choice
	for _, id := range ids {
		if o := w.Organizations.At(world.Before, id); o != nil {
			all = append(all, Choice{called(id, o.Key), fmt.Sprintf("%s (%s)", o.Name, o.Type)})
		}
	}
	return all, nil
}
