package results

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Result is a match's result as a form shows it.
type Result struct {
	Home, Away           string // the score, with extra time and without a shoot-out; empty: none
	After                string // after what it was decided, one of the constants; empty: not said
	HomeKicks, AwayKicks string // the score of the shoot-out; empty: there was none
	Status               string
	Sets                 string // as they were entered, which no match keeps
}

// After what a match was decided.
const (
	Regulation        = "regulation"
	ExtraTime         = "extraTime"
	Shootout          = "shootout"
	ExtraTimeShootout = "extraTimeShootout"
)

// Result is that of the fixture.
func (f Fixture) Result() Result { return resultOf(&f.Match) }

func resultOf(m *records.Match) Result {
	r := Result{Status: string(m.Status)}
	if m.Score == nil || m.Status == sport.Upcoming {
		return r
	}
	r.Home, r.Away = strconv.Itoa(m.Score.Home), strconv.Itoa(m.Score.Away)
	switch {
	case m.Penalties != nil:
		r.HomeKicks, r.AwayKicks = strconv.Itoa(m.Penalties.Home), strconv.Itoa(m.Penalties.Away)
		r.After = map[bool]string{true: ExtraTimeShootout, false: Shootout}[m.ExtraTime]
	case m.ExtraTime:
		r.After = ExtraTime
	case m.Status == sport.Finished:
		r.After = Regulation
	}
	return r
}

// Text is the result in one word, for the form to remember what it showed.
func (r Result) Text() string {
	return strings.Join([]string{r.Home, r.Away, r.After, r.HomeKicks, r.AwayKicks, r.Status}, ":")
}

// resultFrom reads a result that Text wrote.
func resultFrom(text string) Result {
	p := append(strings.Split(text, ":"), make([]string, 5)...)
	return Result{p[0], p[1], p[2], p[3], p[4], p[5], ""}
}

func (r Result) scored() bool   { return r.Home != "" || r.Away != "" || r.Sets != "" }
func (r Result) kicked() bool   { return r.HomeKicks != "" || r.AwayKicks != "" }
func (r Result) shootout() bool { return r.After == Shootout || r.After == ExtraTimeShootout }
func (r Result) extra() bool    { return r.After == ExtraTime || r.After == ExtraTimeShootout }

// score is a score as it was entered.
func score(home, away string) string { return cmp.Or(home, "–") + ":" + cmp.Or(away, "–") }

// half reports whether one side of a score is missing.
func half(home, away string) bool { return (home == "") != (away == "") }

// level reports whether a score is a draw, that is 02:2 as well.
func level(home, away string) bool {
	h, err := strconv.Atoi(home)
	a, wrong := strconv.Atoi(away)
	return err == nil && wrong == nil && h == a
}

// settled is the result as it is meant: a score makes a match finished that was to be
// played, and a match without one is to be played, unless its state was changed, too. A
// match without a score was not decided by anything.
func (r Result) settled(was Result) Result {
	switch scored := r.scored(); {
	case r.Sets != "" && r.Status == was.Status:
		r.Status = string(sport.Finished)
	case r.Status != was.Status || scored == was.scored():
	case scored && r.Status != string(sport.Live):
		r.Status = string(sport.Finished)
	case !scored && (r.Status == string(sport.Live) || r.Status == string(sport.Finished)):
		r.Status = string(sport.Upcoming)
	}
	if !r.scored() || !slices.Contains([]string{Regulation, ExtraTime, Shootout, ExtraTimeShootout}, r.After) {
		r.After = ""
	}
	return r
}

// Fault is what is wrong with what was entered for a match. The field is named as in a
// dataset, or after or keep.
type Fault struct{ Field, Text string }

// fault is what the form says twice in different ways, or not at all; nil: nothing.
func (r Result) fault(s *Season, keep string) *Fault {
	text := score(r.Home, r.Away)
	kicks := score(r.HomeKicks, r.AwayKicks)
	switch {
	case r.Status == string(sport.Postponed) && r.scored() && keep == "":
		return &Fault{"keep", "What becomes of the score " + text + "? A match that is played on another day has none, that of an abandoned match may stay."}
	case r.Sets != "":
		return nil
	case half(r.Home, r.Away):
		return &Fault{map[bool]string{true: "score.home", false: "score.away"}[r.Home == ""], "Half of the score is missing."}
	case half(r.HomeKicks, r.AwayKicks):
		return &Fault{map[bool]string{true: "penalties.home", false: "penalties.away"}[r.HomeKicks == ""], "Half of the shoot-out is missing."}
	case !r.scored() && r.kicked():
		return &Fault{"score.home", "The score is missing, but the shoot-out is entered."}
	case r.Status != string(sport.Finished) || !r.scored() || !s.Decides:
		return nil
	case r.kicked() && r.After == "":
		return &Fault{"after", "Was there extra time before the shoot-out?"}
	case r.kicked() && !r.shootout():
		return &Fault{"after", "It says that there was no shoot-out, but " + kicks + " is entered for one."}
	case r.shootout() && !r.kicked():
		return &Fault{"penalties.home", "Enter the shoot-out, such as 1:0 where only its winner is known."}
	case r.shootout() && level(r.HomeKicks, r.AwayKicks):
		return &Fault{"penalties.home", "A shoot-out has a winner."}
	}
	return r.undecided(s, text)
}

// undecided is what a score leaves open where the points depend on it.
func (r Result) undecided(s *Season, text string) *Fault {
	drawn := level(r.Home, r.Away)
	rules := &s.Competition.Rules
	switch {
	case !s.Must:
	case r.After == "":
		return &Fault{"after", "After what was it " + text + "? The points depend on it."}
	case r.shootout() && !drawn:
		return &Fault{"score.home", "Leave the shoot-out out of the score: it follows a draw, not " + text + "."}
	case drawn && r.After == Regulation:
		return &Fault{"after", "Here a match that is level after regulation goes on: was it decided in extra time or by a shoot-out?"}
	case drawn && r.After == ExtraTime && (rules.ShootoutWin != nil || rules.ShootoutLoss != nil):
		return &Fault{"after", "Here a match that is level after extra time goes on: who won the shoot-out?"}
	}
	return nil
}

// Object is a record of a dataset: its fields by name.
type Object map[string]any

// into puts what differs into a patch. A score is given as it was entered: what is no
// number is a fault of the record. The setPoints of the former score go with it.
func (r Result) into(patch Object, was Result, stored *sport.Match) {
	pair := func(name, home, away string) {
		if patch[name] = nil; home != "" || away != "" {
			patch[name] = Object{"home": value(home), "away": value(away)}
		}
	}
	if r.Status != was.Status {
		patch["status"] = r.Status
	}
	another := r.Home != was.Home || r.Away != was.Away
	if another {
		pair("score", r.Home, r.Away)
	}
	if r.Sets != "" {
		patch["sets"] = sport.SplitSets(r.Sets)
	} else if another && stored.SetPoints != nil {
		patch["setPoints"] = nil
	}
	if r.extra() != was.extra() {
		patch["extraTime"] = r.extra()
	}
	if r.HomeKicks != was.HomeKicks || r.AwayKicks != was.AwayKicks {
		pair("penalties", r.HomeKicks, r.AwayKicks)
	}
}

// value is what was entered where a number belongs: the number, or the text as it is,
// which the check of the record complains of; nil for nothing.
func value(text string) any {
	if text == "" {
		return nil
	}
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return text
}

// Entered are the results that a form came back with, what the form itself finds wrong,
// and the patches that they make: Of[i] is the match of the patch Lines[i].
type Entered struct {
	Results map[sport.ID]Result
	Faults  map[sport.ID]Fault
	Lines   []Object
	Of      []sport.ID
}

// Read reads a form of matches of a season. For each of them "match" has its id, "was.ID"
// what the form showed, and "home.ID", "away.ID", "after.ID", "homeKicks.ID",
// "awayKicks.ID", "status.ID" and "sets.ID" what was entered. "keep.ID" says what becomes of the
// score of a postponed match: stay or go.
func (b Book) Read(ctx context.Context, s *Season, form url.Values) (*Entered, error) {
	e := &Entered{Results: map[sport.ID]Result{}, Faults: map[sport.ID]Fault{}}
	was := map[sport.ID]Result{}
	var changed []sport.ID
	for _, text := range form["match"] {
		id := sport.ID(text)
		if !sport.IsID(text) || len(was) == MaxShown {
			continue
		}
		get := func(name string) string { return strings.TrimSpace(form.Get(name + "." + text)) }
		was[id] = resultFrom(get("was"))
		is := Result{get("home"), get("away"), was[id].After, was[id].HomeKicks, was[id].AwayKicks, get("status"), get("sets")}
		if form.Has("after." + text) {
			is.After, is.HomeKicks, is.AwayKicks = get("after"), get("homeKicks"), get("awayKicks")
		}
		is = is.settled(was[id])
		if is.Status == string(sport.Postponed) && get("keep") == "go" {
			is = Result{Status: is.Status}
		}
		if e.Results[id] = is; is == was[id] {
			continue
		}
		changed = append(changed, id)
		if fault := is.fault(s, get("keep")); fault != nil {
			e.Faults[id] = *fault
		}
	}
	w, err := b.matches(ctx, changed)
	if err != nil {
		return nil, err
	}
	for _, id := range changed {
		m := w.Matches.At(world.Before, id)
		if m == nil || m.SeasonID() != s.Competition.SeasonID() {
			return nil, ErrNotFound
		}
		patch := Object{"id": cmp.Or(m.Key, string(id)), "patch": true}
		e.Results[id].into(patch, was[id], &m.Match)
		e.Lines, e.Of = append(e.Lines, patch), append(e.Of, id)
	}
	return e, nil
}
