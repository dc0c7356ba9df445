package odd

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"touchline/shared/dataset"
	"touchline/shared/sport"
)

// twins finds texts that are the same. It holds their hashes, since there may be millions.
type twins struct {
	seed maphash.Seed
	all  []hashed
}

type hashed struct {
	hash uint64
	at   int32
}

func newTwins() *twins { return &twins{seed: maphash.MakeSeed()} }

// add adds a text by its index. An empty one is like no other.
func (t *twins) add(text string, at int) {
	if text != "" {
		t.all = append(t.all, hashed{maphash.String(t.seed, text), int32(at)}) //nolint:gosec // records are counted in millions
	}
}

// pairs calls found for each two texts that are the same, the one with the lower index
// first.
func (t *twins) pairs(found func(i, j int)) {
	slices.SortFunc(t.all, func(a, b hashed) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.at, b.at)) })
	for x := 1; x < len(t.all); x++ {
		if a, b := t.all[x-1], t.all[x]; a.hash == b.hash {
			found(int(a.at), int(b.at))
		}
	}
}

// alike warns of records whose ids a person takes for the same: they differ in the case
// or the width of letters, in zeros in front of a number, or in the kind of a dash.
func (o *oddities) alike() {
	alikeIn(o, sport.KindOrganization, listed(o.set.Organizations), func(i int) *dataset.Record[sport.Organization] { return o.set.Organizations[i] })
	alikeIn(o, sport.KindCompetition, listed(o.set.Competitions), func(i int) *dataset.Record[sport.Competition] { return o.set.Competitions[i] })
	alikeIn(o, sport.KindTeam, listed(o.set.Teams), func(i int) *dataset.Record[sport.Team] { return o.set.Teams[i] })
	alikeIn(o, sport.KindPlayer, o.playerIDs, o.set.Players.At)
	alikeIn(o, sport.KindMatch, o.matchIDs, o.set.Matches.At)
}

func listed[T dataset.Entity](all []*dataset.Record[T]) *twins {
	t := newTwins()
	for i, r := range all {
		t.add(folded(r.Key, r.Deleted), i)
	}
	return t
}

func alikeIn[T dataset.Entity](o *oddities, kind sport.Kind, ids *twins, at func(int) *dataset.Record[T]) {
	ids.pairs(func(i, j int) {
		a, b := at(i), at(j)
		if a.ID != b.ID && folded(a.Key, false) == folded(b.Key, false) {
			o.warn(b.Origin, "id", "is almost that of %s: they differ in case, width, a dash or zeros in front", dataset.Quoted(kind, o.set.Given(a.ID)))
		}
	})
}

// folded is a key without what a person does not see; empty for an id, and for that of
// a record that is deleted.
func folded(key string, deleted bool) string {
	if deleted || sport.IsID(key) {
		return ""
	}
	key = strings.ToLower(norm.NFKC.String(key))
	var to strings.Builder
	last := rune(0)
	for i, c := range key {
		next, _ := utf8.DecodeRuneInString(key[i+utf8.RuneLen(c):])
		zero := c == '0' && !unicode.IsDigit(last) && unicode.IsDigit(next)
		if unicode.Is(unicode.Dash, c) {
			c = '-'
		}
		if !zero {
			to.WriteRune(c)
			last = c
		}
	}
	return to.String()
}

// nameIn is a player's name in the team, in whatever order its words are.
func nameIn(p *sport.Player) string {
	return string(p.TeamID) + sorted(p.Name)
}

func sorted(name string) string {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(bare(name), ",", " ")))
	slices.Sort(words)
	return strings.Join(words, " ")
}

// entry is a player's name and number in the season of the team; empty for one without a
// number or a season.
func (o *oddities) entry(p *sport.Player) string {
	t := o.team(p.TeamID)
	if p.Number == 0 || t == nil || t.CompetitionID == "" {
		return ""
	}
	return fmt.Sprint(t.CompetitionID, t.Season, " ", p.Number, sorted(p.Name))
}

// same warns of two active players, of one team or not, whose key is the same, where they
// have one; stored ones come first. The text takes the other player, the number, and the
// other's name.
func (o *oddities) same(oneTeam bool, key func(*sport.Player) string, field, text string) {
	stored, all := len(o.stored.Players), newTwins()
	at := func(i int) *sport.Player {
		if i < stored {
			return &o.stored.Players[i]
		}
		return &o.set.Players.At(i - stored).Value
	}
	for i := range o.stored.Players {
		if p := &o.stored.Players[i]; p.Status == sport.Active {
			all.add(key(p), i)
		}
	}
	for i, p := range o.set.Players.All() {
		if !p.Deleted && p.Value.Status == sport.Active {
			all.add(key(&p.Value), stored+i)
		}
	}
	all.pairs(func(i, j int) {
		if first, again := at(i), at(j); j >= stored && key(first) == key(again) && oneTeam == (first.TeamID == again.TeamID) {
			other := "another player"
			if i >= stored {
				other = dataset.Quoted(sport.KindPlayer, o.set.Given(first.ID))
			}
			o.warn(o.set.Players.At(j-stored).Origin, field, text, other, again.Number, first.Name)
		}
	})
}

// withdrawn warns of a team that withdraws from a season in which it is not entered, as
// far as the set shows it: with a table it is a fault.
func (o *oddities) withdrawn() {
	if o.stored.Team != nil {
		return
	}
	for _, c := range o.set.Competitions {
		for _, w := range c.Value.Withdrawals {
			if t := o.teams[w.TeamID]; t != nil && (t.CompetitionID != c.ID || t.Season != c.Value.Season) {
				o.warn(c.Origin, "withdrawals", "%s is not entered in season %d of the competition", dataset.Quoted(sport.KindTeam, o.set.Given(w.TeamID)), c.Value.Season)
			}
		}
	}
}

// suffix warns of a club's team whose name is that of another with an ending, such as a
// legal form: most likely both are one. A number, a letter or a Roman numeral is that of
// a second team.
func (o *oddities) suffix(t *dataset.Record[sport.Team], named func(name string) sport.ID) {
	base, ending, _ := cutLast(t.Value.Name)
	if base == "" || utf8.RuneCountInString(ending) < 2 || strings.ContainsFunc(ending, unicode.IsDigit) || strings.Trim(strings.ToUpper(ending), "IVX") == "" {
		return
	}
	other := o.teams[named(base)]
	if other != nil && other.OrganizationID != "" && other.OrganizationID == t.Value.OrganizationID {
		o.warn(t.Origin, "name", "is that of %s with an ending: are they one team?", dataset.Quoted(sport.KindTeam, o.set.Given(other.ID)))
	}
}

// cutLast is a name without its last word.
func cutLast(name string) (before, last string, found bool) {
	name = strings.TrimSpace(name)
	at := strings.LastIndexByte(name, ' ')
	if at < 0 {
		return "", name, false
	}
	return strings.TrimSpace(name[:at]), name[at+1:], true
}
