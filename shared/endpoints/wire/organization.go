package wire

import (
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Organization is an organization (read-api, Resources).
type Organization struct {
	ID          sport.ID               `json:"id"`
	Type        sport.OrganizationType `json:"type"`
	Name        string                 `json:"name"`
	Logo        *string                `json:"logo"`
	ParentID    *sport.ID              `json:"parentId"`
	Description string                 `json:"description"`
	Season      *int                   `json:"season"`
}

// TreeNode is an organization and what is below it, in name order (D23).
type TreeNode struct {
	Organization
	Children []*TreeNode `json:"children"` // never null
}

// OrganizationOf shows an organization; showParent says that whoever asks may
// know the parent (D25).
func OrganizationOf(o *records.Organization, showParent bool) Organization {
	out := Organization{
		ID: o.ID, Type: o.Type, Name: o.Name, Logo: nullable(o.Logo),
		Description: o.Description, Season: nullable(o.Season),
	}
	if showParent {
		out.ParentID = nullable(o.ParentID)
	}
	return out
}
