package data

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"touchline/shared/sport"
)

// searchBody is the page of what was found.
type searchBody struct {
	Text  string
	ByKey []Record
	Names []Group
}

// Empty reports whether nothing was found.
func (b searchBody) Empty() bool { return len(b.ByKey)+len(b.Names) == 0 }

// searched is the page of what a text names: nothing is asked of the API for it. A single
// record with that key or id is gone to at once.
func searched(ctx context.Context, a *Asker, r *http.Request) (p Page, err error) {
	b := searchBody{Text: strings.TrimSpace(r.URL.Query().Get("q"))}
	f := &Finder{Sports: a.source.Sports, Below: a.viewer}
	b.ByKey, b.Names, err = f.Find(ctx, b.Text)
	p = Page{Title: "Search", Body: b}
	if len(b.ByKey) == 1 && len(b.Names) == 0 {
		p.Elsewhere = b.ByKey[0].Path()
	}
	return p, err
}

// Path is the page of the record.
func (r Record) Path() string {
	folder := string(r.Kind) + "s"
	if r.Kind == sport.KindMatch {
		folder = "matches"
	}
	return "/data/" + folder + "/" + url.PathEscape(string(r.ID))
}
