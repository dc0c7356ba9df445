package projection

import (
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

func (p *Projector) organization(v world.View, o *world.Organization) {
	entry := records.Organization{
		ID: o.ID, Type: o.Type, Name: o.Name, Logo: o.Logo, ParentID: o.ParentID, Additional: o.AdditionalParentIDs,
		Description: o.Description, Season: o.Season, Status: o.Status, ParentMasked: p.World.AboveBesides(v, o, o.ParentID),
	}
	p.Items.Put(v, records.OrganizationKey(o.ID), &records.OrganizationRecord{
		Organization: entry, Key: o.Key,
		Scope:      records.Scope{Owners: []sport.ID{o.ID}, Reach: o.Reach, Hidden: !o.Public()},
		Visibility: o.Visibility, Plan: o.Plan,
		Leaf: o.Leaf, Unseen: o.Unseen,
	})
	p.id(v, records.Everything(sport.KindOrganization), o.ID)
	for _, parent := range o.Parents() {
		p.id(v, records.ChildOrganizations(parent), o.ID)
	}
	if !o.Public() {
		return
	}
	for _, above := range o.Above() {
		p.id(v, records.RangeSizeList(above), o.ID)
	}
	if o.Type != sport.Federation { // no route lists federations
		orders(p.Lists.OrganizationsByID, p.Lists.OrganizationsByName, v,
			records.IDKey(o.ID), p.Names.Key(o.Name, o.ID), &entry,
			func(order records.Order) []records.List[records.Organization] {
				return organizationLists(o, order)
			})
	}
	p.tree(v, o, entry)
}

func organizationLists(o *world.Organization, order records.Order) []records.List[records.Organization] {
	var lists []records.List[records.Organization]
	for _, parent := range o.Parents() {
		lists = append(lists, records.ChildrenList(o.Type, parent, order))
	}
	for _, above := range o.Above() {
		lists = append(lists, records.OrganizationsBelow(o.Type, above, order))
	}
	return lists
}

// tree puts the organization into the trees of those up to three levels above
// it over primary parents, as long as the way up is public (D23). Its place is
// the level, then the names on the way down: breadth first, children in name
// order.
func (p *Projector) tree(v world.View, o *world.Organization, entry records.Organization) {
	way := p.Names.Key(o.Name, o.ID)
	at := o
	for level := 1; level <= world.TreeLevels && at.ParentID != ""; level++ {
		root := p.World.Organizations.At(v, at.ParentID)
		if root == nil {
			return
		}
		path := append([]byte{byte(level)}, way...)
		p.Lists.Trees.Put(v, records.TreeList(root.ID), path, &records.TreeNode{Organization: entry, Level: level, Path: path})
		if !root.Public() {
			return
		}
		way = append(p.Names.Key(root.Name, root.ID), way...)
		at = root
	}
}
