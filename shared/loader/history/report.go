package history

import (
	"fmt"
	"slices"
	"strings"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Counts say what a load does with the records of a kind.
type Counts struct {
	Created   int `json:"created" dynamodbav:"c,omitempty"`
	Changed   int `json:"changed" dynamodbav:"u,omitempty"`
	Deleted   int `json:"deleted" dynamodbav:"d,omitempty"`
	Unchanged int `json:"unchanged" dynamodbav:"s,omitempty"`
}

func (c *Counts) Add(stored, deleted, same bool) {
	switch {
	case same:
		c.Unchanged++
	case deleted:
		c.Deleted++
	case stored:
		c.Changed++
	default:
		c.Created++
	}
}

// Report is what a load did, or would do.
type Report struct {
	Organizations Counts `json:"organizations"`
	Competitions  Counts `json:"competitions"` // seasons
	Teams         Counts `json:"teams"`
	Players       Counts `json:"players"`
	Matches       Counts `json:"matches"`
	Standings     Counts `json:"standings"` // tables given
	// Losses are what records that stay have no more of, in the order of the kinds.
	Losses Losses `json:"losses,omitempty"`
	// StayHidden are the records that stay hidden by a field, since nothing was said of it,
	// and HiddenDeleted those deleted that were hidden by it: when they come again they are
	// not (D74). A new season that takes its field from another one is of StayHidden.
	StayHidden    Losses `json:"stayHidden,omitempty"`
	HiddenDeleted Losses `json:"hiddenDeleted,omitempty"`
	// Shown are whom nobody saw and somebody sees after the load, whatever record did it, in
	// the order of the kinds (D74), and players who show the name of another one of their club
	// who is hidden, or was (D89).
	Shown []Shown `json:"shown,omitempty"`
	// Moved are the matches, finished or live, that leave their competition and season, or get
	// other teams (D88), and the entries that leave a season in which they have such (D83).
	Moved []Taken `json:"moved,omitempty" dynamodbav:",omitempty"`
	// Renamed are names that move between records, and many records that get other names (D90).
	Renamed []Taken `json:"renamed,omitempty" dynamodbav:",omitempty"`
	// Rescored are the finished matches whose score changes.
	Rescored int `json:"rescored,omitempty" dynamodbav:",omitempty"`
	// Erased are the records that are erased (D64), those that were not stored any more
	// included. It is not kept in a journal.
	Erased int `json:"erased,omitempty" dynamodbav:"-"`
	// Namesakes are the keys of other players who have the name of one that is erased: a
	// person may have two records. They are kept nowhere.
	Namesakes []string `json:"namesakes,omitempty" dynamodbav:"-"`
	// Returned are the records that had been erased, and were let back (D69).
	Returned int `json:"returned,omitempty" dynamodbav:"-"`
	// Told are the erasures that the dataset tells of, and that the table keeps since (D92).
	Told int `json:"told,omitempty" dynamodbav:"-"`
	// Finished is what an earlier load has done that had been interrupted and
	// was finished first; nil if there was none.
	Finished *Report `json:"finished,omitempty"`
	// Number is that of the load (Mark); 0 where it changes nothing. It is not kept
	// in a journal.
	Number int `json:"load,omitempty" dynamodbav:"-"`
	// Entries are the list entries and items written.
	Entries int  `json:"entries"`
	DryRun  bool `json:"dryRun,omitempty"` // nothing was written
	// Version is that of the data which a dry run was compared with. It is kept nowhere.
	Version string `json:"version,omitempty" dynamodbav:"-"`
	// Changes are the records that differ, where they were asked for
	// (loader.Options.Diff). They are not kept in a journal.
	Changes []Change `json:"changes,omitempty" dynamodbav:"-"`
	// Tables say which teams move in tables, a line for each (Moved). Like Changes, they
	// are not kept in a journal.
	Tables []string `json:"tables,omitempty" dynamodbav:"-"`
	// Faults are those of the records left out (GoodPart).
	Faults *dataset.Faults `json:"faults,omitempty"`
	// Warnings are about what is odd in the dataset but possible (D51).
	Warnings *dataset.Warnings `json:"warnings,omitempty"`
}

// Loss is a field that records of a kind lose: that was recorded, and is not any
// more.
type Loss struct {
	Kind    string `json:"kind" dynamodbav:"k"` // as the file is named
	Field   string `json:"field" dynamodbav:"f"`
	Records int    `json:"records" dynamodbav:"n"`
}

// Losses are counts of records by kind and field.
type Losses []Loss

// Add counts a record of a kind.
func (all *Losses) Add(of sport.Kind, field string) {
	kind := files.Holding(of).String()
	for i := range *all {
		if l := &(*all)[i]; l.Kind == kind && l.Field == field {
			l.Records++
			return
		}
	}
	*all = append(*all, Loss{kind, field, 1})
}

// Taken is what a load takes from records of a kind that stay.
type Taken struct {
	Kind    string `json:"kind" dynamodbav:"k"` // as the file is named
	What    string `json:"what" dynamodbav:"w"` // such as: out of season 2025 of competition "liga"
	Records int    `json:"records" dynamodbav:"n"`
	// First says which: the first MaxShown. Only the report has them.
	First []string `json:"first,omitempty" dynamodbav:"-"`
}

// Matches says of Report.Moved what moves, such as: 2 matches that are finished or live out of ….
func (t Taken) Matches() string {
	text := map[string]string{"matches": "match that is", "teams": "entry with matches that are"}[t.Kind]
	if t.Records != 1 {
		text = map[string]string{"matches": "matches that are", "teams": "entries with matches that are"}[t.Kind]
	}
	return fmt.Sprintf("%d %s finished or live %s%s", t.Records, text, t.What, t.which())
}

// String says of Report.Renamed what is renamed.
func (t Taken) String() string {
	return fmt.Sprintf("%s: %d %s%s", t.Kind, t.Records, t.What, t.which())
}

// which says which, and how many more.
func (t Taken) which() string {
	if len(t.First) == 0 {
		return ""
	}
	return ": " + Shown{Records: t.Records, Keys: t.First}.Named()
}

// Shown are records of a kind that a load shows and that were hidden.
type Shown struct {
	Kind    string `json:"kind" dynamodbav:"k"` // as the file is named
	Records int    `json:"records" dynamodbav:"n"`
	// Said: the records say that they are public, so that nobody needs to be asked (D89).
	Said bool `json:"public,omitempty" dynamodbav:"p,omitempty"`
	// Keys are those of the first, as the dataset or the table calls them, a season with its
	// year, and a player of a hidden one's name with that one's key. The history does not keep them.
	Keys []string `json:"keys,omitempty" dynamodbav:"s,omitempty"`
}

// MaxShown bounds the keys of Shown.
const MaxShown = 10

// Named gives the keys, such as "p1, p2 and 10 more".
func (s Shown) Named() string {
	text := strings.Join(s.Keys, ", ")
	if more := s.Records - len(s.Keys); more > 0 && len(s.Keys) > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// KindCounts are the counts of a kind, as its file is named.
type KindCounts struct {
	Kind string
	*Counts
}

// Kinds are the counts of each kind.
func (r *Report) Kinds() []KindCounts {
	return []KindCounts{
		{"organizations", &r.Organizations}, {"competitions", &r.Competitions}, {"teams", &r.Teams},
		{"players", &r.Players}, {"matches", &r.Matches}, {"standings", &r.Standings},
	}
}

// Sum are the counts of all kinds; of no report they are zero.
func (r *Report) Sum() (sum Counts) {
	if r != nil {
		for _, n := range r.Kinds() {
			sum.Created, sum.Changed = sum.Created+n.Created, sum.Changed+n.Changed
			sum.Deleted, sum.Unchanged = sum.Deleted+n.Deleted, sum.Unchanged+n.Unchanged
		}
	}
	return sum
}

// Takes reports whether something that is stored would be gone: records, fields of records
// that stay, the scores of finished matches, these from their table, or names that move.
func (r *Report) Takes() bool {
	return len(r.Losses) > 0 || len(r.Moved) > 0 || len(r.Renamed) > 0 || r.Rescored > 0 || r.Sum().Deleted > 0
}

// KeptChanges bounds the changes that are kept of a load: those that a person reads.
const KeptChanges = 100

// Kept is a report as the history keeps it: keys and counts, and no text that names
// anybody, so that an erasure has nothing to rewrite (D64). Changes are those to keep.
func (r Report) Kept(changes []Change) *Report {
	r.Changes, r.Tables, r.Namesakes = nil, nil, nil
	for _, c := range changes {
		if !c.Erased {
			r.Changes = append(r.Changes, c.kept())
		}
	}
	r.Shown = slices.Clone(r.Shown)
	for i := range r.Shown {
		r.Shown[i].Keys = nil
	}
	r.Moved, r.Renamed = counted(r.Moved), counted(r.Renamed)
	if r.Finished != nil {
		r.Finished = r.Finished.Kept(nil)
	}
	if r.Faults != nil {
		r.Faults = &dataset.Faults{More: r.Faults.Count()}
	}
	if r.Warnings != nil {
		r.Warnings = &dataset.Warnings{More: r.Warnings.Count()}
	}
	return &r
}

// counted are some without their First.
func counted(all []Taken) []Taken {
	all = slices.Clone(all)
	for i := range all {
		all[i].First = nil
	}
	return all
}

// Unmeant are the faults of a load of which nobody has said that it is meant: for whom it shows
// who was hidden and does not say that he is public (D89), and for names that move (D90).
func (r *Report) Unmeant() *dataset.Faults {
	faults := r.Reveals()
	for _, t := range r.Renamed {
		faults.Add(dataset.Fault{Message: t.String()})
	}
	return faults
}

// Reveals are those of them that say whom it shows.
func (r *Report) Reveals() *dataset.Faults {
	faults := &dataset.Faults{}
	for _, s := range r.Shown {
		if !s.Said {
			faults.Add(dataset.Fault{Message: fmt.Sprintf("shows hidden %s: %s", s.Kind, s.Named())})
		}
	}
	return faults
}

// maxTables bounds the tables of a report.
const maxTables = 100

// Moved says of each group of a table which teams have another rank, or other points, after
// a load than before, in the order of the table after, such as
//
//	Liga 2025: Ostby 1st (14 to 15 points), Kielby 3rd to 2nd (11 to 14 points), Norby 2nd to 3rd
//
// A team that changes its group has not moved, and where nobody has played, before or
// after, ranks say nothing. A last line says who left the table, and who came (D83).
func Moved(c records.CompetitionRef, was, is []records.TableRow) (lines []string) {
	type place struct {
		team  sport.ID
		group string
	}
	from := make(map[place]*records.TableRow, len(was))
	for i := range was {
		from[place{was[i].Team.ID, was[i].Group}] = &was[i]
	}
	played := func(r records.TableRow) bool { return r.Played > 0 }
	ranked := slices.ContainsFunc(was, played) && slices.ContainsFunc(is, played)
	group := ""
	for i := range is {
		r := &is[i]
		f := from[place{r.Team.ID, r.Group}]
		if f == nil || (f.Rank == r.Rank || !ranked) && f.Points == r.Points {
			continue
		}
		text := r.Team.Name + " " + ordinal(f.Rank)
		if r.Rank != f.Rank {
			text += " to " + ordinal(r.Rank)
		}
		if r.Points != f.Points {
			text += fmt.Sprintf(" (%d to %d points)", f.Points, r.Points)
		}
		if len(lines) > 0 && group == r.Group {
			lines[len(lines)-1] += ", " + text
			continue
		}
		group = r.Group
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %d %s", c.Name, c.Season, r.Group))+": "+text)
	}
	if len(was) == 0 || !slices.ContainsFunc(slices.Concat(was, is), played) {
		return lines
	}
	var changed []string
	for _, x := range []struct {
		word   string
		of, in []records.TableRow
	}{{"left", was, is}, {"came", is, was}} {
		if names := without(x.of, x.in); names != "" {
			changed = append(changed, x.word+": "+names)
		}
	}
	if changed != nil {
		lines = append(lines, fmt.Sprintf("%s %d: %s", c.Name, c.Season, strings.Join(changed, "; ")))
	}
	return lines
}

// without names the teams of rows that others do not have, the first of them.
func without(rows, others []records.TableRow) string {
	const most = 12
	in := make(map[sport.ID]bool, len(others))
	for i := range others {
		in[others[i].Team.ID] = true
	}
	var names []string
	for i := range rows {
		if t := rows[i].Team; !in[t.ID] {
			names = append(names, t.Name)
		}
	}
	if more := len(names) - most; more > 0 {
		names = append(names[:most], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

// SetTables lists what moves in tables in a report, in order, the first of them.
func (r *Report) SetTables(lines []string) {
	slices.Sort(lines)
	if more := len(lines) - maxTables; more > 0 {
		lines = append(lines[:maxTables:maxTables], fmt.Sprintf("and %d more", more))
	}
	r.Tables = lines
}

// ordinal is a rank as people say it: 1st, 2nd, 3rd, 4th, 11th.
func ordinal(n int) string {
	suffix := "th"
	if tens := n / 10 % 10; tens != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprint(n, suffix)
}
