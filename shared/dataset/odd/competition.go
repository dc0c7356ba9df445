package odd

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"touchline/shared/dataset"
	"touchline/shared/regulations"
	"touchline/shared/sport"
)

// plain is a name without what people write in one way or another: case, spaces,
// punctuation, and the accents of letters.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, bare(name))
}

// bare is a text without the accents of Latin, Greek and Cyrillic letters, in one
// composition.
func bare(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if r >= 0x300 && r < 0x370 {
			return -1
		}
		return r
	}, norm.NFKD.String(text))
}

// competitions warns of what a season says of itself.
func (o *oddities) competitions() {
	named := map[string]sport.ID{}
	for _, c := range o.set.Competitions {
		if c.Deleted {
			continue
		}
		v := &c.Value
		name := fmt.Sprint(v.Season, v.OrganizationID, v.ParentID, v.Stage, v.Gender, plain(v.Name))
		if first, twice := named[name]; twice {
			o.warn(c.Origin, "name", "is also the name of %s in this season", dataset.Quoted(sport.KindCompetition, o.set.Given(first)))
		}
		named[name] = c.ID
		groups := map[string]bool{}
		for i := range v.Groups {
			name := plain(v.Groups[i].Name)
			if groups[name] {
				o.warn(c.Origin, fmt.Sprintf("groups[%d].name", i), "is also that of another group")
			}
			groups[name] = true
		}
		if r := &v.Rules; r.Win <= max(r.Draw, r.Loss) {
			o.warn(c.Origin, "rules.win", "is %d, no more than a draw (%d) or a loss (%d) counts: are the columns in order?", r.Win, r.Draw, r.Loss)
		}
		if year := v.EndsAt.Year(); !v.EndsAt.IsZero() && year > v.Season+farAhead {
			o.warn(c.Origin, "endsAt", "is in %d, but the season is %d", year, v.Season)
		}
		if strings.HasPrefix(v.Timezone, "Etc/GMT+") || strings.HasPrefix(v.Timezone, "Etc/GMT-") {
			o.warn(c.Origin, "timezone", "%s has its sign the other way round (Etc/GMT-1 is an hour ahead of UTC) and no summer time: a place, such as Europe/Vienna, has both right", v.Timezone)
		}
		if meant := slipped(v.Rules.Sport); meant != "" {
			o.warn(c.Origin, "rules.sport", "%q is no sport that is known: did you mean %s?", v.Rules.Sport, meant)
		}
	}
}

// slipped is the sport of the catalogue that a word was likely meant for: one letter after
// the first is missing, added or another. Empty: there isn't one.
func slipped(word string) (meant string) {
	word = strings.ToLower(word)
	for _, r := range append(regulations.All(), regulations.Regulation{Sport: "football"}) {
		a, b := []rune(word), []rune(strings.ToLower(r.Sport))
		if slices.Equal(a, b) {
			return ""
		}
		begins, most := 0, max(len(a), len(b))
		for begins < min(len(a), len(b)) && a[begins] == b[begins] {
			begins++
		}
		ends := 0
		for begins+ends < min(len(a), len(b)) && a[len(a)-1-ends] == b[len(b)-1-ends] {
			ends++
		}
		if begins > 0 && begins+ends == most-1 {
			meant = r.Sport
		}
	}
	return meant
}
