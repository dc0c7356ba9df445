package webconsole

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"touchline/scripts/webconsole/parts"
	"touchline/shared/loader"
	"touchline/shared/loader/history"
	"touchline/shared/sport"
)

func (s *Server) loadRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /loads", s.loads)
	m.HandleFunc("POST "+uploadPath, s.upload)
	m.HandleFunc("GET /loads/check", s.checked)
	m.HandleFunc("POST /loads/apply", s.apply)
	m.HandleFunc("POST /loads/drop", s.drop)
	m.HandleFunc("GET /loads/{number}/undo", s.undoPreview)
	m.HandleFunc("POST /loads/{number}/undo", s.undo)
	m.HandleFunc("GET /loads/{number}", s.load)
	m.HandleFunc("GET /download", func(w http.ResponseWriter, r *http.Request) {
		if err := serveSheets(w, r, s.dir, s.options.Sports, s.options.Now()); err != nil {
			s.fault(w, r, err)
		}
	})
}

// uploadPath is where files are uploaded.
const uploadPath = "/loads/upload"

// maxUpload bounds an upload, in bytes: a dataset of 1,000,000 players takes
// some 300 MB.
const maxUpload = 1 << 30

// loadsBody is the page of the loads.
type loadsBody struct {
	Loads   []pastLoad
	Pending []pending // the uploads that were checked and not applied
	Of      sport.ID  // the record that the loads changed; empty: they are all
	Unsure  []int     // of which not all changes are kept
}

// pastLoad is a past load in the list.
type pastLoad struct {
	history.Past
	Did      []string
	UndoneBy int // the number of the load that took it back; 0: none did
}

// CanUndo reports whether an undo of the load may be asked for.
func (p pastLoad) CanUndo() bool { return p.Undoes == 0 && p.UndoneBy == 0 }

func pastOf(p history.Past, all []history.Past) pastLoad {
	return pastLoad{p, outcome{Report: p.Report}.Summary(), undone(all, p.Number)}
}

func (s *Server) loads(w http.ResponseWriter, r *http.Request) {
	b := loadsBody{Of: sport.ID(r.URL.Query().Get("of"))}
	of := history.Range{Limit: 200} // as many as a page shows
	if b.Of != "" {
		of.Limit = 0
	}
	all, err := loader.Loads(r.Context(), s.options.Sports, of)
	if err != nil {
		s.fault(w, r, err)
		return
	}
	p, shown := page{Title: "Loads", Section: "loads"}, all
	if b.Of != "" {
		p.Title, p.Crumbs = "Who changed it", parts.Crumbs("Loads", "/loads")
		if shown, b.Unsure = touched(all, b.Of); len(shown) > 0 {
			p.Title = "Who changed " + cmp.Or(shown[0].Report.Changes[0].Key, "it")
		}
	}
	for _, p := range shown {
		b.Loads = append(b.Loads, pastOf(p, all))
	}
	b.Pending = sessionOf(r).names()
	p.Body = b
	s.render(w, r, http.StatusOK, "loads", p)
}

// upload receives files, checks them, and redirects to what they would change.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxUpload)
	p, err := receive(r, s.dir)
	if errors.Is(err, http.ErrNotMultipart) {
		s.fail(w, r, http.StatusBadRequest, "That was no upload", "Choose files on the page of the loads.")
		return
	}
	if err != nil {
		p.remove()
		s.say(w, r, "failed", "The upload failed: "+err.Error(), "/loads")
		return
	}
	s.check(r.Context(), p)
	s.hold(w, r, p)
}

// hold keeps what was checked, and redirects to the page of it.
func (s *Server) hold(w http.ResponseWriter, r *http.Request, p *pending) {
	sessionOf(r).hold(p)
	s.redirect(w, r, "/loads/check?of="+p.Held)
}

// check says what the dataset would change.
func (s *Server) check(ctx context.Context, p *pending) {
	o := p.options
	o.DryRun, o.Diff = true, true
	held := cmp.Or(p.Held, rand.Text())
	p.outcome = s.run(ctx, p, o, nil)
	p.Held, p.Check = held, rand.Text()
}

// resultOf describes the outcome of a load. What is not for a page goes to the terminal.
func (s *Server) resultOf(ctx context.Context, report *loader.Report, err error) outcome {
	out, known := outcomeOf(report, err)
	if !known && ctx.Err() == nil {
		s.options.Report(err)
	}
	return out
}

// run loads, or checks, a dataset. Loads of one console wait for each other here, in
// their order, and not for the lease, which they would have to ask for again and again.
func (s *Server) run(ctx context.Context, p *pending, o loader.Options, confirm func(context.Context, *loader.Report) error) outcome {
	if p.dir != "" {
		o.File = p.name
	}
	if !o.DryRun {
		s.loading.Lock()
		defer s.loading.Unlock()
		defer s.source.Changed()
	}
	l := s.options.Loader()
	l.Confirm = confirm
	report, err := l.Load(ctx, p.files, o)
	return s.resultOf(ctx, report, err)
}

// checked is the page of what a dataset would change, that was uploaded or that a form
// has made.
func (s *Server) checked(w http.ResponseWriter, r *http.Request) {
	p := sessionOf(r).pending(r.URL.Query().Get("of"), false)
	if p == nil {
		s.redirect(w, r, "/loads")
		return
	}
	shown := page{Title: "What " + p.name + " would change", Section: "loads", Crumbs: parts.Crumbs("Loads", "/loads"), Body: p.outcome}
	if p.dir == "" {
		shown.Title, shown.Section, shown.Crumbs = p.name, "data", parts.Crumbs("Data", "/data", "Back", p.back)
	}
	s.render(w, r, http.StatusOK, "checked", shown)
}

// apply loads what a page showed of a check, and nothing else: where it was checked again
// since, or the data have changed, the page shows what it would do now. It continues if the
// browser is closed in the meantime.
func (s *Server) apply(w http.ResponseWriter, r *http.Request) {
	of := r.PostFormValue("of")
	page := "/loads/check?of=" + url.QueryEscape(of)
	note, ok := reason(r)
	if !ok {
		s.redirect(w, r, page)
		return
	}
	p := sessionOf(r).pending(of, true)
	if of == "" || p == nil {
		s.say(w, r, "failed", "There is no upload to apply.", "/loads")
		return
	}
	if p.Check == r.PostFormValue("check") && p.Report != nil {
		o := p.options
		o.Note, o.Version = note, p.Report.Version
		did := map[bool]string{true: ": saved", false: ": loaded"}[p.dir == ""]
		if out := s.run(context.WithoutCancel(r.Context()), p, o, meaning(r)); !out.Stale {
			p.remove()
			s.done(w, r, out, p.name+did, p.home())
			return
		}
		brief, lines := p.Brief, p.Of
		s.check(r.Context(), p)
		p.Brief, p.Of = brief, lines
	}
	sessionOf(r).hold(p)
	s.say(w, r, "failed", stale, page)
}

// stale says why what a page showed was not done.
const stale = "Nothing was changed: the data, or what was checked, are not those that the page showed. This is what it would do now."

// maxReason bounds why a load is made, in characters, as loader.Options.Note says.
const maxReason = 100

// reason is why a load is made, as the form says. False: it is too long, which the next
// page says.
func reason(r *http.Request) (string, bool) {
	note := strings.TrimSpace(r.PostFormValue("note"))
	if utf8.RuneCountInString(note) > maxReason {
		sessionOf(r).say("reason", fmt.Sprintf("Nothing was changed: the reason has more than %d characters.", maxReason))
		return "", false
	}
	return note, true
}

// drop discards an upload.
func (s *Server) drop(w http.ResponseWriter, r *http.Request) {
	home := "/loads"
	if p := sessionOf(r).pending(r.PostFormValue("of"), true); p != nil {
		home = p.home()
		p.remove()
	}
	s.redirect(w, r, home)
}

// done says what a load did, and redirects.
func (s *Server) done(w http.ResponseWriter, r *http.Request, out outcome, text, to string) {
	switch {
	case out.Trouble != "":
		s.say(w, r, "failed", out.Trouble, to)
	case out.Faults != nil:
		s.say(w, r, "failed", "Nothing was changed: "+out.Faults.Error(), to)
	default:
		s.say(w, r, "done", text+".", to)
	}
}

// say redirects to a page, which begins with a text of a kind: done, failed, or reason,
// with which the field of the reason has the focus.
func (s *Server) say(w http.ResponseWriter, r *http.Request, kind, text, to string) {
	sessionOf(r).say(kind, text)
	s.redirect(w, r, to)
}

// past is the load that a path names, with all since; nil: there is no such, and
// the page says so.
func (s *Server) past(w http.ResponseWriter, r *http.Request) (*history.Past, []history.Past) {
	n, _ := strconv.Atoi(r.PathValue("number"))
	all, err := loader.Loads(r.Context(), s.options.Sports, history.Range{From: n})
	if err != nil {
		s.fault(w, r, err)
		return nil, nil
	}
	i := slices.IndexFunc(all, func(p history.Past) bool { return p.Number == n })
	if i < 0 {
		s.fail(w, r, http.StatusNotFound, "This load is not kept", "It is too old, or there was no such load. The list of the loads has those that are kept.")
		return nil, nil
	}
	return &all[i], all
}

// loadPage is the page of a past load.
type loadPage struct {
	Past   pastLoad
	Result outcome
}

func (s *Server) load(w http.ResponseWriter, r *http.Request) {
	past, all := s.past(w, r)
	if past == nil {
		return
	}
	b := loadPage{pastOf(*past, all), outcome{Report: past.Report}}
	s.render(w, r, http.StatusOK, "load", page{Title: loadName(past), Section: "loads", Crumbs: parts.Crumbs("Loads", "/loads"), Body: b})
}

func loadName(p *history.Past) string { return fmt.Sprintf("Load %d", p.Number) }

func (s *Server) undoPreview(w http.ResponseWriter, r *http.Request) {
	past, _ := s.past(w, r)
	if past == nil {
		return
	}
	report, _, err := s.options.Loader().Undo(r.Context(), loader.Options{DryRun: true, Diff: true, Load: past.Number})
	out := s.resultOf(r.Context(), report, err)
	if report != nil {
		out.Check = report.Version
	}
	number := strconv.Itoa(past.Number)
	crumbs := parts.Crumbs("Loads", "/loads", loadName(past), "/loads/"+number)
	s.render(w, r, http.StatusOK, "undo", page{Title: "Undo load " + number, Section: "loads", Crumbs: crumbs, Body: out})
}

func (s *Server) undo(w http.ResponseWriter, r *http.Request) {
	past, _ := s.past(w, r)
	if past == nil {
		return
	}
	note, ok := reason(r)
	if !ok {
		s.redirect(w, r, r.URL.RequestURI())
		return
	}
	ctx := context.WithoutCancel(r.Context())
	s.loading.Lock()
	defer s.loading.Unlock()
	l := s.options.Loader()
	l.Confirm = meaning(r)
	version := cmp.Or(r.PostFormValue("check"), "none")
	report, _, err := l.Undo(ctx, loader.Options{Note: note, Load: past.Number, Version: version})
	if out := s.resultOf(ctx, report, err); out.Stale {
		s.say(w, r, "failed", stale, r.URL.Path)
	} else {
		s.done(w, r, out, loadName(past)+" is undone", "/loads")
	}
}
