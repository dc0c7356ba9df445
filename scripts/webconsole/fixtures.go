package webconsole

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"touchline/scripts/edits"
	"touchline/scripts/webconsole/data"
	"touchline/scripts/webconsole/parts"
	"touchline/shared/dataset"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

func (s *Server) fixtureRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /fixtures/{id}", s.fixtures)
	m.HandleFunc("POST /fixtures/{id}", s.enterResults)
}

func (s *Server) book() edits.Book { return edits.Book{Table: s.options.Sports} }

// fixturesBody is the page of a season's matches, which is also the form of their
// results.
type fixturesBody struct {
	Tabs     parts.Tabs
	Season   *edits.Season
	Year     string // parameter of links, empty: the current season
	Filter   edits.Filter
	Rounds   []parts.Choice
	Teams    []records.TeamEntry
	Statuses []sport.MatchStatus
	Days     []fixtureDay
	Shown    int
	Found    int
	Enter    bool // as a form
	Entered  *edits.Entered
	Faults   *dataset.Faults // of what was entered
	Trouble  string
	Self     string // this page, with its filters
}

// fixtureDay are the matches of a day, in the competition's time zone.
type fixtureDay struct {
	Name    string
	Matches []edits.Fixture
}

// Result is what the form shows of a match: what was entered, else what is stored.
func (b fixturesBody) Result(f edits.Fixture) edits.Result {
	if b.Entered != nil {
		if r, ok := b.Entered.Results[f.ID]; ok {
			return r
		}
	}
	return f.Result()
}

// entryFault is what is wrong with what was entered for a match.
type entryFault struct {
	Text       string
	Home, Away bool // which score it is in
}

// Fault is what is wrong with what was entered for a match; nil: nothing.
func (b fixturesBody) Fault(f edits.Fixture) *entryFault {
	if b.Faults == nil || b.Entered == nil {
		return nil
	}
	var wrong *entryFault
	for _, fault := range b.Faults.List {
		if fault.Line > 0 && fault.Line <= len(b.Entered.Of) && b.Entered.Of[fault.Line-1] == f.ID {
			side := map[string]string{"score.home": f.Home.Name, "score.away": f.Away.Name}[fault.Field]
			text := cmp.Or(side, fault.Field) + ": " + fault.Message
			if wrong == nil {
				wrong = &entryFault{Text: text}
			} else {
				wrong.Text += "; " + text
			}
			wrong.Home, wrong.Away = wrong.Home || fault.Field == "score.home", wrong.Away || fault.Field == "score.away"
		}
	}
	return wrong
}

func fixtureFilter(r *http.Request) edits.Filter {
	q := r.URL.Query()
	f := edits.Filter{Round: q.Get("round"), Team: sport.ID(q.Get("team")), Day: q.Get("day"), Status: sport.MatchStatus(q.Get("status"))}
	if !slices.Contains(sport.MatchStatuses(), f.Status) {
		f.Status = ""
	}
	return f
}

// season is the season that a request names.
func (s *Server) season(r *http.Request) (*edits.Season, error) {
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
	b.Season, b.Teams, b.Statuses, b.Filter = season, season.Teams, sport.MatchStatuses(), fixtureFilter(r)
	b.Year = r.URL.Query().Get("season")
	shown, found, err := s.book().Fixtures(r.Context(), season, b.Filter)
	if err != nil {
		s.fault(w, r, err)
		return
	}
	b.Shown, b.Found = len(shown), found
	for _, round := range season.Rounds {
		b.Rounds = append(b.Rounds, parts.Choice{Value: strconv.Itoa(round), Text: strconv.Itoa(round)})
	}
	if b.Filter.Round == "" && b.Filter.Team == "" && b.Filter.Day == "" && b.Filter.Status == "" {
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

// path is the page with its filters.
func (b fixturesBody) path(base string) string {
	return parts.WithQuery(base, "season", b.Year, "round", b.Filter.Round, "team", string(b.Filter.Team), "day", b.Filter.Day, "status", string(b.Filter.Status))
}

// enterResults checks results that were entered, and shows what they would change.
func (s *Server) enterResults(w http.ResponseWriter, r *http.Request) {
	season, err := s.season(r)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	entered, err := s.book().Results(r.Context(), r.PostForm)
	if err != nil {
		s.missing(w, r, err)
		return
	}
	b := fixturesBody{Enter: true, Entered: entered}
	if len(entered.Lines) == 0 {
		b.Trouble = "Nothing was entered that differs from what is stored."
		s.showFixtures(w, r, http.StatusUnprocessableEntity, b)
		return
	}
	q := r.URL.Query()
	q.Del("enter")
	p := s.propose(w, r, "Results of "+season.Competition.Name, r.URL.Path+"?"+q.Encode(), sport.KindMatch, entered.Of, entered.Lines...)
	if p != nil {
		b.Faults, b.Trouble = p.Faults, p.Trouble
		s.showFixtures(w, r, http.StatusUnprocessableEntity, b)
	}
}

// propose checks the records that a form has made and shows what they would change. What
// it returns is faulty, which the form has to say. A form of several records names them by
// their lines.
func (s *Server) propose(w http.ResponseWriter, r *http.Request, name, back string, kind sport.Kind, of []sport.ID, records ...edits.Object) *pending {
	made, err := edits.Files(kind, records...)
	if err != nil {
		s.fault(w, r, err)
		return nil
	}
	p := &pending{name: name, back: back, made: made}
	s.check(r.Context(), p)
	p.Brief, p.Of = true, of
	if p.Faults != nil || p.Report == nil {
		return p
	}
	sessionOf(r).put(p)
	http.Redirect(w, r, "/loads/check", http.StatusSeeOther)
	return nil
}

// missing says that a record is not there, or could not be read.
func (s *Server) missing(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, edits.ErrNotFound) {
		s.render(w, r, http.StatusNotFound, "trouble", page{Title: "There is no such record", Section: "data", Body: trouble{Todo: "It may have been removed. Choose one under Data.", Near: s.near(r)}})
		return
	}
	s.fault(w, r, err)
}
