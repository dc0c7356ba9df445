package site

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"strings"
)

// feedText is an entry's content as HTML, which a feed has as text.
type feedText struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

type feedLink struct {
	Href string `xml:"href,attr"`
	Rel  string `xml:"rel,attr,omitempty"`
}

type feedEntry struct {
	Title   string   `xml:"title"`
	ID      string   `xml:"id"`
	Updated string   `xml:"updated"`
	Link    feedLink `xml:"link"`
	Content feedText `xml:"content"`
}

// released is the heading of a version: its number and its day.
var released = regexp.MustCompile(`(?m)^## (\S+) \((\d{4}-\d{2}-\d{2})\) \{#v(\S+)\}$`)

// feed is the list of changes as an Atom feed (RFC 4287). Its links are relative:
// nobody knows where the pages will be.
func feed(changes string) ([]byte, error) {
	var entries []feedEntry
	found := released.FindAllStringSubmatchIndex(changes, -1)
	for i, at := range found {
		end := len(changes)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		body, _, err := markdown(strings.TrimSpace(changes[at[1]:end]))
		if err != nil {
			return nil, err
		}
		version, day := changes[at[2]:at[3]], changes[at[4]:at[5]]
		entries = append(entries, feedEntry{
			Title: "Version " + version, ID: "urn:touchline:contract:" + version, Updated: day + "T00:00:00Z",
			Link: feedLink{Href: "changes.html#v" + changes[at[6]:at[7]]}, Content: feedText{"html", string(body)},
		})
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("the changes have no version with a day")
	}
	text, err := xml.MarshalIndent(struct {
		XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
		Title   string      `xml:"title"`
		ID      string      `xml:"id"`
		Updated string      `xml:"updated"`
		Author  string      `xml:"author>name"`
		Link    []feedLink  `xml:"link"`
		Entries []feedEntry `xml:"entry"`
	}{
		Title: "Touchline: changes of the contract", ID: "urn:touchline:contract", Updated: entries[0].Updated, Author: "Touchline",
		Link: []feedLink{{Href: "changes.html"}, {Href: "changes.xml", Rel: "self"}}, Entries: entries,
	}, "", "  ")
	return append([]byte(xml.Header), append(text, '\n')...), err
}
