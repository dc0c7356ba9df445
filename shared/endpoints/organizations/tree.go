package organizations

import (
	"context"

	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// maxNodes bounds a tree, its root included (read-api, Limits).
const maxNodes = 500

// treeReply is the reply of tree.
type treeReply struct {
	route.Data[*wire.TreeNode]
	Truncated bool `json:"truncated,omitempty"` // cut at maxNodes
}

// tree is /v1/{alias}/{id}/tree. The list of a tree is breadth first, so that
// its beginning holds the nodes nearest the root, and of each level those that
// come first (D23).
func (e Endpoints) tree(ctx context.Context, call route.Call, p treeParams) (treeReply, error) {
	q, err := e.askOne(ctx, call, p.IncludeDescendants, guess{list: records.TreeList(sport.ID(call.ID))})
	if err != nil {
		return treeReply{}, err
	}
	root := &wire.TreeNode{Organization: q.show(&q.organization.Organization), Children: []*wire.TreeNode{}}
	if q.alone() {
		return treeReply{Data: route.Data[*wire.TreeNode]{Data: root}}, nil
	}
	below := &records.Page[records.TreeNode]{Kind: records.TreeKind(), Request: pagedlist.Request[records.TreeNode]{
		List: records.TreeList(q.organization.ID), Match: upTo(p.Depth), Limit: maxNodes - 1,
	}}
	if err := q.snap.Read(ctx, below); err != nil {
		return treeReply{}, err
	}
	q.grow(root, below.Entries)
	return treeReply{Data: route.Data[*wire.TreeNode]{Data: root}, Truncated: below.Total > maxNodes-1}, nil
}

// upTo selects the levels of a tree, which kinds.Trees counts as seasons.
func upTo(depth int) func(pagedlist.Facet) bool {
	return func(f pagedlist.Facet) bool { return f.Season <= depth }
}

// grow hangs the nodes, which come breadth first and in name order, under
// their parents.
func (q *question) grow(root *wire.TreeNode, below []records.TreeNode) {
	nodes := map[sport.ID]*wire.TreeNode{root.ID: root}
	for i := range below {
		o := &below[i].Organization
		node := &wire.TreeNode{Organization: q.show(o), Children: []*wire.TreeNode{}}
		if parent := nodes[o.ParentID]; parent != nil {
			parent.Children = append(parent.Children, node)
			nodes[o.ID] = node
		}
	}
}
