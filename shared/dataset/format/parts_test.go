package format

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"touchline/shared/dataset"
)

// Sheets of events and line-ups give the details of their matches, those of a match that no
// other sheet has over the stored record.
func TestSheetsOfEventsAndLineups(t *testing.T) {
	const (
		event   = "match,type,minute,side,playerId\n"
		matches = "id,status,kickoffAt,homeTeamId,awayTeamId,score.home,score.away\nm,finished,2026-03-01T15:00Z,a,b,1,0\n"
		kept    = `{"id":"m","status":"finished","kickoffAt":"2026-03-01T15:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":1,"away":0},"events":[{"type":"goal","minute":3,"side":"home"},{"type":"card","detail":"red","minute":4,"side":"home"}]}`
	)
	for _, c := range []struct {
		name, events, lineups, matches, stored, want string
	}{
		{"by number, name, key and of an own goal", "match,type,detail,minute,side,player,assist\nm,goal,,5,home,7,pia  pott\nm,goal,,6,home,q,\nm,goal,ownGoal,7,home,Zoe,\nm,goal,,8,home,z,\n", "", matches, "", `events [goal 5 p goal 6 q goal 7 z goal 8 z]`},
		{"by number over the stored match", "match,type,minute,side,player\nm,goal,5,home,8\n", "", "", kept, `events [goal 5 q]`},
		{"by the number of nobody", "match,type,minute,side,player\nm,goal,5,away,7\nm,goal,5,home,Pia Pot\n", "", matches, "", `events.csv:2: player: no player of team "b" is called "7"
events.csv:3: player: no player of team "a" is called "Pia Pot"; did you mean "Pia Pott"?`},
		{"by the name of another team's", "match,type,minute,side,player\nm,goal,5,home,Zoe\n", "", matches, "", `events.csv:2: player: no player of team "a" is called "Zoe"; "z" of another team is: a guest, and who has moved, is named by id`},
		{"by the number of two", "match,type,minute,side,player\nm,goal,5,home,9\n", "", matches, "", `events.csv:2: player: "9" may be "q2" or "q3": say which in a column playerId`},
		{"by a name and the id of another", "match,type,minute,side,player,playerId\nm,goal,5,home,7,q\n", "", matches, "", `events.csv:2: player: "7" is not the name of player "q", which playerId gives`},
		{"by number in a line-up", "", "match,side,player\nm,home,7\nm,away,Zoe\n", matches, "", `lineups true  [{p false   0}] [] [{z false   0}]`},
		{"with the match", event + "m,goal,5,home,p\n", "", matches, "", `events [goal 5 p]`},
		{"over the stored match", event + "m,goal,5,home,p\nm,goal,5,home,\n", "", "", kept, `events [goal 5 p goal 5 ]`},
		{"of two matches", event + "m,goal,5,home,p\nn,goal,5,home,p\n", "", matches, "", `events.csv:3: match: is "n", which is no match, here or stored`},
		{"a fault in a row", event + "m,goal,5,home,p\nm,goal,x,home,p\n", "", matches, "", `events.csv:3: minute: must be an integer from 0 to 999, not "x"`},
		{"a row without a match", event + ",goal,5,home,p\n", "", matches, "", `events.csv:2: match: is missing: it is the id of a match`},
		{"line-ups", "", "match,side,list,playerId,number,captain,coach,confirmed\nm,home,,p,7,true,C,false\nm,home,bench,q,,,,\nm,away,,,9,,,\n", matches, "",
			`lineups false C [{p true   7}] [{q false   0}] [{ false   9}]`},
		{"a side that is none", "", "match,side,playerId\nm,left,p\n", matches, "", `lineups.csv:2: side: must be one of home, away`},
		{"a player twice", "", "match,side,playerId\nm,home,p\nm,away,p\n", matches, "", `lineups.csv:3: playerId: player "p" is in the line-ups already, in home.starting`},
		{"a coach alone", "", "match,side,coach\nm,away,C\n", matches, "", `lineups true  [] [] []`},
	} {
		fsys := fstest.MapFS{"players.csv": {Data: []byte("id,name,teamId,number\np,Pia Pott,a,7\nq,Ida Quist,a,8\nq2,Quo,a,9\nq3,Rhea,a,9\nz,Zoe,b,1\n")}}
		for name, text := range map[string]string{"events": c.events, "lineups": c.lineups, "matches": c.matches} {
			if text != "" {
				fsys[name+".csv"] = &fstest.MapFile{Data: []byte(text)}
			}
		}
		set, err := Read(t.Context(), fsys, Options{Stored: stored(c.stored)})
		got := ""
		if faults := (*dataset.Faults)(nil); errors.As(err, &faults) {
			got = faults.Error()
		} else if err != nil {
			t.Fatal(err)
		} else {
			full := set.Matches.At(0).Value.Full()
			if full.Lineups != nil {
				l := full.Lineups
				got = fmt.Sprint("lineups ", l.Confirmed, " ", l.Home.Coach, " ", l.Home.Starting, " ", l.Home.Bench, " ", l.Away.Starting)
			} else {
				got = "events"
				var all []string
				for _, e := range full.Events {
					all = append(all, fmt.Sprint(e.Type, " ", e.Minute, " ", e.PlayerID))
				}
				got += fmt.Sprint(" ", all)
			}
			for _, key := range []string{"p", "q", "z"} {
				got = strings.ReplaceAll(got, string(dataset.ID("player", key)), key)
			}
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
