package edits

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"touchline/shared/sport"
)

// Sheet is the form of a match's line-ups and events. It begins with what is stored: what
// it does not show of an event or of a listed player, such as a place on the pitch,
// stays.
type Sheet struct {
	*Live
	Sides     []*SheetSide
	Rows      []*EventRow // the stored events, then empty rows
	Published bool
	Periods   []sport.Period
	Whats     []Choice
	Was       string // what was stored when the form was made

	lineups Object
	events  []Object // in the order of the patch, of whatever row
	of      []*EventRow
	entries map[string]*Listed // of the patch, by their paths in it
}

// SheetSide is the line-up of a side.
type SheetSide struct {
	Name      string // home or away
	Team      string
	Formation string
	Coach     string
	Players   []*Listed
}

// Listed is a player who is, or may be, in a line-up.
type Listed struct {
	ID      sport.ID // empty: one who is not named
	Name    string
	Usual   int    // the number of the player
	Number  string // in this match; empty: the usual one
	Place   string // starting, bench, or empty: not in the line-up
	Captain bool
	Fault   string

	stored Object
}

// EventRow is an event as the form shows it.
type EventRow struct {
	What   string // type and detail, with a space between; empty: there isn't one
	Minute string
	Extra  string
	Length string // of a suspension, in minutes
	Side   string
	Player string // who it is about; of a substitution who comes on
	Other  string // who assisted; of a substitution who goes off
	Period string
	Fault  string

	stored Object // nil: a new event
}

// blankRows is how many further events a form takes.
const blankRows = 4

// Sheet reads the form of a match.
func (b Book) Sheet(ctx context.Context, id sport.ID, now time.Time) (*Sheet, error) {
	l, err := b.Live(ctx, id, now)
	if err != nil {
		return nil, err
	}
	r, err := b.record(ctx, sport.KindMatch, id, 0)
	if err != nil {
		return nil, err
	}
	s := &Sheet{Live: l, Periods: l.Clock.Periods(), Whats: whats(), Was: digest(r.fields)}
	s.lineups = object(r.fields["lineups"])
	s.Published = s.lineups == nil || s.lineups["confirmed"] == true
	w, fetch := b.open()
	fetch.SquadsOf(ctx, []sport.ID{l.Home.ID, l.Away.ID})
	if err := fetch.Err(); err != nil {
		return nil, err
	}
	for _, side := range []struct {
		name string
		of   *Side
	}{{"home", &l.Home}, {"away", &l.Away}} {
		squad, err := players(ctx, w, fetch, side.of.ID, nil)
		if err != nil {
			return nil, err
		}
		for _, p := range side.of.Players { // guests, too
			if !slices.ContainsFunc(squad, func(o Player) bool { return o.ID == p.ID }) {
				squad = append(squad, p)
			}
		}
		side.of.Players = squad
		s.Sides = append(s.Sides, sideOf(side.name, side.of, object(s.lineups[side.name])))
	}
	events, _ := r.fields["events"].([]any)
	for _, e := range events {
		s.Rows = append(s.Rows, rowOf(object(e)))
	}
	for range blankRows {
		s.Rows = append(s.Rows, &EventRow{})
	}
	return s, nil
}

// digest tells what is stored of line-ups and events from anything else.
func digest(fields Object) string {
	text, _ := json.Marshal([]any{fields["lineups"], fields["events"]}) // what was decoded
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

func object(v any) Object {
	o, _ := v.(map[string]any)
	return o
}

func text(o Object, name string) string {
	switch v := o[name].(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// whats are the kinds of events.
func whats() []Choice {
	return []Choice{
		{"", "–"},
		{"goal regular", "Goal"}, {"goal penalty", "Goal, penalty"}, {"goal ownGoal", "Own goal"},
		{"card yellow", "Yellow card"}, {"card secondYellow", "Second yellow"}, {"card red", "Red card"}, {"substitution", "Substitution"},
		{"missedPenalty", "Penalty not scored"}, {"missedPenalty missed", "Penalty missed"}, {"missedPenalty saved", "Penalty saved"},
		{"shootoutPenalty scored", "Shoot-out: scored"}, {"shootoutPenalty missed", "Shoot-out: missed"}, {"shootoutPenalty saved", "Shoot-out: saved"},
		{"suspension", "Suspension"}, {"timeout", "Timeout"}, {"period start", "Period begins"}, {"period end", "Period ends"},
	}
}

func sideOf(name string, side *Side, stored Object) *SheetSide {
	s := &SheetSide{Name: name, Team: side.Name, Formation: text(stored, "formation"), Coach: text(stored, "coach")}
	listed := map[sport.ID]bool{}
	for _, place := range []string{"starting", "bench"} {
		entries, _ := stored[place].([]any)
		for _, e := range entries {
			o := object(e)
			p := &Listed{ID: sport.ID(text(o, "playerId")), Name: "not named", Number: text(o, "number"), Place: place, Captain: o["captain"] == true, stored: o}
			for _, known := range side.Players {
				if known.ID == p.ID {
					p.Name, p.Usual = known.Name, known.Number
				}
			}
			listed[p.ID] = true
			s.Players = append(s.Players, p)
		}
	}
	for _, p := range side.Players {
		if !listed[p.ID] {
			s.Players = append(s.Players, &Listed{ID: p.ID, Name: p.Name, Usual: p.Number})
		}
	}
	return s
}

// pair are the names of the fields with the players of an event.
func pair(what string) (player, other string) {
	if what == string(sport.EventSubstitution) {
		return "playerInId", "playerOutId"
	}
	return "playerId", "assistId"
}

func rowOf(o Object) *EventRow {
	r := &EventRow{
		What: strings.TrimSpace(text(o, "type") + " " + text(o, "detail")), Minute: text(o, "minute"), Extra: text(o, "extraMinute"), Length: text(o, "minutes"),
		Side: text(o, "side"), Period: text(o, "period"), stored: o,
	}
	player, other := pair(text(o, "type"))
	r.Player, r.Other = text(o, player), text(o, other)
	return r
}

// Read takes over what was entered. The rows are those that the form showed.
func (s *Sheet) Read(form url.Values) {
	s.Published = form.Get("published") != ""
	for _, side := range s.Sides {
		side.Formation, side.Coach = trimmed(form, side.Name+".formation"), trimmed(form, side.Name+".coach")
		for i, p := range side.Players {
			at := side.Name + "." + strconv.Itoa(i)
			if form.Get(at+".id") != string(p.ID) {
				continue // another player is there by now: see Stale
			}
			p.Place, p.Number = form.Get(at+".place"), trimmed(form, at+".number")
			p.Captain = form.Get(at+".captain") != ""
		}
	}
	for i, r := range s.Rows {
		at := "event." + strconv.Itoa(i) + "."
		get := func(name string) string { return trimmed(form, at+name) }
		*r = EventRow{
			What: get("what"), Minute: get("minute"), Extra: get("extra"), Length: get("length"), Side: get("side"),
			Player: get("player"), Other: get("other"), Period: get("period"), stored: r.stored,
		}
	}
}

// Record is the patch of what differs from what is stored; false: nothing does.
func (s *Sheet) Record() (Object, bool) {
	patch := Patch(s.Key)
	if lineups := s.lineupsEntered(); !equal(lineups, s.lineups) {
		patch["lineups"] = lineups
	}
	var before []Object
	for _, r := range s.Rows {
		if r.stored != nil {
			before = append(before, r.stored)
		}
	}
	if s.arrange(); !equal(s.events, before) {
		patch["events"] = s.events
	}
	return patch, len(patch) > 2
}

// equal reports whether two values are the same in JSON.
func equal(a, b any) bool {
	one, err := json.Marshal(a)
	if err != nil {
		return false
	}
	other, err := json.Marshal(b)
	return err == nil && string(one) == string(other)
}

// lineupsEntered are the line-ups as entered; nil: nobody is listed.
func (s *Sheet) lineupsEntered() Object {
	lineups, listed := Object{"confirmed": s.Published}, 0
	s.entries = map[string]*Listed{}
	for _, side := range s.Sides {
		o := Object{"starting": []Object{}, "bench": []Object{}}
		set(o, "formation", side.Formation, false)
		set(o, "coach", side.Coach, false)
		for _, p := range side.Players {
			list, ok := o[p.Place].([]Object)
			if !ok || p.Place != "starting" && p.Place != "bench" {
				continue
			}
			s.entries["lineups."+side.Name+"."+p.Place+"["+strconv.Itoa(len(list))+"]"] = p
			o[p.Place] = append(list, p.entry())
			listed++
		}
		lineups[side.Name] = o
	}
	if listed == 0 {
		return nil
	}
	return lineups
}

// entry is a listed player in a line-up.
func (p *Listed) entry() Object {
	e := Object{"playerId": nil}
	for name, v := range p.stored {
		e[name] = v
	}
	if p.ID != "" {
		e["playerId"] = string(p.ID)
	}
	set(e, "number", p.Number, true)
	if delete(e, "captain"); p.Captain {
		e["captain"] = true
	}
	return e
}

// set puts what was entered into an object, and takes it out where it is empty. A number
// that is as it was stays as it is written.
func set(o Object, name, entered string, number bool) {
	switch {
	case entered == text(o, name):
	case entered == "":
		delete(o, name)
	case number:
		o[name] = value(entered)
	default:
		o[name] = entered
	}
}

// event is the event of a row.
func (r *EventRow) event() Object {
	e := Object{}
	shown := &EventRow{}
	if kind, _, _ := strings.Cut(r.What, " "); kind == text(r.stored, "type") {
		for name, v := range r.stored {
			e[name] = v
		}
		shown = rowOf(r.stored)
	} else if id := text(r.stored, "id"); id != "" {
		e["id"] = id
	}
	kind, detail, _ := strings.Cut(r.What, " ")
	set(e, "type", kind, false)
	set(e, "detail", detail, false)
	set(e, "minute", cmp.Or(r.Minute, "0"), true)
	set(e, "extraMinute", r.Extra, true)
	set(e, "minutes", r.Length, true)
	set(e, "side", r.Side, false)
	if r.Minute != shown.Minute && r.Period == shown.Period {
		delete(e, "period") // that of the minute
	} else {
		set(e, "period", r.Period, false)
	}
	player, other := pair(kind)
	set(e, player, r.Player, false)
	set(e, other, r.Other, false)
	return e
}

// arrange puts the events into their order: the stored ones as they are, and a new one
// before the first that is later.
func (s *Sheet) arrange() {
	s.events, s.of = nil, nil
	for _, r := range s.Rows {
		if r.What == "" {
			continue
		}
		e, at := r.event(), len(s.events)
		if r.stored == nil {
			for i, other := range s.of {
				if s.later(other, r) {
					at = i
					break
				}
			}
		}
		s.events, s.of = slices.Insert(s.events, at, e), slices.Insert(s.of, at, r)
	}
}

// later reports whether an event is later than another.
func (s *Sheet) later(a, b *EventRow) bool {
	key := func(r *EventRow) []int {
		kind, _, _ := strings.Cut(r.What, " ")
		minute, _ := strconv.Atoi(r.Minute)
		extra, _ := strconv.Atoi(r.Extra)
		place, _ := s.Clock.Place(s.Clock.Of(&sport.Event{Type: sport.EventType(kind), Period: sport.Period(r.Period), Minute: minute}))
		return []int{place, minute, extra}
	}
	return slices.Compare(key(a), key(b)) > 0
}

// Blame puts the faults of the patch beside their rows; what belongs to none is returned.
func (s *Sheet) Blame(field, message string) (other string) {
	for i, r := range s.of {
		if rest, of := strings.CutPrefix(field, "events["+strconv.Itoa(i)+"]"); of {
			r.Fault = strings.TrimSpace(strings.TrimPrefix(rest, ".") + " " + message)
			return ""
		}
	}
	for at, p := range s.entries {
		if rest, of := strings.CutPrefix(field, at); of {
			p.Fault = strings.TrimSpace(strings.TrimPrefix(rest, ".") + " " + message)
			return ""
		}
	}
	return strings.TrimSpace(field + " " + message)
}
