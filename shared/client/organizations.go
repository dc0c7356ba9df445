package client

import (
	"context"
	"net/http"

	"touchline/shared/sport"
)

// OrganizationPath is /v1/{alias}/{id}.
type OrganizationPath struct {
	client *Client
	path   string
	id     sport.ID
}

func organizationPath(alias string, id sport.ID) string { return "/v1/" + alias + "/" + segment(id) }

func (c *Client) organization(alias string, id sport.ID) OrganizationPath {
	return OrganizationPath{client: c, path: organizationPath(alias, id), id: id}
}

// Organization addresses an organization of any type.
func (c *Client) Organization(id sport.ID) OrganizationPath {
	return c.organization("organizations", id)
}

// Federation addresses an organization that must be a federation.
func (c *Client) Federation(id sport.ID) OrganizationPath { return c.organization("federations", id) }

// Association addresses an organization that must be an association.
func (c *Client) Association(id sport.ID) OrganizationPath { return c.organization("associations", id) }

// Club addresses an organization that must be a club.
func (c *Client) Club(id sport.ID) OrganizationPath { return c.organization("clubs", id) }

// Sort is an order of a list; the zero value is by id.
type Sort string

// The orders; ties are broken on id (D15).
const (
	SortID       Sort = "id"
	SortName     Sort = "name"
	SortIDDesc   Sort = "-id"
	SortNameDesc Sort = "-name"
)

// OrganizationParams are the parameters of Get.
type OrganizationParams struct {
	IncludeDescendants bool // needed for organizations below the key's own (D20)
}

// TreeParams are the parameters of Tree.
type TreeParams struct {
	Depth              int  // levels below the organization, 1 to 3; 0: 2
	IncludeDescendants bool // needed for organizations below the key's own (D20)
}

// AssociationsParams are the parameters of Associations. As in all parameters,
// zero fields are not sent.
type AssociationsParams struct {
	Status             sport.Status
	IncludeDescendants bool
	Sort               Sort
}

// ClubsParams are the parameters of Clubs.
type ClubsParams struct {
	AssociationID      sport.ID
	Status             sport.Status
	IncludeDescendants bool
	Sort               Sort
}

// CompetitionStatus is the status filter of competitions (D18).
type CompetitionStatus string

// The states of competitions.
const (
	CompetitionActive    CompetitionStatus = "active" // not completed and not expired
	CompetitionCompleted CompetitionStatus = "completed"
)

// CompetitionsParams are the parameters of Competitions.
type CompetitionsParams struct {
	AssociationID      sport.ID
	ClubID             sport.ID
	TeamID             sport.ID
	Season             int // current ones only (D17)
	Gender             sport.Gender
	Status             CompetitionStatus
	IncludeDescendants bool
	Sort               Sort
}

// TeamsParams are the parameters of an organization's Teams.
type TeamsParams struct {
	AssociationID      sport.ID
	ClubID             sport.ID
	CompetitionID      sport.ID
	Season             int // current ones only (D17)
	Status             sport.Status
	IncludeDescendants bool
	Sort               Sort
}

// PlayersParams are the parameters of an organization's Players.
type PlayersParams struct {
	AssociationID      sport.ID
	ClubID             sport.ID
	CompetitionID      sport.ID
	TeamID             sport.ID
	Season             int // current ones only (D17)
	Status             sport.Status
	IncludeDescendants bool
	Sort               Sort
}

// Get is /v1/{alias}/{id}.
func (o OrganizationPath) Get(ctx context.Context, p OrganizationParams) (Organization, error) {
	return get[Organization](ctx, o.client, o.path, query("").flag("includeDescendants", p.IncludeDescendants))
}

// Tree is /v1/{alias}/{id}/tree.
func (o OrganizationPath) Tree(ctx context.Context, p TreeParams) (Tree, error) {
	q := query("").number("depth", p.Depth).flag("includeDescendants", p.IncludeDescendants)
	r, err := o.client.Raw(ctx, http.MethodGet, target(o.path+"/tree", q))
	if err != nil {
		return Tree{}, err
	}
	var t struct {
		Data      *TreeNode `json:"data"`
		Truncated bool      `json:"truncated"`
	}
	if err := r.decode(&t); err != nil {
		return Tree{}, err
	}
	if t.Data == nil {
		return Tree{}, r.unusable("no data")
	}
	return Tree{Root: *t.Data, Truncated: t.Truncated}, nil
}

// Associations is /v1/{alias}/{id}/associations.
func (o OrganizationPath) Associations(p AssociationsParams) List[Organization] {
	q := query("").text("status", string(p.Status)).text("sort", string(p.Sort))
	return organizationList(o, "associations", q, (*Organization).id, breadth{deep: p.IncludeDescendants})
}

// Clubs is /v1/{alias}/{id}/clubs.
func (o OrganizationPath) Clubs(p ClubsParams) List[Organization] {
	q := query("").text("status", string(p.Status)).text("sort", string(p.Sort))
	return organizationList(o, "clubs", q, (*Organization).id, breadth{
		deep: p.IncludeDescendants, association: p.AssociationID, filtered: true, narrowed: p.AssociationID != "",
	})
}

// Competitions is /v1/{alias}/{id}/competitions.
func (o OrganizationPath) Competitions(p CompetitionsParams) List[ListedCompetition] {
	q := query("").text("clubId", string(p.ClubID)).text("teamId", string(p.TeamID)).
		number("season", p.Season).text("gender", string(p.Gender)).text("status", string(p.Status)).text("sort", string(p.Sort))
	return organizationList(o, "competitions", q, (*ListedCompetition).id, owned(p.AssociationID, p.ClubID, p.IncludeDescendants))
}

// Teams is /v1/{alias}/{id}/teams.
func (o OrganizationPath) Teams(p TeamsParams) List[ListedTeam] {
	q := query("").text("clubId", string(p.ClubID)).text("competitionId", string(p.CompetitionID)).
		number("season", p.Season).text("status", string(p.Status)).text("sort", string(p.Sort))
	return organizationList(o, "teams", q, (*ListedTeam).id, owned(p.AssociationID, p.ClubID, p.IncludeDescendants))
}

// Players is /v1/{alias}/{id}/players.
func (o OrganizationPath) Players(p PlayersParams) List[ListedPlayer] {
	q := query("").text("clubId", string(p.ClubID)).text("competitionId", string(p.CompetitionID)).text("teamId", string(p.TeamID)).
		number("season", p.Season).text("status", string(p.Status)).text("sort", string(p.Sort))
	return organizationList(o, "players", q, (*ListedPlayer).id, owned(p.AssociationID, p.ClubID, p.IncludeDescendants))
}

// owned is the breadth of lists of what organizations own.
func owned(association, club sport.ID, deep bool) breadth {
	return breadth{
		association: association, deep: deep, filtered: true, owned: true,
		narrowed: association != "" || club != "",
	}
}

func organizationList[T any](o OrganizationPath, tail string, q query, id func(*T) identity, b breadth) List[T] {
	b.organization, b.tail = o.id, tail
	return List[T]{client: o.client, path: o.path + "/" + tail, query: q, id: id, breadth: b}
}
