package format

import (
	"touchline/shared/dataset"
	"touchline/shared/dataset/details"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

type playerRecord = dataset.Record[sport.Player]

// playerFields is the record of players.ndjson.
var playerFields = []jsonl.Field[playerRecord]{
	jsonl.ID("id", sport.KindPlayer, func(r *playerRecord) (*sport.ID, *string) { return &r.ID, &r.Key }),
	jsonl.Required("name", jsonl.Text(jsonl.MaxName), func(r *playerRecord) *string { return &r.Value.Name }),
	jsonl.Required("teamId", jsonl.Ref(sport.KindTeam), func(r *playerRecord) *sport.ID { return &r.Value.TeamID }),
	jsonl.Optional("number", jsonl.Count(), func(r *playerRecord) *int { return &r.Value.Number }),
	jsonl.Optional("formerNumbers", details.FormerNumbers, func(r *playerRecord) *[]sport.FormerNumber { return &r.Value.FormerNumbers }),
	jsonl.Optional("position", details.Position, func(r *playerRecord) *sport.Position { return &r.Value.Position }),
	jsonl.Optional("photo", jsonl.URL(), func(r *playerRecord) *string { return &r.Value.Photo }),
	jsonl.Optional("status", status, func(r *playerRecord) *sport.Status { return &r.Value.Status }),
	jsonl.Optional("visibility", visibility, func(r *playerRecord) *sport.Visibility { return &r.Value.Visibility }),
	jsonl.Deletion("deleted", func(r *playerRecord) *bool { return &r.Deleted }),
	jsonl.Deletion("erase", func(r *playerRecord) *bool { return &r.Erased }),
}

func readPlayer(r *reader) {
	l := r.line
	rec := &playerRecord{Origin: l.Origin(), Value: sport.Player{Status: sport.Active}}
	jsonl.ReadRecord(l, playerFields, rec, &rec.Deleted)
	enterID(r, rec, &rec.Value.ID)
}
