package sport

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Rules are a competition's points and the order of its table (D28, dataset.md
// "Rules of the parts"), and how its matches are played.
type Rules struct {
	Sport   string `dynamodbav:",omitempty"` // empty: football
	Periods *Clock `dynamodbav:",omitempty"` // nil: Halves
	// Sets is the number of sets, odd, that a match is the best of: the score counts them
	// (D80). 0: it counts something else.
	Sets int `dynamodbav:",omitempty"`

	Win, Draw, Loss int
	// Points of a match that was decided after extra time or by a shoot-out. nil: it
	// counts as after 90 minutes, a shoot-out as a draw.
	ExtraTimeWin  *int `dynamodbav:",omitempty"`
	ExtraTimeLoss *int `dynamodbav:",omitempty"`
	ShootoutWin   *int `dynamodbav:",omitempty"`
	ShootoutLoss  *int `dynamodbav:",omitempty"`
	// ShootoutGoal gives the winner of a shoot-out a goal in tables (D78).
	ShootoutGoal bool `dynamodbav:",omitempty"`
	// Margins are the points of a match by how clearly it was won; the first that fits
	// counts (D60).
	Margins []Margin `dynamodbav:",omitempty"`
	// Forfeit is what a match is worth that was awarded (D79); nil: no more than its record
	// says.
	Forfeit *Forfeit `dynamodbav:",omitempty"`

	TieBreakers []TieBreaker // never empty
	// NoTable leaves the competition without a table: there are no rows.
	NoTable bool `dynamodbav:",omitempty"`
	// AcrossGroups has a match between teams of two groups count in both tables.
	AcrossGroups bool `dynamodbav:",omitempty"`
	// HidePlayers: the players of its teams are hidden, and its matches name nobody (D75).
	HidePlayers bool `dynamodbav:",omitempty"`
	// Carry is what the teams of a child bring along from the parent's table, in the
	// place of their startingPoints; nil: nothing but those.
	Carry *Carry `dynamodbav:",omitempty"`
	// Ties say how the ties of a knockout are decided (D66); nil: by goals.
	Ties *TieRules `dynamodbav:",omitempty"`
}

// TieRules are how the ties of a knockout are decided.
type TieRules struct {
	BestOf    int  `dynamodbav:",omitempty"` // matches that a series can have, odd, 3 to 15; 0: no series
	AwayGoals bool `dynamodbav:",omitempty"` // goals away decide two legs that are level
}

// TieRules are those of the competition; the zero value where it gives none.
func (r *Rules) TieRules() TieRules {
	if r.Ties == nil {
		return TieRules{}
	}
	return *r.Ties
}

// Margin are the points of a match that is won by at most By goals, or sets; nil: those
// of any other.
type Margin struct {
	By   int
	Win  *int `dynamodbav:",omitempty"`
	Loss *int `dynamodbav:",omitempty"`
}

// Forfeit is what a match that was awarded is worth to the side that won it, and to the
// other. Win and Loss are points; nil: those of any match.
type Forfeit struct {
	Goals     int  `dynamodbav:",omitempty"`
	SetPoints int  `dynamodbav:",omitempty"`
	Win       *int `dynamodbav:",omitempty"`
	Loss      *int `dynamodbav:",omitempty"`
}

// Clock is how the competition's matches are divided.
func (r *Rules) Clock() Clock {
	if r.Periods == nil {
		return Halves()
	}
	return *r.Periods
}

// Carry is what teams bring along from the table of the competition before.
type Carry struct {
	Points CarryPoints
	Record bool // played, won, drawn, lost and goals, too; and the matches, for head to head
	Among  CarryAmong
}

// CarryPoints is how many of the points are carried.
type CarryPoints string

// The values of carry.points. Halves are rounded down or up, to a whole number.
const (
	CarryFull     CarryPoints = "full"
	CarryHalfDown CarryPoints = "halfDown"
	CarryHalfUp   CarryPoints = "halfUp"
	CarryNone     CarryPoints = "none"
)

// CarryAmong is which matches of the parent are carried.
type CarryAmong string

// The values of carry.among: all that the teams played, or those among the teams
// that came into the child.
const (
	CarryAll       CarryAmong = "all"
	CarryQualified CarryAmong = "qualified"
)

// TieBreaker is one criterion by which a table orders teams: one of the constants,
// or a block of head to head (HeadToHead).
type TieBreaker string

// The criteria of dataset.md, "Rules of the parts".
const (
	ByPoints          TieBreaker = "points"
	ByGoalDiff        TieBreaker = "goalDiff"
	ByGoalsFor        TieBreaker = "goalsFor"
	ByWon             TieBreaker = "won"
	ByAwayGoals       TieBreaker = "awayGoals"
	ByAwayWon         TieBreaker = "awayWon"
	ByGoalRatio       TieBreaker = "goalRatio"
	ByFairPlay        TieBreaker = "fairPlay"
	ByOpponentsPoints TieBreaker = "opponentsPoints"
	ByOpponentsDiff   TieBreaker = "opponentsGoalDiff"
	ByOpponentsGoals  TieBreaker = "opponentsGoalsFor"
	BySonnebornBerger TieBreaker = "sonnebornBerger"
	BySetPointsRatio  TieBreaker = "setPointsRatio"
	BySetPointsDiff   TieBreaker = "setPointsDiff"
	ByGroupPoints     TieBreaker = "groupPointsPerMatch"
	ByPointsPerMatch  TieBreaker = "pointsPerMatch"
	ByHalfPoint       TieBreaker = "halfPoint"
	ByParentRank      TieBreaker = "parentRank"
	BySeed            TieBreaker = "seed"
	ByName            TieBreaker = "name"

	// ByWithdrawal is no criterion of a list: a team that has withdrawn is below all
	// others, whatever the rules.
	ByWithdrawal TieBreaker = "withdrawal"

	// The older names. Those that follow one another are one block of head to head.
	ByHeadToHeadPoints   TieBreaker = "headToHeadPoints"
	ByHeadToHeadGoalDiff TieBreaker = "headToHeadGoalDiff"
	ByHeadToHeadGoalsFor TieBreaker = "headToHeadGoalsFor"
)

// DefaultTieBreakers orders a table whose competition names no order of its
// own (D28).
func DefaultTieBreakers() []TieBreaker {
	return []TieBreaker{ByPoints, ByGoalDiff, ByGoalsFor, ByHeadToHeadPoints, ByHeadToHeadGoalDiff, ByWon, ByName}
}

// TableCriteria are the criteria that compare teams by a table: what a block of
// head to head may hold, and a list as well.
func TableCriteria() []TieBreaker {
	return []TieBreaker{
		ByPoints, ByGoalDiff, ByGoalsFor, ByWon, ByAwayGoals, ByAwayWon, ByGoalRatio, ByFairPlay,
		ByOpponentsPoints, ByOpponentsDiff, ByOpponentsGoals, BySonnebornBerger, BySetPointsRatio, BySetPointsDiff, ByGroupPoints,
		ByPointsPerMatch, ByHalfPoint, ByParentRank, BySeed,
	}
}

// Block is a block of head to head: criteria that are all computed on the table of the
// matches among the teams that are level when it begins.
type Block struct {
	Criteria []TieBreaker
	// Once leaves the teams that stay level to the next criterion. Else those, if they
	// are fewer, get a table of their own and the block again.
	Once bool
	// AllPlayed passes the block over until every match among the teams is finished
	// (D67).
	AllPlayed bool
}

// The spelling of a block, which is that of a stored record: this, Once and AllPlayed as
// they hold, and the criteria.
const headToHead = "headToHead"

// HeadToHead is a block as a criterion.
func HeadToHead(b Block) TieBreaker {
	text := make([]string, len(b.Criteria))
	for i, c := range b.Criteria {
		text[i] = string(c)
	}
	head := headToHead
	if b.Once {
		head += "Once"
	}
	if b.AllPlayed {
		head += "AllPlayed"
	}
	return TieBreaker(head + ":" + strings.Join(text, ","))
}

// Block returns the block of head to head that a criterion is; ok is false for any
// other criterion.
func (t TieBreaker) Block() (b Block, ok bool) {
	head, text, _ := strings.Cut(string(t), ":")
	if head, ok = strings.CutPrefix(head, headToHead); !ok || text == "" {
		return Block{}, false
	}
	head, b.Once = strings.CutPrefix(head, "Once")
	b.AllPlayed = head == "AllPlayed"
	for name := range strings.SplitSeq(text, ",") {
		b.Criteria = append(b.Criteria, TieBreaker(name))
	}
	return b, true
}

// Blocks is a list of criteria in which the older names of head to head are
// blocks: those that follow one another are one.
func Blocks(list []TieBreaker) []TieBreaker {
	older := map[TieBreaker]TieBreaker{
		ByHeadToHeadPoints: ByPoints, ByHeadToHeadGoalDiff: ByGoalDiff, ByHeadToHeadGoalsFor: ByGoalsFor,
	}
	var blocks []TieBreaker
	var block []TieBreaker
	end := func() {
		if block != nil {
			blocks = append(blocks, HeadToHead(Block{Criteria: block}))
			block = nil
		}
	}
	for _, criterion := range list {
		if of, ok := older[criterion]; ok {
			block = append(block, of)
			continue
		}
		end()
		blocks = append(blocks, criterion)
	}
	end()
	return blocks
}

// Uses reports whether a list of criteria asks for one, also within a block.
func Uses(list []TieBreaker, criterion TieBreaker) bool {
	return slices.ContainsFunc(list, func(t TieBreaker) bool {
		block, _ := t.Block()
		return t == criterion || slices.Contains(block.Criteria, criterion)
	})
}

// Result is what a finished match is worth to one side.
type Result struct {
	Lead   int // 1 won, 0 drawn, -1 lost
	Points int
}

// Results are those of a finished match with a score, as a table counts them. A ruling
// comes first (D59), then the score. Extra time and the shoot-out count where the rules
// have points for them, else the margin does (D60). Points given for the match are added.
func (r Rules) Results(m *Match) (home, away Result) {
	home, away = r.played(m)
	if atHome, abroad, ruled := m.Ruling(); ruled {
		points := map[int]int{1: r.Win, 0: r.Draw, -1: r.Loss}
		home, away = Result{atHome, points[atHome]}, Result{abroad, points[abroad]}
	}
	if m.Points != nil {
		home.Points, away.Points = m.Points.Home, m.Points.Away
	}
	return home, away
}

// played are the results by what was played.
func (r Rules) played(m *Match) (home, away Result) {
	lead := m.Score.Lead()
	win, draw, loss := r.Win, r.Draw, r.Loss
	if fits := r.margin(m.Score); lead != 0 && fits != nil {
		win, loss = pick(fits.Win, win), pick(fits.Loss, loss)
	}
	switch shootout := m.Penalties.Lead(); {
	case lead != 0 && m.ExtraTime:
		win, loss = pick(r.ExtraTimeWin, win), pick(r.ExtraTimeLoss, loss)
	case lead == 0 && shootout != 0 && (r.ShootoutWin != nil || r.ShootoutLoss != nil):
		lead = shootout
		win, loss = pick(r.ShootoutWin, draw), pick(r.ShootoutLoss, draw)
	}
	points := map[int]int{1: win, 0: draw, -1: loss}
	return Result{lead, points[lead]}, Result{-lead, points[-lead]}
}

// Goals are those that a table counts of a match with a score: with ShootoutGoal one more
// for the winner of a shoot-out after a draw, unless a ruling has decided the match (D78).
func (r Rules) Goals(m *Match) Score {
	goals := *m.Score
	if _, _, ruled := m.Ruling(); !r.ShootoutGoal || ruled || goals.Lead() != 0 {
		return goals
	}
	switch m.Penalties.Lead() {
	case 1:
		goals.Home++
	case -1:
		goals.Away++
	}
	return goals
}

// Ending says how a finished match ended for a side with a Lead, as far as the rules have
// points for it: "won after extra time".
func (r Rules) Ending(m *Match, lead int) string {
	text := map[int]string{1: "won", 0: "drawn", -1: "lost"}[lead]
	switch fits := r.margin(m.Score); {
	case lead == 0:
	case m.Score.Lead() == 0:
		text += " by a shoot-out"
	case m.ExtraTime && (r.ExtraTimeWin != nil || r.ExtraTimeLoss != nil):
		text += " after extra time"
	case fits != nil:
		text += fmt.Sprintf(" by up to %d", fits.By)
	}
	return text
}

// margin is the first that fits a score, nil if none does.
func (r Rules) margin(s *Score) *Margin {
	for i := range r.Margins {
		if by := r.Margins[i].By; s.Home-s.Away <= by && s.Away-s.Home <= by {
			return &r.Margins[i]
		}
	}
	return nil
}

// Ruling is how a match counts for its two sides, as in Result.Lead, where its winner
// is neither the one of the score nor that of the shoot-out: with the winner "none" both
// have lost. ruled is false for any other match.
func (m *Match) Ruling() (home, away int, ruled bool) {
	score, shootout := m.Score.Lead(), m.Penalties.Lead()
	switch m.Winner {
	case WinnerHome:
		home, away = 1, -1
	case WinnerAway:
		home, away = -1, 1
	case WinnerNone:
		return -1, -1, true
	case WinnerDraw:
	default:
		return 0, 0, false
	}
	played := home == cmp.Or(score, shootout) || shootout != 0 && home == shootout
	return home, away, !played
}

// WonBy is the winner of a match (D44): none until it is finished, then as given (empty: not
// given), else by score, else by shoot-out, else draw.
func (m *Match) WonBy(given Winner) Winner {
	switch {
	case m.Status != Finished:
		return WinnerNone
	case given != "":
		return given
	}
	return map[int]Winner{1: WinnerHome, 0: WinnerDraw, -1: WinnerAway}[cmp.Or(m.Score.Lead(), m.Penalties.Lead())]
}

func pick(p *int, otherwise int) int {
	if p == nil {
		return otherwise
	}
	return *p
}

// Lead is 1 where the home side has more, -1 where the away side has, else 0, as of nil.
func (s *Score) Lead() int {
	if s == nil {
		return 0
	}
	return cmp.Compare(s.Home, s.Away)
}
