package wire

import (
	"slices"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Organization is an organization (read-api, Resources).
type Organization struct {
	ID          sport.ID               `json:"id"`
	Type        sport.OrganizationType `json:"type"`
	Name        string                 `json:"name"`
	Logo        *string                `json:"logo" format:"uri-reference" doc:"URL of a picture."`
	ParentID    *sport.ID              `json:"parentId" doc:"Null also where the parent is outside the key's scope."`
	Description string                 `json:"description"`
	Season      *int                   `json:"season" min:"1" doc:"The current season, where one is given."`
}

// TreeNode is an organization and what is below it, in name order (D23).
type TreeNode struct {
	Organization
	Children []*TreeNode `json:"children" doc:"The organizations below, in name order; empty for a leaf."` // never null
}

// OrganizationsFor shows organizations to a viewer, the parent where that is in
// the viewer's scope as well (D25).
func OrganizationsFor(v sport.Viewer) func(*records.Organization) Organization {
	return func(o *records.Organization) Organization {
		out := Organization{
			ID: o.ID, Type: o.Type, Name: o.Name, Logo: nullable(o.Logo),
			Description: o.Description, Season: nullable(o.Season),
		}
		if o.ID != v.Organization && !slices.Contains(o.ParentMasked, v.Organization) {
			out.ParentID = nullable(o.ParentID)
		}
		return out
	}
}
