// Package parts has what the console's pages are put together from, besides what
// they show: the way to a page, its tabs, the pages of a list, and how words and
// numbers are written. The templates of the same parts are in parts.html.
package parts

import (
	"net/http"
	"slices"
	"strconv"
)

// PageSize is how many items of a list a page shows.
const PageSize = 25

// Choice is an option of a select.
type Choice struct{ Value, Text string }

// Crumb is a step of the way to a page.
type Crumb struct{ Name, Path string }

// Crumbs are the steps of a way, from names and paths in turn.
func Crumbs(pairs ...string) []Crumb {
	var way []Crumb
	for i := 0; i+1 < len(pairs); i += 2 {
		way = append(way, Crumb{Name: pairs[i], Path: pairs[i+1]})
	}
	return way
}

// Tab is a part of a page with an address of its own.
type Tab struct {
	Name, Path string
	Current    bool
}

// Tabs are parts of a page by the value of its parameter tab; the first is the
// default.
type Tabs struct {
	Label string
	Tabs  []Tab
}

// TabsOf are the tabs of the page at path, from values and names in turn. More are
// other parameters that their links keep.
func TabsOf(label, path, current string, more []string, names ...string) Tabs {
	t := Tabs{Label: label}
	for i := 0; i+1 < len(names); i += 2 {
		value := names[i]
		if i == 0 {
			value = ""
		}
		t.Tabs = append(t.Tabs, Tab{
			Name: names[i+1], Path: WithQuery(append([]string{path, "tab", value}, more...)...), Current: current == names[i],
		})
	}
	return t
}

// Chosen is the value of the parameter tab: one of values, the first by default.
func Chosen(r *http.Request, values ...string) string {
	if v := r.URL.Query().Get("tab"); slices.Contains(values, v) {
		return v
	}
	return values[0]
}

// PageOf is the parameter page, from 1.
func PageOf(r *http.Request) int {
	n, err := strconv.Atoi(r.URL.Query().Get("page"))
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// Pager leads to the pages before and after one of a list.
type Pager struct {
	First, Last, Total int
	Before, After      string // paths; empty: there isn't one
}

// PagerOf is the pager of a page, from 1, that shows so many items of total.
func PagerOf(r *http.Request, page, items, total int) Pager {
	at := func(n int) string {
		q := r.URL.Query()
		q.Set("page", strconv.Itoa(n))
		return r.URL.Path + "?" + q.Encode()
	}
	p := Pager{First: (page-1)*PageSize + 1, Total: total}
	p.Last = p.First + items - 1
	if page > 1 {
		p.Before = at(page - 1)
	}
	if page*PageSize < total {
		p.After = at(page + 1)
	}
	return p
}
