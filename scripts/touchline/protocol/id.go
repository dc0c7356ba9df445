package protocol

import (
	"regexp"
	"strings"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset"
	"touchline/shared/sport"
)

// keyInTarget is {KIND:KEY} in a path or query.
var keyInTarget = regexp.MustCompile(`\{([a-z]+):([^{}]*)\}`)

// expand replaces {KIND:KEY}, the operator's own keys, in a target by ids. Valid
// targets contain no braces, so nothing else is changed.
func expand(target string) (string, error) {
	var wrong error
	expanded := keyInTarget.ReplaceAllStringFunc(target, func(found string) string {
		parts := keyInTarget.FindStringSubmatch(found)
		kind := sport.Kind(parts[1])
		switch kind {
		case sport.KindOrganization, sport.KindCompetition, sport.KindTeam, sport.KindPlayer, sport.KindMatch:
		default:
			wrong = terminal.Usagef("%s: %q is no kind: want organization, competition, team, player or match", found, kind)
			return found
		}
		if parts[2] == "" {
			wrong = terminal.Usagef("%s: the key is empty", found)
			return found
		}
		return string(dataset.ID(kind, parts[2]))
	})
	if wrong == nil && strings.ContainsAny(expanded, "{}") {
		wrong = terminal.Usagef("%s: want your own keys as {KIND:KEY}, such as {competition:liga}; a brace of another meaning is written %%7B or %%7D", target)
	}
	return expanded, wrong
}
