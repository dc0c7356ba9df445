//go:build nextlayout

package space

// Layout and Prefix are those of a build that tests have upgrade the data of this one
// (shared/loader/upgrade). Nothing else of it differs.
const (
	Layout = 2
	Prefix = "2#"
)
