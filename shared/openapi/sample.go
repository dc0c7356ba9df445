package openapi

import (
	"embed"
	"fmt"
	"net/url"
	"strings"

	"touchline/shared/route"
)

// CodeSample is how to send a request in a language, with the kit that
// `touchline docs` writes (x-codeSamples, which API browsers show).
type CodeSample struct {
	Lang   string `json:"lang"` // for highlighting
	Label  string `json:"label"`
	Source string `json:"source"`
}

// samples are the programs: for a language a file that requests a single response,
// and, after onlyPages, every page of a list. {base}, {target} and {path} are replaced;
// {arguments} is the query as arguments after the path.
//
//go:embed samples
var samples embed.FS

// onlyPages parts the two programs of a file.
const onlyPages = "\n\n--- pages\n\n"

// language is one with a kit, and how it writes a query as arguments.
type language struct {
	name, label string // as in CodeSample; samples has a file of the name
	arguments   arguments
}

// arguments is how a language writes a query: what comes before it, a pair
// (name, value), what separates pairs, and what comes after it.
//
// A name that is reserved in the language has an underscore after it.
type arguments struct{ before, pair, between, after, reserved string }

func languages() []language {
	return []language{
		{"bash", "Shell", arguments{}}, // touchline.sh reads its key from the environment
		{"python", "Python", arguments{", ", `%s="%s"`, ", ", "", "from"}},
		{"javascript", "Node.js", arguments{", { ", "%s: '%s'", ", ", " }", ""}},
		{"php", "PHP", arguments{", [", "'%s' => '%s'", ", ", "]", ""}},
		{"ruby", "Ruby", arguments{", ", "%s: '%s'", ", ", "", ""}},
		{"java", "Java", arguments{}},
		{"csharp", "C#", arguments{}},
		{"go", "Go", arguments{}}, // in a module called example, with the kit in its folder touchline
	}
}

// Samples are how the kits send a request of an operation to a target: for a list,
// one for each of its pages, without page and limit, which the kits send. Names and
// values in the target must consist of letters, digits and dashes.
func Samples(o *route.Operation, baseURL, target string) []CodeSample {
	paged := hasParams(o, "page")
	if paged {
		target = withoutPaging(target)
	}
	path, query, _ := strings.Cut(target, "?")
	var all []CodeSample
	for _, l := range languages() {
		file, err := samples.ReadFile("samples/" + l.name + ".txt")
		if err != nil {
			panic(fmt.Sprintf("openapi: %v", err))
		}
		text, pages, _ := strings.Cut(strings.TrimSpace(string(file)), onlyPages)
		if paged {
			text = pages
		}
		put := strings.NewReplacer("{base}", baseURL, "{target}", target, "{path}", path, "{arguments}", l.arguments.of(query))
		all = append(all, CodeSample{Lang: l.name, Label: l.label, Source: put.Replace(text)})
	}
	return all
}

// of writes a query. Names and values consist of letters, digits and dashes, so
// nothing has to be escaped.
func (a arguments) of(query string) string {
	if query == "" || a.pair == "" {
		return ""
	}
	var pairs []string
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		if name == a.reserved {
			name += "_"
		}
		pairs = append(pairs, fmt.Sprintf(a.pair, name, value))
	}
	return a.before + strings.Join(pairs, a.between) + a.after
}

// withoutPaging removes page and limit from a target's query.
func withoutPaging(target string) string {
	path, query, _ := strings.Cut(target, "?")
	var kept []string
	for part := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(part, "=")
		if name, err := url.PathUnescape(name); err == nil && name != "page" && name != "limit" && part != "" {
			kept = append(kept, part)
		}
	}
	if len(kept) == 0 {
		return path
	}
	return path + "?" + strings.Join(kept, "&")
}
