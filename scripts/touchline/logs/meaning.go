package logs

import (
	"cmp"
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"text/template"

	"touchline/shared/accesslog"
	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/route"
	"touchline/shared/signing"
)

// meaningsText has the meaning of each word; its beginning says how it is written.
//
//go:embed meanings.txt
var meaningsText string

// meaning is what a word says, and what to do about it.
type meaning struct{ what, todo string }

// meanings are the blocks of meaningsText by their first line.
var meanings = sync.OnceValue(func() map[string]meaning {
	all := map[string]meaning{}
	for _, block := range strings.Split(strings.TrimSpace(meaningsText), "\n\n")[1:] {
		lines := strings.Split(block, "\n")
		all[lines[0]] = meaning{lines[1], lines[2]}
	}
	return all
})

// Meaning says in plain words why a request was refused, and what to do about
// it; both are empty if it was not refused.
func Meaning(l *accesslog.Line) (what, todo string) {
	found, word := meanings()[string(l.Why)], string(l.Why)
	d := l.Details
	for _, detail := range []string{d.Mistake, d.Header, d.Rule, d.What} {
		if special, ok := meanings()[word+" "+detail]; ok {
			found = special
		}
	}
	what, todo = inserted(found.what, l), inserted(found.todo, l)
	if _, usual := meanings()[word+" "+d.Mistake]; usual && d.Mistake != "" {
		return "the signature is wrong: " + what, todo + " `touchline get --explain 'PATH?QUERY'` shows the right string."
	}
	return what, todo
}

// inserted is a text with what the line has in the place of its templates.
func inserted(text string, l *accesslog.Line) string {
	functions := template.FuncMap{
		"rule": func() string { return ruleText(l.Details.Rule) },
		"skew": func() string { return skewText(l.Details.SkewSeconds) },
		"takes": func() (takes string) {
			eachParameter(l.Route, func(p route.Param) {
				if p.Name == l.Details.Parameter {
					takes = p.Takes()
				}
			})
			return takes
		},
		"parameters": func() string {
			var names []string
			if !eachParameter(l.Route, func(p route.Param) { names = append(names, p.Name) }) {
				return ""
			}
			return cmp.Or(strings.Join(names, ", "), "none")
		},
	}
	data := struct {
		accesslog.Why
		KeyID string
	}{l.Details, l.KeyID}
	var b strings.Builder
	if err := template.Must(template.New("").Funcs(functions).Parse(text)).Execute(&b, data); err != nil {
		panic(err) // of a file of this package, whose blocks the tests execute
	}
	return b.String()
}

func ruleText(rule string) string {
	switch signing.Rule(rule) {
	case signing.RuleMissing:
		return "missing"
	case signing.RuleEmpty:
		return "empty"
	case signing.RuleSingle:
		return "sent more than once, or holds a comma"
	case signing.RuleLength:
		return "too long or too short"
	}
	return "written with a character that it must not hold"
}

func skewText(seconds int64) string {
	if seconds < 0 {
		return fmt.Sprintf("%d seconds behind", -seconds)
	}
	return fmt.Sprintf("%d seconds ahead of", seconds)
}

var table = sync.OnceValue(func() *route.Table { return groups.Table(endpoints.Deps{}) }) // none of its operations is called

// eachParameter calls do with the parameters of a route; false: this version has no such
// route.
func eachParameter(path string, do func(route.Param)) bool {
	for o := range table().All() {
		if o.Path == path {
			for _, p := range o.Params {
				do(p)
			}
			return true
		}
	}
	return false
}
