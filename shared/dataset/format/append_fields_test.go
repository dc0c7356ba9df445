package format

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
	"touchline/shared/sport"
	"touchline/shared/sport/sporttest"
)

// A field that is not read, or not written, is lost between a dataset and its
// journal. sporttest has a value for every field.
func TestEveryFieldIsReadAndWritten(t *testing.T) {
	organization, competition, team, player := sporttest.Organization(), sporttest.Competition(), sporttest.Team(), sporttest.Player()
	match, table := sporttest.Match(), sporttest.GivenTable()
	files := fstest.MapFS{
		"organizations.ndjson": {Data: Append(nil, &dataset.Record[sport.Organization]{ID: organization.ID, Value: organization})},
		"competitions.ndjson":  {Data: Append(nil, &dataset.Record[sport.Competition]{ID: competition.ID, Value: competition})},
		"teams.ndjson":         {Data: Append(nil, &dataset.Record[sport.Team]{ID: team.ID, Value: team})},
		"players.ndjson":       {Data: Append(nil, &dataset.Record[sport.Player]{ID: player.ID, Value: player})},
		"matches.ndjson":       {Data: Append(nil, &dataset.Record[dataset.Match]{ID: match.ID, Value: dataset.Match{Base: match}})},
		"standings.ndjson":     {Data: Append(nil, &dataset.Record[sport.GivenTable]{Value: table})},
	}
	set, err := Read(t.Context(), files, Options{})
	if err != nil {
		t.Fatal(err)
	}
	whole := set.Matches.At(0).Value.Full()
	for _, c := range []struct{ want, got any }{
		{organization, set.Organizations[0].Value}, {competition, set.Competitions[0].Value},
		{team, set.Teams[0].Value}, {player, set.Players.At(0).Value}, {match, whole}, {table, set.Standings[0].Value},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%T (-given +read again):\n%s", c.want, diff)
		}
	}
}
