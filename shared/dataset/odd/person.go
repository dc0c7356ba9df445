package odd

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"touchline/shared/dataset"
	"touchline/shared/sport"
)

// persons looks at each player.
func (o *oddities) persons() {
	for i, p := range o.set.Players.All() {
		o.playerIDs.add(folded(p.Key, p.Deleted), i)
		if !p.Deleted {
			o.person(p)
		}
	}
}

// person warns of what is no name and no number of a shirt.
func (o *oddities) person(p *dataset.Record[sport.Player]) {
	const largest = 99
	name := p.Value.Name
	i := strings.IndexAny(name, "/()[]{}<>|:=\\?")
	message := other(name)
	switch {
	case message != "":
		o.warn(p.Origin, "name", "%s", message)
	case i >= 0:
		o.warn(p.Origin, "name", "has %q, which no name has: is something else in the cell as well?", name[i:i+1])
	case strings.ContainsFunc(name, unicode.IsDigit) && numbered.MatchString(name):
		o.warn(p.Origin, "name", "has a number or a date besides the name: has that a column of its own?")
	case strings.Contains(name, " - "), strings.Contains(name, " – "):
		o.warn(p.Origin, "name", "has a dash between spaces: is something else in the cell as well?")
	}
	if p.Value.Number > largest {
		o.warn(p.Origin, "number", "%d is on no shirt: is it a year, or the number of a licence?", p.Value.Number)
	}
	o.spelt[writingOf(name)]++
}

// numbered is a name with the number of a shirt in front, with a year at its end, or with
// a date.
var numbered = regexp.MustCompile(`^\d+\.? \pL| (?:19|20)\d\d$|\d{1,4}[.-]\d{1,2}[.-]\d{1,4}`)

// long is the number of a telephone or a licence.
var long = regexp.MustCompile(`\+\d|\d{5}|\d{3}[ /-]\d{3}`)

// other says what a name of a player, a team or a club is instead, or has besides; empty:
// nothing.
func other(name string) string {
	half := len(name) / 2
	switch {
	case !strings.ContainsFunc(name, unicode.IsLetter):
		return strconv.Quote(name) + " has no letter: is a column out of place?"
	case strings.Contains(name, "@"):
		return `has "@", which no name has: is something else in the cell as well?`
	case strings.Contains(name, ";"):
		return `has ";": is something else in the cell as well?`
	case long.MatchString(name):
		return "has a long number: is something else in the cell as well, such as a telephone?"
	case len(name)%2 == 1 && name[half] == ' ' && name[:half] == name[half+1:] && strings.Contains(name[:half], " "):
		return "is there twice"
	}
	return ""
}

// writing is how a name is written.
type writing int

const (
	asUsual writing = iota
	inCapitals
	inSmall
	lastFirst
	writings
)

func writingOf(name string) writing {
	const short = 6 // which may be initials
	switch {
	case strings.Contains(name, ", "):
		return lastFirst
	case utf8.RuneCountInString(name) < short || !strings.Contains(name, " "):
	case name == strings.ToUpper(name) && name != strings.ToLower(name):
		return inCapitals
	case name == strings.ToLower(name) && name != strings.ToUpper(name):
		return inSmall
	}
	return asUsual
}

// styles warns of names that are written unlike most others in the dataset.
func (o *oddities) styles() {
	all := 0
	for _, n := range o.spelt {
		all += n
	}
	message := [writings]string{inCapitals: "is all in capital letters", inSmall: "is all in small letters", lastFirst: "has the last name first"}
	for _, p := range o.set.Players.All() {
		if 2*o.spelt[asUsual] <= all || all-o.spelt[asUsual] == 0 {
			return
		}
		if w := writingOf(p.Value.Name); !p.Deleted && w != asUsual {
			o.warn(p.Origin, "name", "%s, unlike most other names", message[w])
		}
	}
}
