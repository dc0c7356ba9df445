package webconsole

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"touchline/scripts/webconsole/data"
	"touchline/scripts/webconsole/parts"
	"touchline/scripts/webconsole/results"
	"touchline/shared/dataset"
	"touchline/shared/loader/journal"
	"touchline/shared/sport"
)

func (s *Server) book() results.Book { return results.Book{Table: s.options.Sports} }

// fixturesBody is the page of a season's matches, which is also the form of their
// results.
type fixturesBody struct {
	Tabs     parts.Tabs
	Season   *results.Season
	Year     string // parameter of links, empty: the current season
	Filter   results.Filter
	Rounds   []string
	Statuses []sport.MatchStatus
	Days     []fixtureDay
	Shown    int
	Found    int
	Enter    bool // as a form
	Entered  *results.Entered
	Faults   *dataset.Faults // that the check found in what was entered
	Trouble  string
	Self     string // this page, with its filters
}

// fixtureDay are the matches of a day, in the competition's time zone.
type fixtureDay struct {
	Name    string
	Matches []results.Fixture
}

// Result is what the form shows of a match: what was entered, else what is stored.
func (b fixturesBody) Result(f results.Fixture) results.Result {
	if b.Entered != nil {
		if r, ok := b.Entered.Results[f.ID]; ok {
			return r
		}
	}
	return f.Result()
}

// entryFault is what is wrong with what was entered for a match.
type entryFault struct {
	Text   string
	Fields []string // of the form, in which it is
}

// At reports whether the fault is in a field.
func (f *entryFault) At(field string) bool { return slices.Contains(f.Fields, field) }

// How reports whether it is in how the match was decided, and not in the score.
func (f *entryFault) How() bool { return !f.At("score.home") && !f.At("score.away") }

// Fault is what is wrong with what was entered for a match; nil: nothing.
func (b fixturesBody) Fault(f results.Fixture) *entryFault {
	if b.Entered == nil {
		return nil
	}
	if own, is := b.Entered.Faults[f.ID]; is {
		return &entryFault{own.Text, []string{own.Field}}
	}
	if b.Faults == nil {
		return nil
	}
	var wrong entryFault
	var texts []string
	for _, fault := range b.Faults.List {
		if fault.Line > 0 && fault.Line <= len(b.Entered.Of) && b.Entered.Of[fault.Line-1] == f.ID {
			side := map[string]string{
				"score.home": f.Home.Name, "score.away": f.Away.Name,
				"penalties.home": "shoot-out of " + f.Home.Name, "penalties.away": "shoot-out of " + f.Away.Name,
			}[fault.Field]
			texts, wrong.Fields = append(texts, cmp.Or(side, fault.Field)+": "+fault.Message), append(wrong.Fields, fieldOf(fault.Field))
		}
	}
	if texts == nil {
		return nil
	}
	wrong.Text = strings.Join(texts, "; ")
	return &wrong
}

// fieldOf is the field of the form that a field of the record is entered in.
func fieldOf(field string) string {
	if strings.HasPrefix(field, "sets") {
		return "sets"
	}
	switch field {
	case "score.away", "penalties.home", "penalties.away", "status":
		return field
	case "penalties":
		return "penalties.home"
	case "extraTime":
		return "after"
	}
	return "score.home"
}

// season is the season that a request names.
func (s *Server) season(r *http.Request) (*results.Season, error) {
	year, err := strconv.Atoi(r.URL.Query().Get("season"))
	if err != nil || year < 0 {
		year = 0
	}
	return s.book().Season(r.Context(), sport.ID(r.PathValue("id")), year, s.options.Now())
}

func (s *Server) fixtures(w http.ResponseWriter, r *http.Request) {
	s.showFixtures(w, r, http.StatusOK, fixturesBody{Enter: r.URL.Query().Get("enter") != ""})
}

// showFixtures is the page, with what was entered and refused if there is such.
func (s *Server) showFixtures(w http.ResponseWriter, r *http.Request, status int, b fixturesBody) {
	season, err := s.season(r)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	q := r.URL.Query()
	b.Season, b.Statuses, b.Filter, b.Year = season, sport.MatchStatuses(), results.Filter{Round: q.Get("round"), Day: q.Get("day")}, q.Get("season")
	shown, found, err := s.book().Fixtures(r.Context(), season, b.Filter)
	if err != nil {
		s.fault(w, r, err)
		return
	}
	b.Shown, b.Found = len(shown), found
	for _, round := range season.Rounds {
		b.Rounds = append(b.Rounds, strconv.Itoa(round))
	}
	if b.Filter == (results.Filter{}) {
		b.Filter.Round = strconv.Itoa(season.Current)
	}
	for _, f := range shown {
		day := f.At.Format("Monday 2 January 2006")
		if n := len(b.Days); n == 0 || b.Days[n-1].Name != day {
			b.Days = append(b.Days, fixtureDay{Name: day})
		}
		last := &b.Days[len(b.Days)-1]
		last.Matches = append(last.Matches, f)
	}
	b.Self = b.path(r.URL.Path)
	b.Tabs = data.CompetitionTabs(r.PathValue("id"), b.Year, data.Fixtures)
	s.render(w, r, status, "fixtures", page{Title: season.Competition.Name, Section: "data", Crumbs: parts.Crumbs("Data", "/data"), Body: b})
}

// Afters are what a match may be decided after.
func (fixturesBody) Afters() []parts.Choice {
	return []parts.Choice{
		{Value: results.Regulation, Text: "regulation"}, {Value: results.ExtraTime, Text: "extra time"},
		{Value: results.Shootout, Text: "shoot-out"}, {Value: results.ExtraTimeShootout, Text: "extra time, shoot-out"},
	}
}

// FaultCount is how many faults there are in what was entered.
func (b fixturesBody) FaultCount() int {
	switch {
	case b.Faults != nil:
		return b.Faults.Count()
	case b.Entered != nil:
		return len(b.Entered.Faults)
	}
	return 0
}

// path is the page with its filters.
func (b fixturesBody) path(base string) string {
	return parts.WithQuery(base, "season", b.Year, "round", b.Filter.Round, "day", b.Filter.Day)
}

// enterResults checks results that were entered, and shows what they would change.
func (s *Server) enterResults(w http.ResponseWriter, r *http.Request) {
	season, err := s.season(r)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	entered, err := s.book().Read(r.Context(), season, r.PostForm)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	b := fixturesBody{Enter: true, Entered: entered}
	if len(entered.Lines) == 0 || len(entered.Faults) > 0 {
		if len(entered.Lines) == 0 {
			b.Trouble = "Nothing was entered that differs from what is stored."
		}
		s.showFixtures(w, r, http.StatusUnprocessableEntity, b)
		return
	}
	q := r.URL.Query()
	q.Del("enter")
	made, err := journal.Dataset(sport.KindMatch, entered.Lines)
	if err != nil {
		s.fault(w, r, err)
		return
	}
	p := &pending{name: "Results of " + season.Competition.Name, back: r.URL.Path + "?" + q.Encode(), files: made}
	s.check(r.Context(), p)
	p.Brief, p.Of = true, entered.Of
	if p.Faults != nil || p.Report == nil {
		b.Faults, b.Trouble = p.Faults, p.Trouble
		s.showFixtures(w, r, http.StatusUnprocessableEntity, b)
		return
	}
	s.hold(w, r, p)
}

// missing says that a record is not there, or could not be read.
func (s *Server) missing(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, results.ErrNotFound) {
		s.fail(w, r, http.StatusNotFound, "There is no such record", "It may have been removed. Choose one under Data.")
		return
	}
	s.fault(w, r, err)
}
