package endpoints_test

import (
	"encoding/json"
	"strings"
	"testing"
)

type node struct {
	ID       string `json:"id"`
	Children []node `json:"children"`
}

// outline writes a tree as parent(child child).
func outline(t testing.TB, body string) string {
	t.Helper()
	var reply struct {
		Data node `json:"data"`
	}
	if err := json.Unmarshal([]byte(body), &reply); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return reply.Data.String()
}

// String implements fmt.Stringer.
func (n node) String() string {
	if len(n.Children) == 0 {
		return n.ID
	}
	children := make([]string, len(n.Children))
	for i, c := range n.Children {
		children[i] = c.String()
	}
	return n.ID + "(" + strings.Join(children, " ") + ")"
}
