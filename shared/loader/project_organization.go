package loader

import (
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// treeLevels is the deepest a tree can be asked for (read-api, Endpoint table).
const treeLevels = 3

func (p *projector) organization(id sport.ID) {
	for _, v := range []view{before, after} {
		if o := p.world.organizations.at(v, id); o != nil {
			p.organizationIn(v, o)
		}
	}
}

func (p *projector) organizationIn(v view, o *organization) {
	entry := p.world.organizationEntry(v, o)
	p.items.put(v, records.OrganizationKey(o.ID), sport.KindOrganization, o.ID, &records.OrganizationRecord{
		Organization: entry,
		Scope:        records.Scope{Owners: []sport.ID{o.ID}, Reach: o.reach, Hidden: !o.public()},
		Status:       o.Status, Visibility: o.Visibility, Plan: o.Plan,
		Leaf: o.leaf, Cross: o.cross,
	})
	p.id(v, records.Everything(sport.KindOrganization), o.ID)
	for _, parent := range o.Parents() {
		p.id(v, records.ChildIndex(parent), o.ID)
	}
	if !o.public() {
		return
	}
	for _, r := range o.rangesAbove() {
		p.id(v, records.RangeSizeList(r), o.ID)
	}
	if o.Type != sport.Federation { // no route lists federations
		orders(p.shelves.organizationsByID, p.shelves.organizationsByName, v,
			records.IDKey(o.ID), p.names.key(o.Name, o.ID), &entry,
			func(order records.Order) []string { return p.world.organizationLists(v, o, order) })
	}
	p.tree(v, o, entry)
}

func (w *world) organizationEntry(v view, o *organization) records.Organization {
	return records.Organization{
		ID: o.ID, Type: o.Type, Name: o.Name, Logo: o.Logo,
		ParentID: o.ParentID, Additional: o.AdditionalParentIDs,
		Description: o.Description, Season: o.Season,
		ParentMasked: w.parentMasked(v, o),
	}
}

func (w *world) organizationLists(v view, o *organization, order records.Order) []string {
	var lists []string
	for _, variant := range []records.Variant{records.All, records.Variant(o.Status)} {
		for _, parent := range o.Parents() {
			lists = append(lists, records.ChildrenList(o.Type, parent, order, variant))
			for _, other := range w.besides(v, o, parent) {
				lists = append(lists, records.ChildrenWithin(o.Type, parent, other, order, variant))
			}
		}
		for _, r := range o.rangesAbove() {
			lists = append(lists, records.OrganizationsBelow(o.Type, r, order, variant))
		}
	}
	return lists
}

// besides are the organizations that o is below, but not over this parent alone:
// those that the parent is not below.
func (w *world) besides(v view, o *organization, parent sport.ID) []sport.ID {
	if len(o.Parents()) < 2 {
		return nil
	}
	var others []sport.ID
	for _, a := range o.reach {
		if a != o.ID && a != parent && !w.below(v, parent, a) {
			others = append(others, a)
		}
	}
	return others
}

// tree puts the organization into the trees of those up to three levels above
// it over primary parents, as long as the way up is public (D23). Its place is
// the level, then the names on the way down: breadth first, children in name
// order.
func (p *projector) tree(v view, o *organization, entry records.Organization) {
	way := p.names.key(o.Name, o.ID)
	at := o
	for level := 1; level <= treeLevels && at.ParentID != ""; level++ {
		root := p.world.organizations.at(v, at.ParentID)
		if root == nil {
			return
		}
		path := append([]byte{byte(level)}, way...)
		p.shelves.trees.put(v, records.TreeList(root.ID), path, &records.TreeNode{Organization: entry, Level: level, Path: path})
		if !root.public() {
			return
		}
		way = append(p.names.key(root.Name, root.ID), way...)
		at = root
	}
}
