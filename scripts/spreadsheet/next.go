package spreadsheet

import (
	"maps"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/dataset/names"
	"touchline/shared/loader/export"
	"touchline/shared/sport"
)

// next makes the season of a competition after one that is exported: the competition, its
// entries under new keys, and their players under these, with visibility written out.
type next struct {
	competition sport.ID
	season      int               // the one that is exported
	entries     map[string]string // the keys of entries, by those of the season before
	rows        [files.Kinds]int  // made in two readings of each kind
}

// over are what a season leaves behind.
var over = [files.Kinds][]string{
	files.Competitions: {"current", "completed", "endsAt", "withdrawals"},
	files.Teams:        {"startingPoints", "seed"},
	files.Players:      {"formerNumbers"},
}

// record is the record of the next season for one of the last; false: there isn't one.
func (n *next) record(of files.Kind, was jsonl.Object) (is jsonl.Object, ok bool) {
	id := func(field string, kind sport.Kind) sport.ID { return dataset.ID(kind, jsonl.TextOf(was.Of(field))) }
	season, _ := strconv.Atoi(string(was.Of("season"))) // of an export
	is = was.Without(append([]string{"season"}, over[of]...)...)
	set := func(field string, value jsontext.Value) {
		if i := slices.IndexFunc(is, func(m jsonl.Member) bool { return m.Name == field }); i >= 0 {
			is[i].Value = value
			return
		}
		is = append(is, jsonl.Member{Name: field, Value: value})
	}
	switch of {
	case files.Competitions:
		ok = id("id", sport.KindCompetition) == n.competition && season == n.season
	case files.Teams:
		if ok = id("competitionId", sport.KindCompetition) == n.competition && season == n.season; !ok {
			break
		}
		key := names.EntryKey(n.competition, season+1, id("organizationId", sport.KindOrganization))
		given := n.entries[jsonl.TextOf(was.Of("id"))]
		if jsonl.TextOf(was.Of("organizationId")) == "" || given != key && slices.Contains(slices.Collect(maps.Values(n.entries)), key) { // a second one of a club
			key = names.EntryKey(n.competition, season+1, id("id", sport.KindTeam))
		}
		n.entries[jsonl.TextOf(was.Of("id"))] = key
		set("id", jsonl.Quoted(key))
	case files.Players:
		team := n.entries[jsonl.TextOf(was.Of("teamId"))]
		ok = team != ""
		set("teamId", jsonl.Quoted(team))
	}
	if of != files.Players {
		set("season", jsontext.Value(strconv.Itoa(season+1)))
	}
	if was.Of("visibility") == nil {
		set("visibility", jsonl.Quoted(sport.Public))
	}
	if ok {
		n.rows[of]++
	}
	return is, ok
}

// report counts what was made.
func (n *next) report() *export.Report {
	return &export.Report{Competitions: n.rows[files.Competitions] / 2, Teams: n.rows[files.Teams] / 2, Players: n.rows[files.Players] / 2}
}
