// Package vectors has known answers of the signature: canonical queries, and
// requests with their canonical strings and signatures. vectors.py, which shares no
// code with package signing, makes them. The pages for callers publish them.
package vectors

import _ "embed"

//go:embed vectors.json
var text []byte

// JSON returns them; callers do not change it.
func JSON() []byte { return text }
