package spreadsheet

import (
	"fmt"
	"hash/maphash"
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"touchline/shared/dataset"
	"touchline/shared/dataset/sheet"
	"touchline/shared/sport"
)

// Lint warns of what people do to a spreadsheet and a single line does not show (D51):
// records that are there twice under two ids, rows that are not records, matches that cannot
// all be played. It compares the records of a dataset with each other alone. resolve
// fills in the season and the kick-off of a match; nil: the set holds them.
func Lint(set *dataset.Set, resolve func(*dataset.Record[dataset.Match])) []dataset.Fault {
	l := &linter{set: set, seed: maphash.MakeSeed(), seasons: map[season]*dataset.Record[sport.Competition]{}, games: map[season][]game{}}
	for _, c := range set.Competitions {
		if !c.Deleted {
			l.seasons[season{c.ID, c.Value.Season}] = c
		}
	}
	alike(l, sport.KindOrganization, slices.All(set.Organizations))
	alike(l, sport.KindCompetition, slices.All(set.Competitions))
	alike(l, sport.KindTeam, slices.All(set.Teams))
	alike(l, sport.KindPlayer, set.Players.All())
	alike(l, sport.KindMatch, set.Matches.All())
	l.clubs()
	l.teams()
	l.players()
	l.matches(resolve)
	return l.found
}

type linter struct {
	set     *dataset.Set
	seed    maphash.Seed
	seasons map[season]*dataset.Record[sport.Competition]
	games   map[season][]game
	found   []dataset.Fault
}

// season is a competition's.
type season struct {
	competition sport.ID
	year        int
}

func (l *linter) warn(at dataset.Origin, field, format string, args ...any) {
	l.found = append(l.found, dataset.Fault{File: at.File, Line: at.Line, Field: field, Message: fmt.Sprintf(format, args...)})
}

func (l *linter) called(kind sport.Kind, id sport.ID) string {
	return dataset.Quoted(kind, l.set.Given(id))
}

// twice finds texts that are the same. It keeps their hashes: there may be millions.
type twice struct {
	seed maphash.Seed
	seen map[uint64]sport.ID
}

func (l *linter) twice() *twice { return &twice{l.seed, map[uint64]sport.ID{}} }

// first returns the record that has the text already; empty: none, and this one has it.
func (t *twice) first(text string, id sport.ID) sport.ID {
	hash := maphash.String(t.seed, text)
	if first := t.seen[hash]; first != "" {
		return first
	}
	t.seen[hash] = id
	return ""
}

// alike warns of records whose ids a person takes for the same.
func alike[T dataset.Entity](l *linter, kind sport.Kind, all iter.Seq2[int, *dataset.Record[T]]) {
	ids := l.twice()
	for _, r := range all {
		if r.Deleted || sport.IsID(r.Key) {
			continue
		}
		if first := ids.first(folded(r.Key), r.ID); first != "" && first != r.ID {
			l.warn(r.Origin, "id", "is almost that of %s: they differ in case, width, a dash or zeros in front", l.called(kind, first))
		}
	}
}

var zeros = regexp.MustCompile(`(^|\D)0+(\d)`)

// folded is a key without what spreadsheets and people change: the case and width of
// letters, the kind of a dash, and zeros in front of a number.
func folded(key string) string {
	return zeros.ReplaceAllString(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Dash, r) {
			return '-'
		}
		return unicode.ToLower(r)
	}, norm.NFKC.String(key)), "$1$2")
}

// plain is a name without what people write in one way or another: case, spaces,
// punctuation, and the accents of letters.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFKD.String(name))
}

// clubs warns of clubs that belong to nobody, unless they hold competitions themselves.
func (l *linter) clubs() {
	owners := map[sport.ID]bool{}
	for _, c := range l.set.Competitions {
		owners[c.Value.OrganizationID] = true
	}
	for _, x := range l.set.Organizations {
		if !x.Deleted && x.Value.Type == sport.Club && len(x.Value.Parents()) == 0 && !owners[x.ID] {
			l.warn(x.Origin, "parentId", "is missing: the club belongs to no federation or association")
		}
	}
}

// nobody is what plans of fixtures call the opponent of a team that rests.
var nobody = []string{"bye", "rest", "spielfrei", "freilos", "exempt", "libre", "descansa", "riposo", "vrij", "folga", "pauza", "wolny los", "volny los", "szabadnap"}

// isTeam reports whether a name may be that of a team: it is no word for one that rests, and
// none for a row of sums.
func isTeam(name string) bool {
	name = plain(name)
	same := func(word string) bool { return plain(word) == name }
	return !slices.ContainsFunc(nobody, same) && !slices.ContainsFunc(sheet.Totals, same)
}

// teams warns of rows that are no team, of two of one name in a season, and of a
// deduction that adds points.
func (l *linter) teams() {
	names := l.twice()
	const few = 4                                        // one in so many teams
	entered, ahead := map[season]int{}, map[season]int{} // teams, and those that begin with points
	for _, t := range l.set.Teams {
		of := season{t.Value.CompetitionID, t.Value.Season}
		entered[of]++
		if t.Value.StartingPoints > 0 {
			ahead[of]++
		}
	}
	for _, t := range l.set.Teams {
		v := &t.Value
		if t.Deleted {
			continue
		}
		of := season{v.CompetitionID, v.Season}
		if c := l.seasons[of]; (c == nil || c.Value.Stage == sport.Regular) && v.StartingPoints > 0 && few*ahead[of] <= entered[of] {
			l.warn(t.Origin, "startingPoints", "is %d, with which the team begins: a deduction is negative, -%[1]d", v.StartingPoints)
		}
		if !isTeam(v.Name) {
			l.warn(t.Origin, "name", "is %q, which is no team: one that rests has no match, and a sum is no row", v.Name)
		}
		if v.CompetitionID == "" || v.Status != sport.Active {
			continue
		}
		if first := names.first(fmt.Sprint(v.CompetitionID, v.Season, plain(v.Name)), t.ID); first != "" {
			l.warn(t.Origin, "name", "is also the name of %s in the competition", l.called(sport.KindTeam, first))
		}
	}
}

// players warns of two active players of a team with one number, or one name.
func (l *linter) players() {
	numbers, names := l.twice(), l.twice()
	for _, p := range l.set.Players.All() {
		v := &p.Value
		if p.Deleted || v.Status != sport.Active {
			continue
		}
		if v.Number > 0 {
			if first := numbers.first(fmt.Sprint(v.TeamID, v.Number), p.ID); first != "" {
				l.warn(p.Origin, "number", "%d is also the number of %s in the team", v.Number, l.called(sport.KindPlayer, first))
			}
		}
		words := strings.Fields(strings.ToLower(strings.ReplaceAll(v.Name, ",", " ")))
		slices.Sort(words) // whichever name is first
		if first := names.first(string(v.TeamID)+plain(strings.Join(words, "")), p.ID); first != "" {
			l.warn(p.Origin, "name", "is also the name of %s in the team", l.called(sport.KindPlayer, first))
		}
	}
}
