package keys

// Scope is a permission of a key; most routes require one or more (read-api,
// Scopes).
type Scope string

// The scopes of read-api.md.
const (
	OrganizationsRead   Scope = "organizations:read"
	CompetitionsRead    Scope = "competitions:read"
	MatchesRead         Scope = "matches:read"
	StandingsRead       Scope = "standings:read"
	TeamsRead           Scope = "teams:read"
	PlayersRead         Scope = "players:read"
	MatchStatisticsRead Scope = "matchStatistics:read"
)

// AllScopes returns every scope, in the contract's order. The caller may change
// the slice.
func AllScopes() []Scope {
	return []Scope{
		OrganizationsRead, CompetitionsRead, MatchesRead, StandingsRead,
		TeamsRead, PlayersRead, MatchStatisticsRead,
	}
}

// AllScopeNames are those of every scope, for a Request.
func AllScopeNames() (names []string) {
	for _, s := range AllScopes() {
		names = append(names, string(s))
	}
	return names
}
