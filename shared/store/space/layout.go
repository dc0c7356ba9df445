//go:build !nextlayout

package space

// Layout is the version of what this build stores.
const Layout = 1

// Prefix begins the partition keys of this build: Of(Layout).
const Prefix = "1#"
