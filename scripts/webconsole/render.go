package webconsole

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"reflect"
	"strings"
	"time"

	"touchline/scripts/keyinfo"
	"touchline/shared/keys"
)

//go:embed templates
var templateFiles embed.FS

// page is what a handler gives to a template.
type page struct {
	Title   string
	Section string // of the menu
	Crumbs  []crumb
	Asked   []*exchange // what the page was made of, of data pages
	Views   []viewpoint // to choose from, of data pages
	Viewer  viewpoint   // the one chosen
	Body    any
}

// crumb is a step of the way to a page.
type crumb struct{ Name, Path string }

// view is a page with what every page shows.
type view struct {
	page
	Place string
	CSRF  string
	Notes []note
	Menu  []menuItem
	Self  string // path and query
}

type menuItem struct{ Name, Path, Section string }

func menu() []menuItem {
	return []menuItem{
		{"Data", "/data", "data"},
		{"Requests", "/requests", "requests"},
		{"Keys", "/keys", "keys"},
		{"Loads", "/loads", "loads"},
		{"Explorer", "/explorer", "explorer"},
	}
}

// pageTemplates are the templates of pages by name, each with the layout and the
// shared parts.
var pageTemplates = parseTemplates()

func parseTemplates() map[string]*template.Template {
	const folder = "templates"
	shared := template.Must(template.New("").Funcs(functions()).ParseFS(templateFiles, folder+"/layout.html", folder+"/parts.html"))
	names, err := fs.Glob(templateFiles, folder+"/*.html")
	if err != nil {
		panic(err) // of a pattern that is malformed
	}
	all := map[string]*template.Template{}
	for _, file := range names {
		name := strings.TrimSuffix(path.Base(file), ".html")
		if name != "layout" && name != "parts" {
			all[name] = template.Must(template.Must(shared.Clone()).ParseFS(templateFiles, file))
		}
	}
	return all
}

// render writes a page. Nothing is sent before the whole page is there.
func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, name string, p page) {
	s.renderPart(w, r, status, name, "layout", p)
}

// renderPart writes a part of a page: what its script puts in the place of the
// one before.
func (s *Server) renderPart(w http.ResponseWriter, r *http.Request, status int, name, part string, p page) {
	v := view{page: p, Place: s.options.Place, Self: r.URL.RequestURI()}
	if found := sessionOf(r); found != nil {
		v.CSRF, v.Menu = found.csrf, menu()
		if part == "layout" {
			v.Notes = found.takeNotes()
		}
	}
	var b bytes.Buffer
	if err := pageTemplates[name].ExecuteTemplate(&b, part, v); err != nil {
		s.options.Report(fmt.Errorf("page %s: %w", name, err))
		http.Error(w, "The console has a fault; its terminal says which.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // a closed connection is the reader's wish
}

// trouble is the body of a page that says what is wrong and what to do.
type trouble struct{ What, Todo string }

func (s *Server) fail(w http.ResponseWriter, r *http.Request, status int, what, todo string) {
	s.render(w, r, status, "trouble", page{Title: what, Body: trouble{what, todo}})
}

// functions are what templates may call.
func functions() template.FuncMap {
	return template.FuncMap{
		"day":    func(t time.Time) string { return t.UTC().Format("Mon 2 Jan 2006") },
		"clock":  func(t time.Time) string { return t.UTC().Format("15:04") },
		"stamp":  func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") },
		"iso":    func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"words":  words,
		"number": number,
		"signed": signed,
		"share":  share,
		"counted": func(n int, noun string) string {
			if n == 1 {
				return "1 " + noun
			}
			return number(n) + " " + noun + "s"
		},
		"query":  func(values ...string) string { return withQuery(values...) },
		"dict":   dict,
		"sub":    func(a, b int) int { return a - b },
		"add":    func(a, b int) int { return a + b },
		"text":   text,
		"scopes": func(k keys.Key) string { return keyinfo.Scopes(k, ", ") },
		"list":   func(values ...string) []string { return values },
	}
}

// text is any value as text; of a pointer what it points to, of nil nothing.
func text(v any) string {
	value := reflect.ValueOf(v)
	for value.IsValid() && value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	switch {
	case !value.IsValid():
		return ""
	case value.CanFloat():
		return fmt.Sprintf("%.2f", value.Float())
	}
	return fmt.Sprint(value.Interface())
}

// dict makes the arguments of a part from names and values in turn.
func dict(pairs ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		m[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return m
}

// words writes a word of the API, such as ownGoal, in words: own goal.
func words(v any) string {
	var b strings.Builder
	for i, r := range fmt.Sprint(v) {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte(' ')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// number groups the digits of large numbers, with a narrow space.
func number(n int) string {
	text := fmt.Sprint(n)
	if n < 0 {
		return text
	}
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "\u202f" + text[at:]
	}
	return text
}

// signed writes a difference: +2, 0 or −2.
func signed(n int) string {
	if n == 0 {
		return "0"
	}
	return strings.Replace(fmt.Sprintf("%+d", n), "-", "−", 1)
}

// share is part of whole in percent, from 0 to 100.
func share(part, whole int) int {
	if whole <= 0 || part <= 0 {
		return 0
	}
	return min(100, part*100/whole)
}

// withQuery is a path with a query of names and values in turn, those that are
// empty left out.
func withQuery(parts ...string) string {
	q := url.Values{}
	for i := 1; i+1 < len(parts); i += 2 {
		if parts[i+1] != "" {
			q.Set(parts[i], parts[i+1])
		}
	}
	if len(q) == 0 {
		return parts[0]
	}
	return parts[0] + "?" + q.Encode()
}
