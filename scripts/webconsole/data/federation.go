package data

import (
	"context"
	"net/http"
	"strconv"

	"touchline/scripts/webconsole/parts"
	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
)

// seasonQuery is the query with the season that was asked for; empty: none was.
func seasonQuery(r *http.Request) string {
	if n, err := strconv.Atoi(r.URL.Query().Get("season")); err == nil && n > 0 {
		return "?season=" + strconv.Itoa(n)
	}
	return ""
}

// hierarchy is what is below an organization at the top.
type hierarchy struct {
	Tree         wire.OrganizationsTreeReply
	Competitions route.List[wire.ListedCompetition]
	Pager        parts.Pager
}

// federation is the page of the whole: as a rule of one hierarchy.
func federation(ctx context.Context, a *Asker, r *http.Request) (Page, error) {
	all := make([]hierarchy, len(a.tops))
	q := a.questions(ctx, r)
	for i, top := range a.tops {
		put(q, &all[i].Tree, "/v1/organizations/%s/tree?depth=3&includeDescendants=true", top.ID)
		paged(q, &all[i].Competitions, &all[i].Pager, "/v1/organizations/%s/competitions?includeDescendants=true&sort=name", top.ID)
	}
	return Page{Title: a.tops[0].Name, Body: all}, q.Wait()
}
