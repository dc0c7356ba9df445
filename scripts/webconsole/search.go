package webconsole

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"touchline/scripts/webconsole/find"
	"touchline/shared/keys"
	"touchline/shared/sport"
)

func (s *Server) searchRoutes(m *http.ServeMux) {
	m.HandleFunc("GET "+searchPath, s.search)
}

// searchPath is the page that the box on every page leads to.
const searchPath = "/search"

// searchBody is the page of what was found.
type searchBody struct {
	Text  string
	Meant string // what the text was likely meant to be, where nothing was found
	Below string // what the organization is called whose records' names were looked through
	ByKey []hit
	Names []hits
	Keys  []keyRow
	More  int // further keys
}

// hit is a record that was found, with its page.
type hit struct {
	find.Record
	Path string
}

// hits are the records of a kind that were found by name.
type hits struct {
	find.Group
	Found []hit
}

func hitsOf(records []find.Record) []hit {
	var all []hit
	for _, r := range records {
		all = append(all, hit{r, dataPath(r.Kind, r.ID)})
	}
	return all
}

// dataPath is the page of a record.
func dataPath(kind sport.Kind, id sport.ID) string {
	folder := string(kind) + "s"
	if kind == sport.KindMatch {
		folder = "matches"
	}
	return "/data/" + folder + "/" + url.PathEscape(string(id))
}

// Empty reports whether nothing was found.
func (b *searchBody) Empty() bool { return len(b.ByKey)+len(b.Names)+len(b.Keys) == 0 }

// maxFoundKeys is how many keys are shown among what was found.
const maxFoundKeys = 5

func (s *Server) search(w http.ResponseWriter, r *http.Request) {
	b := searchBody{Text: strings.TrimSpace(r.URL.Query().Get("q"))}
	if to := s.pasted(r, b.Text); to != "" {
		http.Redirect(w, r, to, http.StatusSeeOther)
		return
	}
	if err := s.lookup(r, &b); err != nil {
		s.fault(w, r, err)
		return
	}
	if len(b.ByKey) == 1 && len(b.Names)+len(b.Keys) == 0 {
		http.Redirect(w, r, b.ByKey[0].Path, http.StatusSeeOther)
		return
	}
	s.render(w, r, http.StatusOK, "search", page{Title: "Search", Body: &b})
}

// pasted is the page of the request, or of the key, whose id the text is; empty: it is
// none.
func (s *Server) pasted(r *http.Request, text string) string {
	if id, err := uuid.Parse(text); err == nil {
		return "/requests/" + id.String()
	}
	if keys.IsID(text) {
		if _, err := s.options.Registry.Store.Get(r.Context(), text); !errors.Is(err, keys.ErrUnknown) {
			return "/keys/" + url.PathEscape(text)
		}
	}
	return ""
}

// lookup looks for a text among records and keys.
func (s *Server) lookup(r *http.Request, b *searchBody) error {
	if b.Text == "" {
		return nil
	}
	views, err := s.viewpoints(r.Context())
	if err != nil {
		return err
	}
	f := &find.Finder{Sports: s.options.Sports}
	if len(views) > 0 {
		v := viewer(r, views)
		f.Below, b.Below = v.ID, v.Name
	}
	byKey, names, meant, err := f.Find(r.Context(), b.Text)
	if err != nil {
		return err
	}
	b.ByKey, b.Meant = hitsOf(byKey), meant
	for _, g := range names {
		b.Names = append(b.Names, hits{g, hitsOf(g.Records)})
	}
	rows, found, _, err := s.keys.Page(r.Context(), keyFilter{Text: b.Text}, 1)
	b.Keys = rows[:min(len(rows), maxFoundKeys)]
	b.More = found - len(b.Keys)
	return err
}

// near are the records that the id in the path names by another kind, or by a key of the
// operator's.
func (s *Server) near(r *http.Request) []hit {
	found, _, _, err := (&find.Finder{Sports: s.options.Sports}).Find(r.Context(), r.PathValue("id"))
	if err != nil {
		s.options.Report(err)
	}
	all := hitsOf(found)
	for i := range all {
		if all[i].Path == r.URL.Path { // it is there, but hidden
			all[i].About, all[i].Path = "not visible", "/loads?of="+url.QueryEscape(string(all[i].ID))
		}
	}
	return all
}
