package sheet

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/slips"
)

// columns are what a header may name, by kind: the fields of dataset.md without
// those that only NDJSON can hold. What a column is called is its path, so that a
// nested field needs a row here as well.
var columns = [files.Kinds][]string{
	files.Organizations: {
		"id", "type", "name", "logo", "parentId", "additionalParentIds", "description", "season", "status", "visibility", "plan", "deleted", "erase", "patch",
	},
	files.Competitions: {
		"id", "season", "current", "name", "logo", "type", "stage", "timezone", "organizationId", "gender", "completed", "endsAt", "visibility",
		"parentId", "format", "groups.id", "groups.name", "groups.order",
		"rules.like", "rules.sport", "rules.periods.count", "rules.periods.minutes", "rules.periods.extra", "rules.win", "rules.draw", "rules.loss", "rules.extraTimeWin", "rules.extraTimeLoss", "rules.shootoutWin", "rules.shootoutLoss",
		"rules.margins.by", "rules.margins.win", "rules.margins.loss",
		"rules.tieBreakers", "rules.table", "rules.acrossGroups", "rules.hidePlayers", "rules.carry.points", "rules.carry.record", "rules.carry.among", "rules.ties.bestOf", "rules.ties.awayGoals",
		"withdrawals.teamId", "withdrawals.matches", "withdrawals.from", "withdrawals.goals",
		"deleted", "erase", "patch",
	},
	files.Teams: {
		"id", "name", "shortName", "logo", "organizationId", "competitionId", "season", "group", "gender", "status", "visibility",
		"startingPoints", "seed", "deleted", "erase", "patch",
	},
	files.Players: {
		"id", "name", "teamId", "number", "formerNumbers.number", "formerNumbers.until", "position", "photo", "status", "visibility", "deleted", "erase", "patch",
	},
	files.Matches: {
		"id", "competitionId", "season", "status", "kickoffAt", "kickoffLocal", "homeTeamId", "awayTeamId", "score.home", "score.away",
		"penalties.home", "penalties.away", "extraTime", "leg", "twoLegs", "winner", "points.home", "points.away", "setPoints.home", "setPoints.away", "tieWinner", "round", "group",
		"visibility", "deleted", "erase", "patch",
	},
	files.Standings: {
		"competitionId", "season", "table", "rows.teamId", "rows.rank", "rows.played", "rows.won", "rows.drawn", "rows.lost", "rows.goalsFor",
		"rows.goalsAgainst", "rows.points", "rows.startingPoints", "rows.group", "deleted",
	},
}

// Columns are the names that a header of a kind may have.
func Columns(of files.Kind) []string { return columns[of] }

// KindOf is the only kind that has the fields in a first row: most of them, and those that
// say which record a row is. Any: there isn't one, or several have as many.
func KindOf(header []string) files.Kind {
	best, most, tie, all := files.Any, 0, false, 0
	for _, name := range header {
		if strings.TrimSpace(name) != "" {
			all++
		}
	}
	for k := range files.Kinds {
		has := func(name string) bool {
			return slices.Contains(columns[k], canonical(k, name)) || k == files.Matches && slices.Contains(twoColumns, canonical(k, name))
		}
		known := 0
		for _, name := range header {
			if strings.TrimSpace(name) != "" && has(name) {
				known++
			}
		}
		whole := !slices.ContainsFunc(identifying[k], func(name string) bool {
			return !slices.ContainsFunc(header, func(cell string) bool { return canonical(k, cell) == name })
		})
		switch {
		case !whole || 2*known <= all || known < most:
		case known == most:
			tie = true
		default:
			best, most, tie = k, known, false
		}
	}
	if tie {
		return files.Any
	}
	return best
}

// identifying are the columns without which no row says whose it is.
var identifying = [files.Kinds][]string{
	files.Organizations: {"id"}, files.Competitions: {"id"}, files.Teams: {"id"}, files.Players: {"id"}, files.Matches: {"id"},
	files.Standings: {"competitionId", "season", "table"},
}

// HeaderError is what is wrong with the names in the first row: nothing of the file
// is read.
type HeaderError struct{ Wrong []RowError }

// Error gives the first message.
func (e *HeaderError) Error() string { return e.Wrong[0].Message }

// template ends a message on the names in a first row.
const template = "; `touchline template` writes a file with every column"

// check refuses a first row that is not a header, and a column that the kind does not have.
func check(of files.Kind, header []string) error {
	known := columns[of]
	var wrong []RowError
	found, called := 0, 0 // columns that are known, and those by another name
	for _, name := range header {
		switch name = strings.TrimSpace(name); {
		case name == "":
		case slices.Contains(known, name):
			found++
		default:
			if translated(of, name) != "" {
				called++
			}
			wrong = append(wrong, RowError{shown(name), "is not a known column" + meant(of, name)})
		}
	}
	if found == 0 && len(header) == 1 && strings.ContainsAny(header[0], ",;|\t") {
		return &HeaderError{[]RowError{{Message: fmt.Sprintf("the first row is a single cell, %s: separate cells by commas, semicolons or tabs, and quote a cell, not a row", quoted(header[0]))}}}
	}
	if found == 0 && called < 2 {
		return &HeaderError{[]RowError{{Message: fmt.Sprintf("the first row is not a header: it must name the columns, such as %s%s", strings.Join(known[:4], ", "), template)}}}
	}
	for _, name := range identifying[of] {
		if !slices.ContainsFunc(header, func(cell string) bool { return strings.TrimSpace(cell) == name }) {
			wrong = append(wrong, RowError{name, "has no column, and without it no row says which record it is" + template})
		}
	}
	if wrong != nil {
		return &HeaderError{wrong}
	}
	return nil
}

// meant ends the message on a column that is not known.
func meant(of files.Kind, name string) string {
	head, _, _ := strings.Cut(name, ".")
	if of == files.Matches && slices.Contains([]string{"lineups", "events", "statistics"}, head) {
		return ": line-ups, events and statistics need NDJSON"
	}
	if of == files.Matches && slices.Contains([]string{"ergebnis", "result", "resultat", "endstand"}, strings.ToLower(name)) {
		name = "score"
	}
	parts := slices.DeleteFunc(slices.Clone(columns[of]), func(c string) bool { return !strings.HasPrefix(c, name+".") })
	if len(parts) > 0 {
		return "; its parts have columns of their own: " + strings.Join(parts, ", ")
	}
	if best := cmp.Or(slips.Near(name, columns[of]), translated(of, name)); best != "" {
		return "; did you mean " + best + "?"
	}
	return "; known here are " + strings.Join(columns[of], ", ")
}

// twoColumns together are a kick-off.
var twoColumns = []string{"date", "time"}

// words are what people call columns, in English and German.
var words = map[string][]string{
	"id": {"nr", "nummer", "kennung", "key"}, "name": {"spieler", "player", "mannschaftsname", "vorname", "nachname"}, "shortName": {"kürzel", "kurzname", "short"},
	"homeTeamId": {"heim", "home", "heimmannschaft", "heimteam", "hometeam"}, "awayTeamId": {"gast", "away", "gastmannschaft", "gastteam", "guest", "visitor", "auswärts"},
	"score.home": {"tore heim", "heimtore", "homegoals", "ergebnis", "result", "resultat"}, "score.away": {"tore gast", "gasttore", "awaygoals"},
	"date": {"datum", "tag", "day"}, "time": {"uhrzeit", "zeit", "anwurf", "anstoß", "beginn"}, "round": {"spieltag", "runde", "matchday", "week"},
	"competitionId": {"liga", "wettbewerb", "league", "staffel"}, "season": {"saison", "spielzeit"}, "teamId": {"mannschaft", "team"}, "organizationId": {"verein", "club"},
	"parentId": {"verband", "association"}, "number": {"trikot", "trikotnummer", "rückennummer", "shirt"}, "timezone": {"zeitzone"}, "type": {"art", "typ"},
}

// translated is the column that people call so; empty: none, or the kind has none.
func translated(of files.Kind, name string) string {
	known := columns[of]
	if of == files.Matches {
		known = slices.Concat(known, twoColumns)
	}
	for column, called := range words {
		if slices.Contains(called, strings.ToLower(name)) && slices.Contains(known, column) {
			return column
		}
	}
	return ""
}

// canonical is a name of a column as the format writes it: its case does not count.
func canonical(of files.Kind, name string) string {
	name = strings.TrimSpace(name)
	for _, known := range slices.Concat(twoColumns, columns[of]) {
		if strings.EqualFold(known, name) {
			return known
		}
	}
	return name
}

// truthOf is a truth as spreadsheets of some languages write it, in English.
func truthOf(cell string) string {
	switch cell = strings.ToLower(cell); cell {
	case "wahr", "vrai", "vero", "verdadero":
		return "true"
	case "falsch", "faux", "falso":
		return "false"
	}
	return cell
}

// letters name a column as spreadsheets do: A, B, to Z, AA and so on.
func letters(column int) string {
	name := ""
	for column++; column > 0; column = (column - 1) / 26 {
		name = string(rune('A'+(column-1)%26)) + name
	}
	return name
}

// quoted is a cell that is fit for a message.
func quoted(cell string) string { return strconv.Quote(shown(cell)) }

// twoCells has the columns date and time give kickoffLocal, where that has no column.
func (s *Sheet) twoCells() {
	find := func(name string) int {
		for _, c := range s.root {
			if c.name == name && c.at >= 0 {
				return c.at
			}
		}
		return -1
	}
	date, time := find("date"), find("time")
	if date < 0 || time < 0 || s.Has("kickoffLocal") || s.Has("kickoffAt") {
		return
	}
	s.date, s.time = date, time
	s.root = slices.DeleteFunc(s.root, func(c *column) bool { return c.at == time })
	for _, c := range s.root {
		if c.at == date {
			c.name, c.path = "kickoffLocal", "kickoffLocal"
		}
	}
	for i, name := range s.header {
		if name == "date" || name == "time" {
			s.header[i] = "kickoffLocal"
		}
	}
}

// joined puts the time of a kick-off behind its date.
func (s *Sheet) joined(cells []string) []string {
	if s.date < 0 || s.time >= len(cells) || s.date >= len(cells) {
		return cells
	}
	date, midnight := strings.CutSuffix(strings.TrimSpace(cells[s.date]), " 00:00:00") // as some spreadsheets write a date
	time := strings.TrimSpace(cells[s.time])
	if date != "" && time != "" {
		cells[s.date] = date + " " + time
	} else if midnight {
		cells[s.date] = date
	}
	return cells
}

// shown is a name of a column that is fit for a message.
func shown(name string) string {
	if text := []rune(name); len(text) > 60 {
		name = string(text[:60]) + "…"
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, name)
}
