package endpoints_test

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
	"touchline/shared/dataset/format"
	"touchline/shared/loader"
	"touchline/shared/loader/export"
	"touchline/shared/sport"
	"touchline/shared/sport/sporttest"
)

// fieldWorld is a small federation in which every field of package sport can be
// changed and seen.
type fieldWorld struct {
	Organizations []sport.Organization
	Competitions  []sport.Competition
	Teams         []sport.Team
	Players       []sport.Player
	Matches       []sport.Match
	Standings     []sport.GivenTable
}

// Ids of the world in addition to those of sporttest.
const (
	otherOrganization sport.ID = "0000000000000000000000f4"
	otherClub         sport.ID = "0000000000000000000000f5"
	givenLeague       sport.ID = "0000000000000000000000c3"
	groupB            sport.ID = "0000000000000000000000a2"
	third             sport.ID = "0000000000000000000000d3"
	fourth            sport.ID = "0000000000000000000000d4"
	otherPlayer       sport.ID = "0000000000000000000000e5"
	secondLeg         sport.ID = "0000000000000000000000b3"
	upcoming          sport.ID = "0000000000000000000000b4"
	event             sport.ID = "0000000000000000000000b5"
	playout           sport.ID = "0000000000000000000000c4"
	groupC            sport.ID = "0000000000000000000000a3"
	groupD            sport.ID = "0000000000000000000000a4"
)

func newFieldWorld() *fieldWorld {
	organization := func(id sport.ID, kind sport.OrganizationType, parent sport.ID) sport.Organization {
		return sport.Organization{ID: id, Type: kind, Name: "Organization " + string(id), ParentID: parent, Status: sport.Active, Visibility: sport.Public, Plan: sport.PlanPro}
	}
	club := sporttest.Organization()
	club.Status, club.Visibility, club.Plan = sport.Active, sport.Public, sport.PlanPro

	playoff := sporttest.Competition()
	playoff.Visibility, playoff.Rules.NoTable, playoff.Rules.HidePlayers = sport.Public, false, false
	sets, withdrawals := playoff.Rules.Sets, playoff.Withdrawals
	playoff.Rules.Sets, playoff.Withdrawals = 0, nil
	league := playoff
	league.ID, league.Name, league.Stage, league.ParentID, league.Format = sporttest.League, "League", sport.Regular, "", ""
	league.Groups = []sport.Group{{ID: groupB, Name: "Group B", Order: 2}, {ID: sporttest.GroupA, Key: "a", Name: "Group A", Order: 1}}
	league.Rules.Carry, league.Rules.TieBreakers = nil, []sport.TieBreaker{sport.ByPoints, sport.ByGoalDiff, sport.ByName}
	playoff.Groups, playoff.Format = nil, sport.FormatLeague
	given := league
	league.Withdrawals = withdrawals
	league.Withdrawals[0].TeamID = fourth
	given.Rules.Sets = sets // of the one without matches, whose scores would not fit
	given.ID, given.Name, given.Groups = givenLeague, "Given league", []sport.Group{{ID: groupC, Name: "Group C"}, {ID: groupD, Name: "Group D"}}
	ties := playoff
	ties.ID, ties.Name, ties.Stage, ties.Format = playout, "Playout", sport.Playout, sport.FormatKnockout

	home := sporttest.Team()
	home.CompetitionID, home.Status, home.Visibility = sporttest.League, sport.Active, sport.Public
	team := func(id, owner sport.ID) sport.Team {
		other := home
		other.ID, other.OrganizationID, other.Name, other.Seed = id, owner, "Team "+string(id), 3
		return other
	}
	across := team(third, otherClub)
	across.GroupID = groupB

	keeper := sporttest.Player()
	keeper.Status, keeper.Visibility = sport.Active, sport.Public
	player := func(id, team sport.ID) sport.Player {
		other := keeper
		other.ID, other.TeamID, other.Name, other.Number = id, team, "Player "+string(id), 9
		return other
	}

	final := sporttest.Match()
	final.CompetitionID, final.Visibility = sporttest.League, sport.Public
	final.Score, final.Penalties, final.Winner, final.ExtraTime = &sport.Score{Home: 3, Away: 1}, nil, sport.WinnerHome, false
	final.Leg, final.TwoLegs, final.TieWinner = 0, false, ""
	final.Lineups.Confirmed = true
	goal := final.Events[0]
	goal.PlayerID, goal.AssistID, goal.PlayerInID, goal.PlayerOutID, goal.Side = sporttest.Keeper, sporttest.Striker, "", "", sport.SideHome
	change := goal
	change.ID, change.Type, change.Detail, change.Minute, change.ExtraMinute = event, sport.EventSubstitution, "", 70, 0
	change.PlayerID, change.AssistID, change.PlayerInID, change.PlayerOutID = "", "", sporttest.Striker, sporttest.Keeper
	final.Events = []sport.Event{change, goal}

	leg := sporttest.Match()
	leg.ID, leg.CompetitionID, leg.Visibility, leg.GroupID, leg.Points = secondLeg, playout, sport.Public, "", nil
	leg.Score, leg.Penalties = &sport.Score{Home: 1, Away: 1}, &sport.Score{Home: 3, Away: 5}
	leg.Lineups, leg.Events, leg.Statistics = nil, nil, nil

	later := sport.Match{
		ID: upcoming, CompetitionID: sporttest.League, Season: sporttest.Season, Status: sport.Upcoming, Kickoff: final.Kickoff.AddDate(0, 0, 7),
		HomeTeamID: sporttest.Home, AwayTeamID: sporttest.Away, Winner: sport.WinnerNone, Round: 4, Visibility: sport.Public,
	}

	played := func(n int, competition, home, away sport.ID, goals int, extraTime bool, penalties *sport.Score) sport.Match {
		m := sport.Match{
			ID: sport.ID(fmt.Sprintf("%024x", 0xb10+n)), CompetitionID: competition, Season: sporttest.Season, Status: sport.Finished,
			Kickoff: final.Kickoff.AddDate(0, 0, -n), HomeTeamID: home, AwayTeamID: away, Score: &sport.Score{Home: goals}, ExtraTime: extraTime,
			Penalties: penalties, Visibility: sport.Public,
		}
		m.Winner = m.WonBy("")
		return m
	}

	group := func(m sport.Match) sport.Match { m.GroupID = sporttest.GroupA; return m }
	firstLeg := played(7, playout, sporttest.Away, sporttest.Home, 0, false, nil)
	firstLeg.Leg, firstLeg.TwoLegs, firstLeg.Round = 1, true, leg.Round

	table := sporttest.GivenTable()
	table.CompetitionID, table.Table = givenLeague, sport.TableRegular
	table.Rows[0].GroupID = groupC

	lost := group(played(8, sporttest.League, sporttest.Home, fourth, 0, false, nil)) // fourth withdraws
	lost.Kickoff = withdrawals[0].From.Add(30 * time.Minute)

	return &fieldWorld{
		Organizations: []sport.Organization{
			club, organization(sporttest.Federation, sport.Federation, ""), organization(sporttest.Association, sport.Association, sporttest.Federation),
			organization(otherOrganization, sport.Association, sporttest.Federation), organization(otherClub, sport.Club, sporttest.Association),
		},
		Competitions: []sport.Competition{league, playoff, given, ties},
		Teams:        []sport.Team{home, team(sporttest.Away, otherClub), across, team(fourth, otherClub)},
		Players: []sport.Player{
			keeper, player(sporttest.Striker, sporttest.Home), player(otherPlayer, sporttest.Home),
			player(sporttest.Winger, sporttest.Away), player(sporttest.Defender, sporttest.Away),
		},
		Matches: []sport.Match{
			final, leg, later,
			played(1, sporttest.League, sporttest.Home, third, 1, false, nil), // across groups
			group(played(2, sporttest.League, sporttest.Home, sporttest.Away, 1, false, nil)), group(played(3, sporttest.League, sporttest.Home, sporttest.Away, 0, false, nil)),
			group(played(4, sporttest.League, sporttest.Home, sporttest.Away, 1, true, nil)), group(played(5, sporttest.League, sporttest.Home, sporttest.Away, 0, true, &sport.Score{Home: 3, Away: 1})),
			group(played(6, sporttest.League, sporttest.Home, sporttest.Away, 2, false, nil)), // by more than the margin
			firstLeg, lost,
		},
		Standings: []sport.GivenTable{table},
	}
}

// folder writes the world as a dataset.
func (w *fieldWorld) folder() fstest.MapFS {
	return fstest.MapFS{
		"organizations.ndjson": ndjson(w.Organizations, func(x sport.Organization) sport.ID { return x.ID }),
		"competitions.ndjson":  ndjson(w.Competitions, func(x sport.Competition) sport.ID { return x.ID }),
		"teams.ndjson":         ndjson(w.Teams, func(x sport.Team) sport.ID { return x.ID }),
		"players.ndjson":       ndjson(w.Players, func(x sport.Player) sport.ID { return x.ID }),
		"matches.ndjson":       ndjson(matchLines(w.Matches), func(x dataset.Match) sport.ID { return x.Base.ID }),
		"standings.ndjson":     ndjson(w.Standings, func(sport.GivenTable) sport.ID { return "" }),
	}
}

// ndjson writes records of a kind, each with its id, and says what shows them: else what is
// stored would stay (D74).
func ndjson[T dataset.Entity](values []T, id func(T) sport.ID) *fstest.MapFile {
	var text []byte
	for _, x := range values {
		line := string(format.Append(nil, &dataset.Record[T]{ID: id(x), Value: x}))
		if v := dataset.Visibility(&x); v != nil && *v == sport.Public {
			line = `{"visibility":"public",` + line[1:]
		}
		if c, ok := any(x).(sport.Competition); ok && !c.Rules.HidePlayers {
			before, after, found := strings.Cut(line, `"rules":{`)
			if line = before + `"rules":{"hidePlayers":false,` + after; !found {
				line = `{"rules":{"hidePlayers":false},` + before[1:]
			}
		}
		text = append(text, line...)
	}
	return &fstest.MapFile{Data: text}
}

func matchLines(matches []sport.Match) []dataset.Match {
	lines := make([]dataset.Match, len(matches))
	for i, m := range matches {
		lines[i].Base = m
	}
	return lines
}

// fieldTargets are requests that between them show every field that is shown.
func fieldTargets() []string {
	match := func(id sport.ID) []string {
		at := "/v1/matches/" + string(id)
		return []string{at, at + "/lineups", at + "/events", at + "/statistics"}
	}
	return slices.Concat(match(sporttest.Final), match(secondLeg), match(upcoming), []string{
		"/v1/organizations/" + string(sporttest.Federation) + "/clubs?includeDescendants=true",
		"/v1/organizations/" + string(sporttest.Federation) + "/competitions?includeDescendants=true",
		"/v1/clubs/" + string(sporttest.Club) + "?includeDescendants=true",
		"/v1/organizations/" + string(sporttest.Federation) + "/clubs?includeDescendants=true&status=active",
		"/v1/organizations/" + string(sporttest.Federation) + "/players?includeDescendants=true&status=active",
		"/v1/associations/" + string(otherOrganization) + "/clubs?includeDescendants=true",
		"/v1/tournaments/" + string(sporttest.League),
		"/v1/tournaments/" + string(sporttest.Playoff),
		"/v1/tournaments/" + string(playout),
		"/v1/tournaments/" + string(sporttest.League) + "/standings",
		"/v1/tournaments/" + string(givenLeague) + "/standings",
		"/v1/tournaments/" + string(sporttest.League) + "/groups",
		"/v1/tournaments/" + string(sporttest.League) + "/teams",
		"/v1/teams/" + string(sporttest.Home),
		"/v1/teams/" + string(sporttest.Home) + "/players",
		"/v1/players/" + string(sporttest.Keeper),
	})
}

// fixed are fields that cannot be changed by themselves.
var fixed = map[string]string{
	"Organization.ID": "identity", "Competition.ID": "identity", "Competition.Season": "identity", "Team.ID": "identity",
	"Player.ID": "identity", "Match.ID": "identity", "Match.WinnerGiven": "with the winner", "Event.ID": "identity", "Group.ID": "identity", "Group.Key": "its id follows from it",
	"GivenTable.CompetitionID": "identity", "GivenTable.Season": "identity", "GivenTable.Table": "identity",
	"Team.CompetitionID": "with the group and the season", "Team.Season": "with the competition",
	"Match.CompetitionID": "with the group and the season", "Match.Season": "with the competition",
	"Event.Type": "with the detail", "Player.Number": "the one before becomes a former number", "Withdrawal.Matches": "with the goals", "Clock.Count": "with the periods that matches give",
}

// notShown are fields that no response shows by themselves, and why.
var notShown = map[string]string{
	"Organization.Plan":   "it decides whether the organization's keys may be used (D1)",
	"Competition.Current": "it matters only next to another season",
	"Competition.EndsAt":  "it decides until when a competition is active (D18)",
	"Match.SetPoints":     "they order teams that are level (package standings)",
	"FormerNumber.Number": "line-ups that give no number show it (TestLineUpsKeepTheNumberOfTheirDay)",
	"FormerNumber.Until":  "likewise",
	"Team.Seed":           "it orders teams that are level (package standings)",
	"Rules.TieBreakers":   "they order teams that are level (package standings)",
	"Carry.Points":        "it counts for teams that come from the parent (package standings)",
	"Carry.Record":        "likewise",
	"Carry.Among":         "likewise",
	"TieRules.BestOf":     "it decides a series (package standings)",
	"TieRules.AwayGoals":  "they decide two legs that are level (package standings)",
	"Clock.Extra":         "it counts after extra time (package statistics)",
	"Forfeit.Goals":       "they count where a withdrawal gives none (TestForfeits)",
	"Forfeit.SetPoints":   "they order teams that are level (package standings)",
	"Rules.Sets":          "it decides which scores there may be (D80)",
	"Rules.Sport":         "it decides which positions there may be (D61)",
}

// others are values for fields whose type alone does not say what else is valid.
var others = map[string]any{
	"Organization.Type": sport.Association, "Organization.ParentID": otherOrganization, "Organization.AdditionalParentIDs": otherOrganization,
	"Competition.Timezone": "Europe/London", "Competition.OrganizationID": sporttest.Association, "Competition.ParentID": givenLeague,
	"Team.OrganizationID": otherClub, "Team.GroupID": groupB, "Player.TeamID": sporttest.Away,
	"Match.HomeTeamID": third, "Match.AwayTeamID": third, "Match.GroupID": groupB, "Match.Leg": 1,
	"Squad.Formation": "4-3-3", "LineupEntry.PlayerID": otherPlayer, "LineupEntry.Grid": "2:4",
	"Event.Detail": sport.GoalRegular, "Event.PlayerID": otherPlayer, "Event.AssistID": otherPlayer,
	"Event.PlayerInID": otherPlayer, "Event.PlayerOutID": otherPlayer,
	"GivenRow.TeamID": third, "GivenRow.GroupID": groupD,
	"Rules.TieBreakers": sport.ByGoalsFor, "Withdrawal.TeamID": third,
	"TieRules.BestOf": 9, "Rules.Sets": 7,
}

// alternatives are values of types with a set of values; a field gets the first
// that it does not have.
var alternatives = []any{
	sport.Inactive, sport.Hidden, sport.PlanFree, sport.Tournament, sport.Playout, sport.FormatLeague, sport.FormatKnockout, sport.Men,
	sport.Postponed, sport.WinnerDraw, sport.Forward, sport.SideHome, sport.SideAway, sport.FirstHalf, sport.SecondHalf,
	sport.CarryFull, sport.CarryAll, sport.MatchesAnnulled,
}

// fieldChange is another value of a field of an entity of the world.
type fieldChange struct {
	field string // such as Player.Name: by the struct that declares it
	path  string // such as Players[0].Name
	kind  reflect.Type
	set   func()
}

// changesOf finds every field in v with a value, and gives it another one.
func changesOf(v reflect.Value, field, path string) []fieldChange {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return []fieldChange{{field, path, v.Type(), func() { v.Set(reflect.ValueOf(v.Interface().(time.Time).Add(time.Hour))) }}}
		}
		var all []fieldChange
		for i := range v.NumField() {
			f := v.Type().Field(i)
			all = append(all, changesOf(v.Field(i), v.Type().Name()+"."+f.Name, path+"."+f.Name)...)
		}
		return all
	case reflect.Slice:
		var all []fieldChange
		for i := range v.Len() {
			all = append(all, changesOf(v.Index(i), field, fmt.Sprintf("%s[%d]", path, i))...)
		}
		return all
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		if v.Elem().Kind() == reflect.Struct {
			return changesOf(v.Elem(), field, path)
		}
		return []fieldChange{{field, path, v.Type(), func() { // what it points to may be shared
			next := reflect.New(v.Type().Elem())
			if next.Elem().Kind() == reflect.Bool {
				next.Elem().SetBool(!v.Elem().Bool())
			} else {
				next.Elem().SetInt(v.Elem().Int() + 1)
			}
			v.Set(next)
		}}}
	}
	if v.IsZero() && v.Kind() != reflect.Bool {
		return nil // another entity of the world has it
	}
	return []fieldChange{{field, path, v.Type(), func() { v.Set(another(v, field)) }}}
}

func another(v reflect.Value, field string) reflect.Value {
	if other, ok := others[field]; ok {
		return reflect.ValueOf(other)
	}
	for _, other := range alternatives {
		if o := reflect.ValueOf(other); o.Type() == v.Type() && !o.Equal(v) {
			return o
		}
	}
	next := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Bool:
		next.SetBool(!v.Bool())
	case reflect.Int, reflect.Int64:
		next.SetInt(v.Int() + 1)
	case reflect.String:
		next.SetString(v.String() + "x")
	default:
		panic("no other value for " + field)
	}
	return next
}

// fieldsOf names every field of the structs below a type.
func fieldsOf(of reflect.Type, into map[string]bool) {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct || of == reflect.TypeFor[time.Time]() {
		return
	}
	for i := range of.NumField() {
		f := of.Field(i)
		under := f.Type
		for under.Kind() == reflect.Pointer || under.Kind() == reflect.Slice {
			under = under.Elem()
		}
		if under.Kind() == reflect.Struct && under != reflect.TypeFor[time.Time]() {
			fieldsOf(under, into)
		} else {
			into[of.Name()+"."+f.Name] = true
		}
	}
}

// A field of an entity is read from a dataset, stored, shown, and changed
// wherever it is shown: in every record and list that repeats it, and in the
// export. Whoever adds a field learns here which place was forgotten. With -short
// only the fields of a player are changed.
func TestAFieldGoesAllTheWay(t *testing.T) {
	s := serve(t, newFieldWorld().folder())
	was := everyField(t, s)
	for _, answer := range was {
		if !strings.Contains(answer, "\n200 ") {
			t.Errorf("%s", answer)
		}
	}
	changed, shown, done := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for n := 0; ; n++ {
		w := newFieldWorld() // nothing is shared with the one before
		all := changesOf(reflect.ValueOf(w).Elem(), "", "")
		if n == len(all) {
			break
		}
		c := all[n]
		changed[c.field] = true
		if done[c.field] || fixed[c.field] != "" || testing.Short() && !strings.HasPrefix(c.path, ".Players[0]") {
			continue
		}
		c.set()
		t.Run(c.path[1:], func(t *testing.T) {
			loadWorld(t, s, newFieldWorld()) // else the change before is taken back by the same load, which may mend what this one leaves
			holds(t, s, w)
			shown[c.field] = !slices.Equal(everyField(t, s), was)
			done[c.field] = shown[c.field] || notShown[c.field] != ""
		})
	}

	every := map[string]bool{}
	fieldsOf(reflect.TypeFor[fieldWorld](), every)
	for field := range every {
		switch {
		case strings.HasPrefix(field, "fieldWorld"):
		case !changed[field]:
			t.Errorf("%s has no value in the world of this test", field)
		case testing.Short() && !strings.HasPrefix(field, "Player."), fixed[field] != "":
		case !shown[field] && notShown[field] == "":
			t.Errorf("%s: no response shows it, of those in fieldTargets. If none should, say why in notShown", field)
		case shown[field] && notShown[field] != "":
			t.Errorf("%s is shown, although %s", field, notShown[field])
		}
	}
}

// namesNobody are the texts and ids that show in a season that hides its players (D75).
// Whoever adds a field decides: one that names a person is hidden by
// visible.go of package loader/world, any other is put here.
var namesNobody = strings.Fields(`
	Organization.Name Organization.Logo Organization.ParentID Organization.AdditionalParentIDs Organization.Description Competition.Name Competition.Logo Competition.Timezone Competition.OrganizationID Competition.ParentID
	Group.Name Team.Name Team.ShortName Team.Logo Team.OrganizationID Team.GroupID Withdrawal.TeamID Match.HomeTeamID Match.AwayTeamID
	Match.GroupID GivenRow.TeamID GivenRow.GroupID Squad.Formation LineupEntry.Grid LineupEntry.Position
	LineupEntry.PlayerID Event.PlayerInID Event.PlayerOutID`) // the last three by minutes alone, which stay in line-ups

func TestAFieldThatNamesAPersonIsHidden(t *testing.T) {
	hiding := func() *fieldWorld {
		w := newFieldWorld()
		for i := range w.Competitions {
			w.Competitions[i].Rules.HidePlayers = true
		}
		return w
	}
	s := serve(t, hiding().folder())
	was := everyField(t, s)
	shown := map[string]bool{}
	for n := 0; ; n++ {
		w := hiding()
		all := changesOf(reflect.ValueOf(w).Elem(), "", "")
		if n == len(all) {
			break
		}
		c := all[n]
		person := c.kind == reflect.TypeFor[string]() || c.kind == reflect.TypeFor[sport.ID]() || c.kind == reflect.TypeFor[sport.Position]() || strings.HasPrefix(c.field, "Player.")
		if !person || shown[c.field] || fixed[c.field] != "" {
			continue
		}
		c.set()
		loadWorld(t, s, w)
		shown[c.field] = !slices.Equal(everyField(t, s), was)
		if shown[c.field] && !slices.Contains(namesNobody, c.field) {
			t.Errorf("%s is shown where players are hidden. If it names a person, hide it (visible.go of package loader/world); if not, put it into namesNobody", c.field)
		}
	}
	for _, field := range namesNobody {
		if !shown[field] {
			t.Errorf("%s is in namesNobody, and is not shown", field)
		}
	}
}

// fields asks for everything that shows a field of the world.
func everyField(t *testing.T, s *service) []string {
	t.Helper()
	s.restart()
	var all []string
	for _, target := range fieldTargets() {
		status, body := s.ask(t, keyOf(string(sporttest.Federation)), target)
		all = append(all, fmt.Sprintf("%s\n%d %s", target, status, body))
	}
	return all
}

func loadWorld(t *testing.T, s *service, w *fieldWorld) *loader.Loader {
	t.Helper()
	l, moves := s.table.Loader(), 1000 // whatever a field moves or shows is meant
	if _, err := l.Load(t.Context(), w.folder(), loader.Options{AllowDeletes: &moves, Yes: true}); err != nil {
		t.Fatal(err)
	}
	return l
}

// holds loads a world, and compares the table with what it says.
func holds(t *testing.T, s *service, w *fieldWorld) {
	t.Helper()
	l := loadWorld(t, s, w)
	report, err := l.Check(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range report.Differences {
		t.Errorf("not changed with the field: %s: %s", d.Place, d.Problem)
	}
	stored := fstest.MapFS{}
	e := export.Exporter{Table: s.table.Table, Create: func(name string) (io.WriteCloser, error) {
		return &exportedFile{close: func(text []byte) { stored[name] = &fstest.MapFile{Data: text} }}, nil
	}}
	if _, err := e.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(read(t, w.folder()), read(t, stored)); diff != "" {
		t.Errorf("given (-) and stored (+):\n%s", diff)
	}
}

// exportedFile is a file of an export in memory.
type exportedFile struct {
	bytes.Buffer
	close func([]byte)
}

func (f *exportedFile) Close() error { f.close(f.Bytes()); return nil }

// read is the world of a dataset, each kind in the order of ids.
func read(t *testing.T, folder fstest.MapFS) *fieldWorld {
	t.Helper()
	set, err := format.Read(t.Context(), folder, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := &fieldWorld{
		Organizations: valuesOf(set.Organizations), Competitions: valuesOf(set.Competitions), Teams: valuesOf(set.Teams),
		Standings: valuesOf(set.Standings),
	}
	var players []*dataset.Record[sport.Player]
	for _, p := range set.Players.All() {
		players = append(players, p)
	}
	w.Players = valuesOf(players)
	for _, m := range set.Matches.All() {
		w.Matches = append(w.Matches, m.Value.Full())
	}
	for i := range w.Matches {
		if v := &w.Matches[i].Visibility; *v == "" {
			*v = sport.Public
		}
	}
	slices.SortFunc(w.Matches, func(a, b sport.Match) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return w
}

func valuesOf[T dataset.Entity](all []*dataset.Record[T]) []T {
	slices.SortFunc(all, func(a, b *dataset.Record[T]) int { return strings.Compare(string(a.ID), string(b.ID)) })
	var values []T
	for _, r := range all {
		if v := dataset.Visibility(&r.Value); v != nil && *v == "" {
			*v = sport.Public
		}
		values = append(values, r.Value)
	}
	return values
}
