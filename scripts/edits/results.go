package edits

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Result is a match's score and state as a form shows them.
type Result struct {
	Home, Away string // empty: no score
	Status     string
}

// ResultOf is the result of a match.
func ResultOf(m sport.Match) Result {
	r := Result{Status: string(m.Status)}
	if m.Score != nil && m.Status != sport.Upcoming {
		r.Home, r.Away = strconv.Itoa(m.Score.Home), strconv.Itoa(m.Score.Away)
	}
	return r
}

// Result is that of the fixture.
func (f Fixture) Result() Result { return ResultOf(sport.Match{Status: f.Status, Score: f.Score}) }

// Text is the result in one word, for the form to remember what it showed.
func (r Result) Text() string { return r.Home + ":" + r.Away + ":" + r.Status }

// resultFrom reads a result that Text wrote.
func resultFrom(text string) Result {
	home, rest, _ := strings.Cut(text, ":")
	away, status, _ := strings.Cut(rest, ":")
	return Result{home, away, status}
}

// settled is the result as it is meant: a score makes a match finished that was to be
// played, and a match without one is to be played, unless its state was changed, too.
func (r Result) settled(was Result) Result {
	scored := r.Home != "" || r.Away != ""
	switch {
	case r.Status != was.Status || scored == (was.Home != "" || was.Away != ""):
	case scored && r.Status != string(sport.Live):
		r.Status = string(sport.Finished)
	case !scored && (r.Status == string(sport.Live) || r.Status == string(sport.Finished)):
		r.Status = string(sport.Upcoming)
	}
	return r
}

// into puts what differs into a patch. A score is given as it was entered: what is no
// number is a fault of the record.
func (r Result) into(patch Object, was Result) {
	if r.Status != was.Status {
		patch["status"] = r.Status
	}
	switch {
	case r.Home == was.Home && r.Away == was.Away:
	case r.Home == "" && r.Away == "":
		patch["score"] = nil
	default:
		patch["score"] = Object{"home": value(r.Home), "away": value(r.Away)}
	}
}

// Entered are the results that a form of several matches came back with, and the
// patches that they make: Of[i] is the match of the patch Lines[i].
type Entered struct {
	Results map[sport.ID]Result
	Lines   []Object
	Of      []sport.ID
}

// Results reads a form of several matches. For each of them "match" has its id, "was.ID"
// what the form showed, and "home.ID", "away.ID" and "status.ID" what was entered.
func (b Book) Results(ctx context.Context, form url.Values) (*Entered, error) {
	e := &Entered{Results: map[sport.ID]Result{}}
	was := map[sport.ID]Result{}
	var changed []sport.ID
	for _, text := range form["match"] {
		id := sport.ID(text)
		if !sport.IsID(text) || len(was) == MaxShown {
			continue
		}
		was[id] = resultFrom(form.Get("was." + text))
		is := Result{trimmed(form, "home."+text), trimmed(form, "away."+text), form.Get("status." + text)}.settled(was[id])
		if e.Results[id] = is; is != was[id] {
			changed = append(changed, id)
		}
	}
	w, fetch := b.open()
	fetch.Matches(ctx, changed)
	if err := fetch.Err(); err != nil {
		return nil, err
	}
	for _, id := range changed {
		m := w.Matches.At(world.Before, id)
		if m == nil {
			return nil, ErrNotFound
		}
		patch := Patch(called(id, m.Key))
		e.Results[id].into(patch, was[id])
		e.Lines, e.Of = append(e.Lines, patch), append(e.Of, id)
	}
	return e, nil
}

func trimmed(form url.Values, name string) string { return strings.TrimSpace(form.Get(name)) }
