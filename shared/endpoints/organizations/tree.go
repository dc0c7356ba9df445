package organizations

import (
	"context"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store/reader"
)

// organization is /v1/{alias}/{id}.
func (e Endpoints) organization(ctx context.Context, call route.Call, p route.Descendants) (route.Data[wire.Organization], error) {
	o, err := e.Sports.Organization(ctx, call.Viewer(), addressed(call, p))
	return endpoints.Data(err, func() wire.Organization { return wire.OrganizationsFor(call.Viewer())(o) })
}

// maxNodes bounds a tree, its root included (read-api, Limits).
const maxNodes = 500

// tree is /v1/{alias}/{id}/tree.
func (e Endpoints) tree(ctx context.Context, call route.Call, p treeParams) (wire.OrganizationsTreeReply, error) {
	t, err := e.Sports.Tree(ctx, call.Viewer(), addressed(call, p.Descendants), p.Depth, maxNodes)
	if err != nil {
		return wire.OrganizationsTreeReply{}, err
	}
	return wire.OrganizationsTreeReply{Data: route.Data[*wire.TreeNode]{Data: grow(t, call.Viewer())}, Truncated: t.Truncated}, nil
}

// grow puts the nodes, which come breadth first and in name order, under their
// parents.
func grow(t reader.Tree, v sport.Viewer) *wire.TreeNode {
	show := wire.OrganizationsFor(v)
	root := &wire.TreeNode{Organization: show(t.Root), Children: []*wire.TreeNode{}}
	nodes := map[sport.ID]*wire.TreeNode{root.ID: root}
	for i := range t.Below {
		o := &t.Below[i].Organization
		if parent := nodes[o.ParentID]; parent != nil {
			node := &wire.TreeNode{Organization: show(o), Children: []*wire.TreeNode{}}
			parent.Children = append(parent.Children, node)
			nodes[o.ID] = node
		}
	}
	return root
}
