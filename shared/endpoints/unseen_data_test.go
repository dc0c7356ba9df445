package endpoints_test

import (
	"strings"
	"testing/fstest"
)

// What hidden and private records are, in addition to those of norland, before and
// after they change. Both hold every kind of record that few or nobody may see, and
// what only these lead to. None has a finished match of a hidden team, which counts
// for the team that it met (D54).
var (
	unseenBefore = fstest.MapFS{
		"organizations.ndjson": lines(
			`{"id":"attic","type":"club","name":"Attic","parentId":"north","visibility":"hidden"}`,
			`{"id":"cellar","type":"club","name":"Cellar","parentId":"vault","additionalParentIds":["dark"]}`),
		"competitions.ndjson": lines(
			`{"id":"vaultcup","season":2025,"name":"Vault Cup","organizationId":"vault"}`,
			`{"id":"summer","season":2024,"name":"Summer before","organizationId":"south","current":false,"visibility":"private"}`),
		"teams.ndjson": lines(
			`{"id":"vault-w","name":"Vault Women","shortName":"VAW","organizationId":"vault","competitionId":"women","season":2025,"group":"women-b"}`,
			`{"id":"vault-own","name":"Vault Own","shortName":"VAO","organizationId":"vault"}`,
			`{"id":"cellar-own","name":"Cellar Own","shortName":"CEO","organizationId":"cellar"}`,
			`{"id":"attic-own","name":"Attic Own","shortName":"ATO","organizationId":"attic"}`,
			`{"id":"vault-cup","name":"Vault in Cup","shortName":"VAC","organizationId":"vault","competitionId":"vaultcup","season":2025}`,
			`{"id":"wraith","name":"Wraith","shortName":"WRA","organizationId":"albion","visibility":"hidden"}`,
			`{"id":"leaving","name":"Leaving","shortName":"LEA","organizationId":"city","visibility":"private"}`),
		"players.ndjson": lines(
			`{"id":"val","name":"Val","teamId":"vault-own","number":1}`,
			`{"id":"cel","name":"Cel","teamId":"cellar-own","number":2}`,
			`{"id":"att","name":"Att","teamId":"attic-own"}`,
			`{"id":"wra","name":"Wra","teamId":"wraith","number":3}`,
			`{"id":"lea","name":"Lea","teamId":"leaving"}`,
			`{"id":"eva","name":"Eva","teamId":"borough-25","number":10,"visibility":"private"}`,
			`{"id":"moa","name":"Moa","teamId":"shadow-25"}`,
			`{"id":"bor","name":"Bor","teamId":"borough-w","number":8}`),
		"matches.ndjson": lines(
			`{"id":"vault-1","status":"finished","kickoffAt":"2025-10-04T12:00:00Z","homeTeamId":"vault-own","awayTeamId":"cellar-own","score":{"home":1,"away":0}}`,
			`{"id":"vault-2","competitionId":"vaultcup","season":2025,"status":"upcoming","kickoffAt":"2026-10-04T12:00:00Z","homeTeamId":"vault-cup","awayTeamId":"cellar-own"}`,
			`{"id":"wraith-1","status":"upcoming","kickoffAt":"2026-05-03T12:00:00Z","homeTeamId":"wraith","awayTeamId":"albion-friends"}`,
			`{"id":"leaving-1","competitionId":"liga","season":2025,"status":"upcoming","kickoffAt":"2026-05-04T12:00:00Z","homeTeamId":"shadow-25","awayTeamId":"albion-25"}`,
			`{"id":"quiet","competitionId":"cup","season":2025,"status":"live","kickoffAt":"2026-03-14T14:00:00Z","homeTeamId":"city-cup","awayTeamId":"albion-cup","score":{"home":3,"away":0},"visibility":"private","lineups":{"confirmed":true,"home":{"starting":[{"playerId":"kit"}],"bench":[]},"away":{"starting":[{"playerId":"pia"}],"bench":[]}},"events":[{"type":"goal","minute":2,"side":"home","playerId":"kit"}]}`),
	}
	unseenAfter = fstest.MapFS{
		"organizations.ndjson": lines(
			`{"id":"attic","deleted":true}`,
			`{"id":"loft","type":"association","name":"Loft","parentId":"south","visibility":"private"}`,
			`{"id":"cellar","patch":true,"description":"Below the vault"}`,
			`{"id":"loft-club","type":"club","name":"Loft Club","parentId":"loft"}`,
			`{"id":"dark","patch":true,"name":"Darker","logo":"https://img.example/dark.png","description":"moved","parentId":"south"}`,
			`{"id":"vault","patch":true,"name":"Vault renamed","parentId":"south","additionalParentIds":["north"]}`),
		"competitions.ndjson": lines(
			`{"id":"summer","season":2024,"patch":true,"name":"Summer renamed","gender":"women"}`,
			`{"id":"liga","season":2023,"name":"Liga of old","organizationId":"fed","current":false,"visibility":"hidden"}`,
			`{"id":"liga-other","season":2025,"name":"Another Title Round","organizationId":"fed","stage":"playoff","parentId":"liga","format":"knockout","visibility":"hidden"}`,
			`{"id":"hush","season":2025,"patch":true,"name":"Hushed","type":"cup","completed":true,"gender":"men","groups":[{"id":"hush-a","name":"A","order":1}]}`,
			`{"id":"vaultcup","season":2025,"patch":true,"name":"Vault Cup renamed"}`,
			`{"id":"loftcup","season":2025,"name":"Loft Cup","organizationId":"loft"}`),
		"teams.ndjson": lines(
			`{"id":"attic-own","deleted":true}`, `{"id":"leaving","deleted":true}`,
			`{"id":"shadow-25","patch":true,"name":"Umbra","shortName":"UMB","logo":"https://img.example/umbra.png","organizationId":"borough","status":"inactive"}`,
			`{"id":"wraith","patch":true,"name":"Wraith renamed"}`,
			`{"id":"phantom","name":"Phantom","shortName":"PHA","organizationId":"city","visibility":"private"}`,
			`{"id":"vault-own","patch":true,"name":"Vault Own renamed"}`,
			`{"id":"loft-own","name":"Loft Own","shortName":"LOF","organizationId":"loft-club"}`,
			`{"id":"hush-city","name":"Hush City","shortName":"HUC","organizationId":"loft-club","competitionId":"hush","season":2025,"group":"hush-a"}`),
		"players.ndjson": lines(
			`{"id":"att","deleted":true}`, `{"id":"lea","deleted":true}`, `{"id":"moa","deleted":true}`,
			`{"id":"eve","patch":true,"name":"Eve renamed","number":77,"position":"forward","photo":"https://img.example/eve.png","status":"inactive"}`,
			`{"id":"eva","patch":true,"name":"Eva renamed","teamId":"city-25","number":1}`,
			`{"id":"new","name":"New","teamId":"albion-25","number":9,"visibility":"hidden"}`,
			`{"id":"moe","patch":true,"name":"Moe renamed","number":9}`,
			`{"id":"pha","name":"Pha","teamId":"phantom"}`,
			`{"id":"val","patch":true,"name":"Val renamed"}`,
			`{"id":"lof","name":"Lof","teamId":"loft-own"}`),
		"matches.ndjson": lines(
			`{"id":"veiled","patch":true,"status":"live","kickoffAt":"2026-03-14T15:00:00Z","score":{"home":0,"away":1},"lineups":{"confirmed":true,"home":{"starting":[{"playerId":"ian","captain":true}],"bench":[{"playerId":"new"},{"playerId":"bor"}]},"away":{"starting":[{"playerId":"kit"}],"bench":[{"playerId":"lee"}]}},"events":[{"type":"goal","minute":2,"side":"away","playerId":"kit","assistId":"lee"},{"type":"card","detail":"red","minute":3,"side":"home","playerId":"bor"}],"statistics":{"home":{"shots":7},"away":{"shots":9}}}`,
			`{"id":"veiled-24","competitionId":"liga","season":2024,"status":"finished","kickoffAt":"2024-09-01T12:00:00Z","homeTeamId":"borough-24","awayTeamId":"albion-24","score":{"home":5,"away":0},"visibility":"private","events":[{"type":"goal","minute":1,"side":"away","detail":"ownGoal","playerId":"old"}]}`,
			`{"id":"veiled-w","competitionId":"women","season":2025,"status":"finished","kickoffAt":"2025-09-13T12:00:00Z","homeTeamId":"city-w","awayTeamId":"dynamo-w","score":{"home":8,"away":0},"group":"women-b","round":2,"visibility":"hidden"}`,
			`{"id":"veiled-title","competitionId":"liga-title","season":2025,"status":"finished","kickoffAt":"2026-01-17T18:00:00Z","homeTeamId":"city-title","awayTeamId":"albion-title","score":{"home":4,"away":0},"visibility":"hidden"}`,
			`{"id":"veiled-drop","competitionId":"liga-drop","season":2025,"status":"finished","kickoffAt":"2026-01-25T18:00:00Z","homeTeamId":"guests-drop","awayTeamId":"borough-drop","score":{"home":0,"away":9},"round":2,"visibility":"private"}`,
			`{"id":"veiled-friendly","status":"finished","kickoffAt":"2025-07-02T18:00:00Z","homeTeamId":"albion-friends","awayTeamId":"select","score":{"home":0,"away":6},"visibility":"hidden"}`,
			`{"id":"quiet","deleted":true}`, `{"id":"leaving-1","deleted":true}`,
			`{"id":"wraith-1","patch":true,"kickoffAt":"2026-06-03T12:00:00Z"}`,
			`{"id":"wraith-2","status":"upcoming","kickoffAt":"2026-05-05T12:00:00Z","homeTeamId":"phantom","awayTeamId":"albion-friends"}`,
			`{"id":"vault-1","patch":true,"score":{"home":0,"away":4}}`,
			`{"id":"hushed-2","competitionId":"hush","season":2025,"status":"finished","kickoffAt":"2025-10-02T18:00:00Z","homeTeamId":"hush-city","awayTeamId":"hush-albion","score":{"home":7,"away":0},"lineups":{"confirmed":true,"home":{"starting":[{"playerId":"lof"}],"bench":[]},"away":{"starting":[{"playerId":"cat"}],"bench":[]}},"events":[{"type":"goal","minute":2,"side":"home","playerId":"lof"},{"type":"card","detail":"yellow","minute":3,"side":"away","playerId":"cat"}]}`),
	}
	// unseenShown makes public what is hidden or private after the changes.
	unseenShown = fstest.MapFS{
		"organizations.ndjson": shown("dark", "vault", "loft"),
		"competitions.ndjson":  shown(`summer","season":2024,"`, `liga","season":2023,"`, `liga-other","season":2025,"`, `hush","season":2025,"`),
		"teams.ndjson":         shown("shadow-25", "wraith", "phantom"),
		"players.ndjson":       shown("eve", "eva", "new"),
		"matches.ndjson":       shown("veiled", "veiled-24", "veiled-w", "veiled-title", "veiled-drop", "veiled-friendly"),
	}
)

func lines(records ...string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(strings.Join(records, "\n") + "\n")}
}

// shown are patches that make records public. An id may be followed by more fields.
func shown(ids ...string) *fstest.MapFile {
	var patches []string
	for _, id := range ids {
		if !strings.HasSuffix(id, `"`) {
			id += `","`
		}
		patches = append(patches, `{"id":"`+id+`patch":true,"visibility":"public"}`)
	}
	return lines(patches...)
}
