package site

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

// entry is a part of a page, from a heading to the next, as the search knows it.
type entry struct {
	Link  string `json:"link"`
	Page  string `json:"page"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// index is a script with the entries of all pages in the navigation: a page that is
// read from a disk may not fetch.
func (v *view) index(made map[string][]byte) ([]byte, error) {
	var all []entry
	for _, s := range v.Sections {
		for _, p := range s.Pages {
			root, err := html.Parse(bytes.NewReader(made[p.Name+".html"]))
			if err != nil {
				return nil, err
			}
			all = append(all, entries(p, root)...)
		}
	}
	return script("touchlineIndex", all), nil
}

// entries are the parts of a page.
func entries(p page, root *html.Node) []entry {
	all := []entry{{Link: p.Name + ".html", Page: p.Title, Title: p.Title}}
	texts := []*strings.Builder{{}}
	var read func(n *html.Node, inMain bool)
	read = func(n *html.Node, inMain bool) {
		if n.Type == html.TextNode && inMain {
			_, _ = texts[len(texts)-1].WriteString(n.Data + " ")
		}
		switch {
		case n.Data == "pre", n.Data == "nav", n.Data == "fieldset", attribute(n, "class") == "anchor":
			return
		case n.Data == "h2" && attribute(n, "id") != "":
			all = append(all, entry{Link: p.Name + ".html#" + attribute(n, "id"), Page: p.Title, Title: heard(n)})
			texts = append(texts, &strings.Builder{})
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			read(c, inMain || attribute(n, "id") == "main")
		}
	}
	read(root, false)
	for i := range all {
		all[i].Text = strings.Join(strings.Fields(texts[i].String()), " ")
	}
	return all
}

// heard is the text of an element, without the link to it.
func heard(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode && attribute(d.Parent, "class") != "anchor" {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
