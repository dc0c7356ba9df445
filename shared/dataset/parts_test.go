package dataset

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
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
		{"with the match", event + "m,goal,5,home,p\n", "", matches, "", `events [goal 5 p]`},
		{"over the stored match", event + "m,goal,5,home,p\nm,goal,5,home,\n", "", "", kept, `events [goal 5 p goal 5 ]`},
		{"of two matches", event + "m,goal,5,home,p\nn,goal,5,home,p\n", "", matches, "", `events.csv:3: match: match "n" is not stored: a record with patch changes one that is`},
		{"a fault in a row", event + "m,goal,5,home,p\nm,goal,x,home,p\n", "", matches, "", `events.csv:3: minute: must be an integer from 0 to 999, not "x"`},
		{"a row without a match", event + ",goal,5,home,p\n", "", matches, "", `events.csv:2: match: is missing: it is the id of a match`},
		{"line-ups", "", "match,side,list,playerId,number,captain,coach,confirmed\nm,home,,p,7,true,C,false\nm,home,bench,q,,,,\nm,away,,,9,,,\n", matches, "",
			`lineups false C [{p true   7}] [{q false   0}] [{ false   9}]`},
		{"a side that is none", "", "match,side,playerId\nm,left,p\n", matches, "", `lineups.csv:2: side: must be one of home, away`},
		{"a player twice", "", "match,side,playerId\nm,home,p\nm,away,p\n", matches, "", `lineups.csv:3: playerId: player "p" is in the line-ups already, in home.starting`},
		{"a coach alone", "", "match,side,coach\nm,away,C\n", matches, "", `lineups true  [] [] []`},
	} {
		fsys := fstest.MapFS{}
		for name, text := range map[string]string{"events": c.events, "lineups": c.lineups, "matches": c.matches} {
			if text != "" {
				fsys[name+".csv"] = &fstest.MapFile{Data: []byte(text)}
			}
		}
		set, err := Read(t.Context(), fsys, Options{Stored: stored(c.stored)})
		got := ""
		if faults := (*Faults)(nil); errors.As(err, &faults) {
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
			for _, key := range []string{"p", "q"} {
				got = strings.ReplaceAll(got, string(ID("player", key)), key)
			}
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
