package openapi

import _ "embed"

// changesText is the changelog.
//
//go:embed changes.md
var changesText string

// Changes is what changed with each version of the document, newest first:
// Markdown with a heading of level 2 for each.
func Changes() string { return changesText }
