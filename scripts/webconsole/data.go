package webconsole

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"touchline/shared/client"
	"touchline/shared/sport"
)

// pageSize is how many items of a list a page shows.
const pageSize = 25

// viewerCookie holds the organization as whose key data is looked at.
const viewerCookie = "touchline-console-as"

func (s *Server) dataRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /data", s.data("federation", s.federation))
	m.HandleFunc("POST /data/as", s.chooseViewer)
	m.HandleFunc("GET /data/organizations/{id}", s.data("organization", s.organization))
	m.HandleFunc("GET /data/competitions/{id}", s.data("competition", s.competition))
	m.HandleFunc("GET /data/matches/{id}", s.data("match", s.match))
	m.HandleFunc("GET /data/teams/{id}", s.data("team", s.team))
	m.HandleFunc("GET /data/players/{id}", s.data("player", s.player))
}

// chooseViewer keeps the organization as whose key data is looked at.
func (s *Server) chooseViewer(w http.ResponseWriter, r *http.Request) {
	if as := r.PostFormValue("as"); sport.IsID(as) {
		//nolint:gosec // not Secure: the console is reached over http on this machine only
		http.SetCookie(w, &http.Cookie{Name: viewerCookie, Value: as, Path: "/data", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	}
	http.Redirect(w, r, "/data", http.StatusSeeOther)
}

// viewer is the organization chosen, else the first.
func viewer(r *http.Request, views []viewpoint) viewpoint {
	if cookie, err := r.Cookie(viewerCookie); err == nil {
		for _, v := range views {
			if string(v.ID) == cookie.Value {
				return v
			}
		}
	}
	return views[0]
}

// data makes a page of what the API returns.
func (s *Server) data(name string, make func(context.Context, *asker, *http.Request) (page, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		views, err := s.viewpoints(r.Context())
		if err != nil {
			s.fault(w, r, err)
			return
		}
		if len(views) == 0 {
			s.fail(w, r, http.StatusOK, "There is no data yet", "Load a dataset: with touchline import, or under Loads.")
			return
		}
		a := s.asker(viewer(r, views).ID)
		p, err := make(r.Context(), a, r)
		slices.SortFunc(a.asked, func(a, b *exchange) int { return strings.Compare(a.Target, b.Target) })
		p.Section, p.Asked, p.Views, p.Viewer = "data", a.asked, views, viewer(r, views)
		refused, ok := errors.AsType[refusedError](err)
		switch {
		case ok && refused.Status == http.StatusNotFound:
			p.Title, p.Body = "Not found", trouble{Todo: "The API returns 404 to a key of " + p.Viewer.Name + ": there is no such record, or the key may not see it."}
			s.render(w, r, http.StatusNotFound, "trouble", p)
		case ok:
			p.Title, p.Body = "The API refused", trouble{Todo: "Its response is below."}
			s.render(w, r, http.StatusOK, "trouble", p)
		case err != nil:
			s.fault(w, r, err)
		default:
			s.render(w, r, http.StatusOK, name, p)
		}
	}
}

// fault reports an error to the terminal, and says to the browser that there was
// one.
func (s *Server) fault(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() == nil {
		s.options.Report(fmt.Errorf("%s %s: %w", r.Method, r.URL.Path, err))
	}
	s.fail(w, r, http.StatusInternalServerError, "That did not work", "The database could not be read. The terminal of the console says why.")
}

// tab is a part of a page with an address of its own.
type tab struct {
	Name, Path, Count string
	Current           bool
}

// tabs are parts of a page by the value of its parameter tab; the first is the
// default.
type tabs struct {
	Label string
	Tabs  []tab
}

func tabsOf(label, path, current string, more []string, names ...string) tabs {
	t := tabs{Label: label}
	for i := 0; i+1 < len(names); i += 2 {
		value := names[i]
		if i == 0 {
			value = ""
		}
		t.Tabs = append(t.Tabs, tab{
			Name: names[i+1], Path: withQuery(append([]string{path, "tab", value}, more...)...), Current: current == names[i],
		})
	}
	return t
}

// chosen is the value of the parameter tab: one of values, the first by default.
func chosen(r *http.Request, values ...string) string {
	if v := r.URL.Query().Get("tab"); slices.Contains(values, v) {
		return v
	}
	return values[0]
}

// pageOf is the parameter page, from 1.
func pageOf(r *http.Request) int {
	n, err := strconv.Atoi(r.URL.Query().Get("page"))
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// pager leads to the pages before and after one of a list.
type pager struct {
	First, Last, Total int
	Before, After      string // paths; empty: there is none
}

func pagerOf(r *http.Request, page, items, total int) pager {
	at := func(n int) string {
		q := r.URL.Query()
		q.Set("page", strconv.Itoa(n))
		return r.URL.Path + "?" + q.Encode()
	}
	p := pager{First: (page-1)*pageSize + 1, Total: total}
	p.Last = p.First + items - 1
	if page > 1 {
		p.Before = at(page - 1)
	}
	if page*pageSize < total {
		p.After = at(page + 1)
	}
	return p
}

// seasonQuery is the parameter season as it was sent, with what comes before it;
// empty: the current season.
func seasonQuery(r *http.Request, before string) string {
	if n, err := strconv.Atoi(r.URL.Query().Get("season")); err == nil && n > 0 {
		return before + "season=" + strconv.Itoa(n)
	}
	return ""
}

// federationBody is the page of the whole.
type federationBody struct {
	Tree         client.TreeNode
	Truncated    bool
	Competitions client.Page[client.ListedCompetition]
}

func (s *Server) federation(ctx context.Context, a *asker, _ *http.Request) (page, error) {
	var b federationBody
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		b.Tree, err = ask[client.TreeNode](ctx, a, "/v1/organizations/%s/tree?depth=3&includeDescendants=true", a.viewer)
		return err
	})
	g.Go(func() (err error) {
		b.Competitions, err = ask[client.Page[client.ListedCompetition]](ctx, a, "/v1/organizations/%s/competitions?includeDescendants=true&sort=name&limit=100", a.viewer)
		return err
	})
	err := g.Wait()
	return page{Title: b.Tree.Name, Body: b}, err
}

// organizationBody is the page of an organization.
type organizationBody struct {
	client.Organization
	Tabs         tabs
	Tab          string
	Associations client.Page[client.Organization]
	Clubs        client.Page[client.Organization]
	Competitions client.Page[client.ListedCompetition]
	Teams        client.Page[client.ListedTeam]
	Players      client.Page[client.ListedPlayer]
	Pager        pager
}

func (s *Server) organization(ctx context.Context, a *asker, r *http.Request) (page, error) {
	id := r.PathValue("id")
	names := []string{"clubs", "Clubs", "associations", "Associations", "competitions", "Competitions", "teams", "Teams", "players", "Players"}
	b := organizationBody{Tab: chosen(r, "clubs", "associations", "competitions", "teams", "players")}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		b.Organization, err = ask[client.Organization](ctx, a, "/v1/organizations/%s?includeDescendants=true", id)
		return err
	})
	n, items, total := pageOf(r), 0, 0
	g.Go(func() (err error) {
		target := fmt.Sprintf("/v1/organizations/%s/%s?includeDescendants=true&sort=name&page=%d&limit=%d", id, b.Tab, n, pageSize)
		switch b.Tab {
		case "associations":
			b.Associations, err = ask[client.Page[client.Organization]](ctx, a, "%s", target)
			items, total = len(b.Associations.Data), b.Associations.Total
		case "clubs":
			b.Clubs, err = ask[client.Page[client.Organization]](ctx, a, "%s", target)
			items, total = len(b.Clubs.Data), b.Clubs.Total
		case "competitions":
			b.Competitions, err = ask[client.Page[client.ListedCompetition]](ctx, a, "%s", target)
			items, total = len(b.Competitions.Data), b.Competitions.Total
		case "teams":
			b.Teams, err = ask[client.Page[client.ListedTeam]](ctx, a, "%s", target)
			items, total = len(b.Teams.Data), b.Teams.Total
		case "players":
			b.Players, err = ask[client.Page[client.ListedPlayer]](ctx, a, "%s", target)
			items, total = len(b.Players.Data), b.Players.Total
		}
		return err
	})
	err := g.Wait()
	b.Pager = pagerOf(r, n, items, total)
	b.Tabs = tabsOf("What the organization has", r.URL.Path, b.Tab, nil, names...)
	return page{Title: b.Name, Crumbs: []crumb{{"Data", "/data"}}, Body: b}, err
}
