package webconsole

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"touchline/scripts/webconsole/parts"
	"touchline/shared/endpoints/wire"
	"touchline/shared/keys"
)

//go:embed templates
var templateFiles embed.FS

// page is what a handler gives to a template.
type page struct {
	Title   string
	Section string // of the menu
	Crumbs  []parts.Crumb
	Body    any

	// What every page has: render fills it in.
	Place string
	Notes []note
	Menu  []menuItem
}

type menuItem struct{ Name, Path, Section string }

func menu() []menuItem {
	return []menuItem{
		{"Data", "/data", "data"},
		{"Keys", "/keys", "keys"},
		{"Loads", "/loads", "loads"},
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
	p.Place = s.options.Place
	if found := sessionOf(r); found != nil {
		p.Menu, p.Notes = menu(), found.takeNotes()
	}
	var b bytes.Buffer
	if err := pageTemplates[name].ExecuteTemplate(&b, "layout", p); err != nil {
		s.options.Report(fmt.Errorf("page %s: %w", name, err))
		http.Error(w, "The console has a fault; its terminal says which.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = s.links.WriteString(w, b.String()) // a closed connection is the reader's wish
}

// fail writes a page that says what to do about what its title says.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, status int, what, todo string) {
	s.render(w, r, status, "trouble", page{Title: what, Body: todo})
}

// functions are what templates may call.
func functions() template.FuncMap {
	all := parts.Functions()
	all["kickoff"] = kickoff
	all["scopes"] = func(k keys.Key) string { return k.ScopeNames(", ") }
	return all
}

// kickoff writes when a match begins, in the zone of its competition; UTC of a friendly.
// Of one whose hour is open it is the day.
func kickoff(t time.Time, open bool, of *wire.Competition) string {
	name := ""
	if of != nil {
		name = of.Timezone
	}
	at := t.In(parts.Zone(name))
	if open {
		return at.Format("Mon 2 Jan 2006")
	}
	return at.Format("Mon 2 Jan 2006, 15:04 MST")
}
