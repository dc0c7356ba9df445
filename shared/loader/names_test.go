package loader_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"touchline/shared/dataset"
	"touchline/shared/dataset/format"
	"touchline/shared/loader"
	"touchline/shared/sport"
)

// named is a season in sheets that give names, and no ids of entries and matches.
var named = map[string]string{
	"organizations.csv": "id,type,name,parent\nk,club,Kielby,NORLAND\nl,club,Norby,Norland\nm,club,Ostby,Norland\nnorland,federation,Norland,\n",
	"competitions.csv":  "id,season,name,organizationId,timezone\nliga,2025,Liga,norland,UTC\n",
	"teams.csv":         "name,shortName,club,competition,season\nKielby FC,KFC,Kielby,Liga,2025\nNorby FC,NFC,Norby,Liga,2025\nOstby FC,OFC,Ostby,Liga,2025\n",
	"players.csv":       "id,name,competition,season,team\np,P,Liga,2025,KFC\n",
	"matches.csv": "competition,season,round,status,date,time,home,away,score.home,score.away\n" +
		"Liga,2025,1,finished,2025-09-06,15:00,Kielby FC,Norby FC,2,1\n" +
		"Liga,2025,2,upcoming,2036-09-13,15:00,norby  fc,OFC,,\n" +
		"Liga,2025,3,upcoming,2036-09-20,15:00,Ostby FC,Kielby FC,,\n",
}

// change is the season with other texts in a file: old and new by turns.
func changed(file string, texts ...string) map[string]string {
	folder := maps.Clone(named)
	folder[file] = strings.NewReplacer(texts...).Replace(folder[file])
	return folder
}

func only(file, text string) map[string]string { return map[string]string{file: text} }

const matchHead = "competition,season,round,status,kickoffLocal,home,away,score.home,score.away\n"

// Each load comes after that of the season, and does what it says to its teams and matches: the
// created, the changed and those that stay. What is not meant for certain is refused.
func TestRowsWithoutIDsFindWhatIsStored(t *testing.T) {
	nextSeason := maps.Clone(named)
	for file, text := range nextSeason {
		nextSeason[file] = strings.ReplaceAll(text, "2025", "2026")
	}
	delete(nextSeason, "players.csv")
	four := changed("matches.csv", "Ostby FC,Kielby FC,,\n", "Ostby FC,Kielby FC,,\nLiga,2025,9,upcoming,2037-03-20,,Kielby FC,Norby FC,,\n")
	for _, tt := range []struct {
		name  string
		loads []map[string]string // all but the last have to succeed
		want  string              // "teams +created ~changed =same, matches ..." or a part of the fault
	}{
		{"nothing new", []map[string]string{named}, "teams +0 ~0 =3, matches +0 ~0 =3"},
		{"other rounds and days", []map[string]string{changed("matches.csv", "Liga,2025,2", "Liga,2025,7", "2036-09-20", "2036-10-20")}, "teams +0 ~0 =3, matches +0 ~2 =1"},
		{"a result", []map[string]string{only("matches.csv", matchHead+"Liga,2025,2,finished,2025-09-13,Norby FC,Ostby FC,0,0\n")}, "teams +0 ~0 =0, matches +0 ~1 =0"},
		{"by the current season", []map[string]string{only("matches.csv", strings.ReplaceAll(matchHead, "season,", "")+"Liga,2,finished,2025-09-13,Norby FC,Ostby FC,0,0\n")}, "matches +0 ~1 =0"},
		{"next season, by search and replace", []map[string]string{nextSeason}, "teams +3 ~0 =0, matches +3 ~0 =0"},
		{"home and away exchanged", []map[string]string{changed("matches.csv", "norby  fc,OFC", "OFC,Norby FC")},
			"matches.csv:3: id: is missing, and Ostby FC - Norby FC is new, while Norby FC - Ostby FC (fixture-"},
		{"a round that is new, without the others", []map[string]string{only("matches.csv", matchHead+"Liga,2025,4,upcoming,2036-09-27,Norby FC,Kielby FC,,\n")}, "if all are meant, allow 3 deletions (--allow-deletes 3)"},
		{"ids for rows that had none", []map[string]string{only("matches.csv", "id,"+matchHead+"m1,Liga,2025,1,finished,2025-09-06,Kielby FC,Norby FC,2,1\nm2,Liga,2025,2,upcoming,2036-09-13,Norby FC,Ostby FC,,\n")},
			"from a row without an id: give it that id or none, or delete that one; if all are meant, allow 2 deletions (--allow-deletes 2) (2 times: also on line 3)"},
		{"a replay with an id", []map[string]string{only("matches.csv", "id,"+matchHead+"m1,Liga,2025,9,upcoming,2036-09-06,Kielby FC,Norby FC,,\n")}, "matches +1 ~0 =0"},
		{"a return match", []map[string]string{changed("matches.csv", "Ostby FC,Kielby FC,,\n", "Ostby FC,Kielby FC,,\nLiga,2025,4,upcoming,2036-09-27,,Norby FC,Kielby FC,,\n")}, "matches +1 ~0 =3"},
		{"a second match at one home", []map[string]string{four}, "matches +1 ~0 =3"},
		{"and again", []map[string]string{four, four}, "matches +0 ~0 =4"},
		{"a match that was played in another round", []map[string]string{only("matches.csv", matchHead+"Liga,2025,9,upcoming,2037-03-20,Kielby FC,Norby FC,,\n")}, "Kielby FC - Norby FC is new, while"},
		{"a replay in its round", []map[string]string{changed("matches.csv", "Ostby FC,Kielby FC,,\n", "Ostby FC,Kielby FC,,\nLiga,2025,3,upcoming,2036-09-27,,Ostby FC,Kielby FC,,\n")},
			"matches.csv:5: id: is missing, and without one the row is the same as that on line 4: give one of the two an id of its own"},
		{"an entry with another name", []map[string]string{only("teams.csv", "name,shortName,club,competition,season\nKielby II,K2,Kielby,Liga,2025\n")}, "which follows from the row, is stored with another name"},
		{"a second entry of a club", []map[string]string{changed("teams.csv", "OFC,Ostby", "OFC,Kielby")}, "teams.csv:4: id: is missing, and without one the row is the same as that on line 2"},
		{"an entry without its club", []map[string]string{only("teams.csv", "name,shortName,club,competition,season\nX,X,,Liga,2025\n")}, "does without if it gives its club and competition"},
		{"a name that the load changes", []map[string]string{{
			"organizations.csv": "id,name\nk,Kielby Town\n", "teams.csv": "id,name,shortName,club,competition,season\nx,X,X,Kielby,Liga,2025\n",
		}}, `teams.csv:2: club: no organization is called "Kielby"`},
		{"a name of nobody", []map[string]string{only("players.csv", "id,name,competition,season,team\nq,Q,Liga,2025,Norbi FC\n")}, `players.csv:2: team: no entry of season 2025 of competition "liga" is called "Norbi FC"; did you mean "Norby FC"?`},
		{"a key below the heading of names", []map[string]string{only("teams.csv", "id,name,shortName,club\nx,X,X,k\n")}, `teams.csv:2: club: no organization is called "k"; it is the key of "Kielby", which organizationId takes`},
		{"a name of two", []map[string]string{{"organizations.csv": "id,type,name\na,club,A\nb,club,A\n", "teams.csv": "id,name,shortName,club\nx,X,X,A\n"}}, `club: "A" may be `},
		{"a name and another's id", []map[string]string{only("teams.csv", "id,name,shortName,club,organizationId\nx,X,X,Kielby,l\n")}, `teams.csv:2: club: "Kielby" is not the name of organization "l", which organizationId gives`},
		{"a name and its id", []map[string]string{only("teams.csv", "id,name,shortName,club,organizationId\nx,X,X,Kielby,k\n")}, "teams +1 ~0 =0"},
		{"a match of a stored row, whose competition has no column", []map[string]string{only("matches.csv", "id,status,kickoffAt,homeTeamId,awayTeamId,competition\nx,upcoming,2036-01-01T10:00:00Z,a,b,\n"),
			only("matches.csv", "id,home\nx,Kielby FC\n")}, `no entry of this dataset`},
		{"a name of a row that is faulty", []map[string]string{{
			"organizations.csv": "id,type,name\nnew,club,New\n",
			"teams.csv":         "name,shortName,club,competition,season,seed\nHelby FC,H,Kielbi,Liga,2025,\nNew,N,New,Liga,2025,x\n",
			"matches.csv":       matchHead + "Liga,2025,1,upcoming,2036-01-01,Helby FC,Norby FC,,\n",
		}}, "teams.csv:2: club: no organization is called \"Kielbi\"; did you mean \"Kielby\"?\nteams.csv:3: seed: must be an integer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := inMemory()
			load(t, s, filesOf(named), loader.Options{})
			last := len(tt.loads) - 1
			if strings.Contains(tt.name, "stored row") {
				load(t, s, filesOf(only("teams.csv", "id,name,shortName\na,A,A\nb,B,B\n")), loader.Options{})
			}
			for _, folder := range tt.loads[:last] {
				load(t, s, filesOf(folder), loader.Options{})
			}
			r, err := s.loader().Load(t.Context(), filesOf(tt.loads[last]), loader.Options{DryRun: true})
			got := ""
			if faults, ok := errors.AsType[*dataset.Faults](err); ok {
				faults.Warnings = nil
				got = faults.Error()
			} else if err != nil {
				t.Fatal(err)
			} else {
				a, b := r.Teams, r.Matches
				got = fmt.Sprintf("teams +%d ~%d =%d, matches +%d ~%d =%d", a.Created, a.Changed, a.Unchanged, b.Created, b.Changed, b.Unchanged)
			}
			if !strings.Contains(got, tt.want) {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// A key that was made is the record's in an export, after an undo, beside an erasure and in a
// full load; and who loads by ids asks for no list.
func TestMadeKeysLast(t *testing.T) {
	exchanged := filesOf(changed("matches.csv", "norby  fc,OFC", "OFC,Norby FC"))
	s, again := inMemory(), inMemory()
	load(t, s, filesOf(named), loader.Options{})
	s.hasToComeBack(t)
	export := s.exported(t)
	load(t, again, export, anything())
	if r := load(t, again, filesOf(named), loader.Options{}); r.Entries != 0 {
		t.Errorf("loaded again over its export, the season writes %d entries", r.Entries)
	}
	none, one := 0, 1
	if _, err := s.loader().Load(t.Context(), exchanged, loader.Options{AllowDeletes: &none}); err == nil {
		t.Error("a match is another one's, and none may go")
	}
	if r := load(t, s, exchanged, loader.Options{AllowDeletes: &one}); r.Matches.Created != 1 || r.Matches.Unchanged != 2 {
		t.Errorf("%+v", r.Matches)
	}
	if _, _, err := s.loader().Undo(t.Context(), loader.Options{}); err != nil {
		t.Fatal(err)
	}
	if r := load(t, s, filesOf(named), loader.Options{}); r.Entries != 0 {
		t.Errorf("after an undo, the season writes %d entries", r.Entries)
	}
	fewer := filesOf(changed("matches.csv", "Liga,2025,3,upcoming,2036-09-20,15:00,Ostby FC,Kielby FC,,\n", ""))
	if notes := load(t, s, fewer, loader.Options{DryRun: true}).Warnings.Notes(); notes.Count() != 1 || !strings.Contains(notes.String(), "no more has Ostby FC - Kielby FC (fixture-") {
		t.Errorf("a row that is taken out: %v", notes)
	}
	if r := load(t, s, exchanged, loader.Options{Replace: true, DryRun: true}); r.Matches.Created != 1 || r.Matches.Deleted != 1 {
		t.Errorf("as a full load: %+v", r.Matches)
	}
	_, key, _ := strings.Cut(string(export["matches.ndjson"].Data), `"id":"`)
	key, _, _ = strings.Cut(key, `"`)
	load(t, s, filesOf(only("matches.ndjson", `{"id":"`+key+`","erase":true}`)), loader.Options{})
	if _, err := s.loader().Load(t.Context(), filesOf(named), loader.Options{}); err == nil || !strings.Contains(err.Error(), "matches.csv:2: id: was erased on ") {
		t.Errorf("%v", err)
	}
}

func TestRowsOfStoredIDsAskForNoList(t *testing.T) {
	rows := "id,competitionId,season,status,kickoffAt,homeTeamId,awayTeamId\nm,liga,2025,upcoming,2026-01-01T10:00:00Z,a,b\n"
	_, err := format.Read(t.Context(), filesOf(only("matches.csv", rows)), format.Options{
		Stored: func(context.Context, sport.Kind, []format.Wanted) ([][]byte, error) {
			return [][]byte{[]byte(`{"id":"m"}`)}, nil
		},
		Listing: func(context.Context, format.Scope) (*dataset.Part, error) { return nil, errors.New("asked") },
	})
	if err != nil {
		t.Error(err)
	}
}
