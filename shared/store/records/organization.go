package records

import "touchline/shared/sport"

// Organization is what organization responses and list items are made of.
type Organization struct {
	ID          sport.ID               `dynamodbav:"i"`
	Type        sport.OrganizationType `dynamodbav:"t"`
	Name        string                 `dynamodbav:"n"`
	Logo        string                 `dynamodbav:"l,omitempty"`
	ParentID    sport.ID               `dynamodbav:"p,omitempty"`
	Additional  IDs                    `dynamodbav:"a,omitempty"`
	Status      sport.Status           `dynamodbav:"st"`
	Description string                 `dynamodbav:"d,omitempty"`
	Season      int                    `dynamodbav:"s,omitempty"`
	// ParentMasked are those organizations in Reach whose keys do not see the
	// parent: it is hidden, or they reach this record over another parent.
	ParentMasked IDs `dynamodbav:"m,omitempty"`
}

// OrganizationRecord is one organization.
type OrganizationRecord struct {
	Organization
	Scope
	Key        string           `dynamodbav:"ky,omitempty"`
	Visibility sport.Visibility `dynamodbav:"vi"`
	Plan       sport.Plan       `dynamodbav:"pl"`
	// Leaf: no public organization has it as a parent, so that what it owns is
	// all there is in its range and the range lists are left out (lists.go).
	Leaf bool `dynamodbav:"lf,omitempty"`
	// Unseen: it is hidden or private, or below such organizations alone (D68).
	Unseen bool `dynamodbav:"us,omitempty"`
}

// TreeNode is an entry of an organization's tree list.
type TreeNode struct {
	Organization
	Level int    `dynamodbav:"lv"` // 1 to 3, below the tree's root
	Path  []byte `dynamodbav:"pa"` // breadth-first order: level, then the names down to it
}

// Given is the organization as the dataset gave it.
func (o *OrganizationRecord) Given() sport.Organization {
	return sport.Organization{
		ID: o.ID, Type: o.Type, Name: o.Name, Logo: o.Logo,
		ParentID: o.ParentID, AdditionalParentIDs: o.Additional,
		Description: o.Description, Season: o.Season,
		Status: o.Status, Visibility: o.Visibility, Plan: o.Plan,
	}
}
