package sport

// Viewer is whose data a request may see: that of a key's organization, and
// with Descendants of everything below it (read-api, Purpose and scope).
type Viewer struct {
	Organization ID
	Descendants  bool
}
