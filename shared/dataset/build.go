package dataset

import (
	"slices"

	"touchline/shared/dataset/files"
	"touchline/shared/dataset/ids"
	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// Builder makes a set of the records that are read. Who holds the set alone does not add to it.
type Builder struct{ *Set }

// NewBuilder begins a set whose records' ids are in a table. Placed gives a fault where its
// field stands.
func NewBuilder(table *ids.Table, placed func(Fault) Fault) *Builder {
	s := &Set{
		Warnings: &jsonl.Warnings{}, ids: table, placed: placed, index: map[Identity]place{},
		seasons: map[ids.Packed][]*Record[sport.Competition]{}, groups: map[ids.Packed]ids.Packed{},
		faultyCompetitions: map[ids.Packed]struct{}{},
		Unzoned:            map[*sport.Competition]bool{}, Across: map[*sport.Competition]bool{},
	}
	s.Players, s.Matches = Records[sport.Player]{set: s, kind: files.Players}, Records[Match]{set: s, kind: files.Matches}
	return &Builder{s}
}

// Identity is what no two records of a dataset may share. Season and table are zero
// where a kind does not have them; a competition's season 0 means all of them.
type Identity struct {
	Season int32
	Kind   files.Kind
	Table  uint8
	ID     ids.Packed
}

// IdentityOf gives a record's identity.
func IdentityOf[T Entity](rec *Record[T]) Identity {
	switch v := any(&rec.Value).(type) {
	case *sport.Organization:
		return Identity{Kind: files.Organizations, ID: ids.Pack(v.ID)}
	case *sport.Competition:
		return SeasonOf(v.ID, v.Season)
	case *sport.Team:
		return Identity{Kind: files.Teams, ID: ids.Pack(v.ID)}
	case *sport.Player:
		return Identity{Kind: files.Players, ID: ids.Pack(v.ID)}
	case *Match:
		return Identity{Kind: files.Matches, ID: ids.Pack(v.Base.ID)}
	case *sport.GivenTable:
		who := SeasonOf(v.CompetitionID, v.Season)
		who.Kind, who.Table = files.Standings, uint8(slices.Index(sport.TableNames(), v.Table)+1) //nolint:gosec // 0 to 3
		return who
	}
	return Identity{}
}

// SeasonOf identifies a season of a competition, or with season 0 all of them.
func SeasonOf(id sport.ID, season int) Identity {
	return Identity{Kind: files.Competitions, ID: ids.Pack(id), Season: int32(season)} //nolint:gosec // 9 digits
}

func (who Identity) target() Target {
	return Target{Kind: who.Kind.Holds(), ID: who.ID.ID(), Season: int(who.Season)}
}

// place is the line of a record in a file of its kind, and what became of it: Unknown is
// one that was left out.
type place struct {
	line int32
	file int16
	is   Presence
}

// Read adds names of files of a kind.
func (b *Builder) Read(of files.Kind, names ...string) {
	for _, name := range names {
		if !slices.Contains(b.names[of], name) {
			b.names[of] = append(b.names[of], name)
		}
	}
}

// Unread notes that a file of a kind was not read to its end: it may hold whatever else
// refers to.
func (b *Builder) Unread(of files.Kind) { b.unread[of] = true }

// IsUnread reports whether Unread was called for a kind.
func (b *Builder) IsUnread(of files.Kind) bool { return b.unread[of] }

// Line is the line of a record, faulty or not, zero for none.
func (b *Builder) Line(who Identity) Origin { return b.at(who.Kind, b.index[who]) }

// Claim notes the line of a record, unless another line has it already, which it gives; else
// it gives zero.
func (b *Builder) Claim(who Identity, at Origin) (first Origin) {
	if first = b.Line(who); first == (Origin{}) {
		b.index[who] = place{line: int32(at.Line), file: int16(b.file(who.Kind, at.File))} //nolint:gosec // lines are counted in millions, sheets in hundreds
	}
	return first
}

// ClaimGroup notes the competition of a group, unless it is another's, which it gives.
func (b *Builder) ClaimGroup(group, competition sport.ID) (owner sport.ID) {
	of, taken := b.groups[ids.Pack(group)]
	if !taken {
		of = ids.Pack(competition)
		b.groups[ids.Pack(group)] = of
	}
	return of.ID()
}

// Enter adds a record without faults, whose line has been claimed.
func Enter[T Entity](b *Builder, rec *Record[T]) {
	switch r := any(rec).(type) {
	case *Record[sport.Organization]:
		b.Organizations = append(b.Organizations, r)
	case *Record[sport.Competition]:
		b.Competitions = append(b.Competitions, r)
		b.hold(r)
	case *Record[sport.Team]:
		b.Teams = append(b.Teams, r)
	case *Record[sport.Player]:
		b.Players.add(r)
	case *Record[Match]:
		b.Matches.add(r)
	case *Record[sport.GivenTable]:
		b.Standings = append(b.Standings, r)
	}
	who := IdentityOf(rec)
	if rec.Erased {
		b.Erased = append(b.Erased, who.target())
	}
	p := b.index[who]
	if p.is = Present; rec.Deleted {
		p.is = Absent
	}
	b.index[who] = p
}

// LeaveOut notes that a faulty record is not in the set. Hides is whether it hides what refers
// to it.
func (b *Builder) LeaveOut(who Identity, at Origin, hides bool) { b.leaveOut(who, at, hides) }

func (s *Set) leaveOut(who Identity, at Origin, hides bool) {
	if who.ID == (ids.Packed{}) {
		return
	}
	if who.Kind == files.Competitions {
		s.faultyCompetitions[who.ID] = struct{}{}
	}
	if !hides {
		return
	}
	if s.Hiding == nil {
		s.Hiding = map[Target]Origin{}
	}
	s.Hiding[who.target()] = at
}

// DropCircles removes organizations that close circles, and reports them.
func (b *Builder) DropCircles(report func(Fault)) { b.dropCircles(report) }

// hold notes the record of a season by its competition.
func (s *Set) hold(c *Record[sport.Competition]) {
	if !c.Deleted {
		s.seasons[ids.Pack(c.ID)] = append(s.seasons[ids.Pack(c.ID)], c)
	}
}
