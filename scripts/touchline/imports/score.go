package imports

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/loader/journal"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// ScoreCommand is `touchline score`.
type ScoreCommand struct {
	Match  string   `arg:"" help:"The match, by your own key, or its id."`
	Score  []string `arg:"" placeholder:"HOME:AWAY" help:"The score that it is now, such as 1:0; of a match over sets, these: 25:23 25:20 25:18."`
	Minute int      `help:"Note a goal in this minute."`
	Player string   `help:"Who has scored, by your own key, or the id; needs --minute."`
	Assist string   `help:"Who has prepared the goal; needs --minute."`
	End    bool     `help:"The match is over."`
	database.Flags
	Wait time.Duration `default:"60s" help:"How long to wait for other imports to end (default: ${default})."`
	JSON bool          `name:"json" help:"Print the report as JSON."`
}

// Help is shown below the flags.
func (ScoreCommand) Help() string {
	return `Reports a score: the match is live, or finished with --end. With --minute a goal is noted as well, for the side whose score has grown by one; repeated, it is noted once. It is an import like others: "touchline undo" takes it back.

A program that reports many sends them as patches of matches to "touchline import - --as matches".

Examples:

    touchline score M101 1:0
    touchline score M101 1:0 --minute 35 --player P7
    touchline score M101 2:1 --end
    touchline score V7 25:23 20:25 25:18 25:21 --end
`
}

// Run loads the report.
func (s *ScoreCommand) Run(ctx context.Context, c *terminal.Terminal) error {
	given, err := s.score()
	if err != nil {
		return err
	}
	d, err := s.Open(ctx, c)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.CheckLayout(ctx); err != nil {
		return err
	}
	patch, err := s.read(ctx, d, given)
	if err != nil {
		return err
	}
	files, err := journal.Dataset(sport.KindMatch, []record{patch})
	if err != nil {
		return err
	}
	report, err := d.Load(ctx, c, files, s.Wait, loader.Options{Diff: true}, nil)
	if faults, ok := errors.AsType[*dataset.Faults](err); ok {
		return fmt.Errorf("nothing was changed: %w", faults)
	}
	if err != nil {
		return d.Explain(err)
	}
	if s.JSON {
		return c.JSON(report)
	}
	sayWarnings(c, report.Warnings)
	printChanges(c, report.Changes)
	return nil
}

// record is a record of a dataset, or a part of one: its fields by name.
type record map[string]any

// read makes the patch of a report.
func (s *ScoreCommand) read(ctx context.Context, d *database.Database, given []sport.Score) (record, error) {
	w, id := world.NewWorld(), dataset.ID(sport.KindMatch, s.Match)
	fetch := &world.Fetcher{Table: d.Sports(), World: w}
	if fetch.Matches(ctx, []sport.ID{id}); fetch.Err() != nil {
		return nil, d.Explain(fetch.Err())
	}
	m := w.Matches.At(world.Before, id)
	if m == nil {
		return nil, fmt.Errorf("there is no match %s: name it by your own key, or by its id", s.Match)
	}
	if len(given) == 1 {
		return s.patch(m, given[0])
	}
	fetch.Competitions(ctx, []sport.ID{m.CompetitionID})
	if c := w.Competitions.At(world.Before, m.SeasonID()); c == nil || c.Rules.Sets == 0 {
		return nil, cmp.Or(d.Explain(fetch.Err()), fmt.Errorf("match %s is not over sets, which rules.sets of its competition say: give one score", s.Match))
	}
	return s.sets(m, given)
}

// sets is the patch of a report of sets: those of a match that is over are given as they
// are, else they come to its score so far.
func (s *ScoreCommand) sets(m *world.Match, given []sport.Score) (record, error) {
	score, _, wrong := sport.OfSets(given)
	if wrong >= 0 && given[wrong].Lead() == 0 {
		return nil, fmt.Errorf("the set %d:%d has no winner: give the sets that are over", given[wrong].Home, given[wrong].Away)
	}
	patch, err := s.patch(m, score)
	if s.End && err == nil {
		delete(patch, "score")
		delete(patch, "setPoints")
		patch["sets"] = sport.SplitSets(strings.Join(s.Score, " "))
	}
	return patch, err
}

// score reads the score, or the sets.
func (s *ScoreCommand) score() (given []sport.Score, err error) {
	for _, text := range sport.SplitSets(strings.Join(s.Score, " ")) {
		home, away, _ := strings.Cut(text, ":")
		h, err := strconv.Atoi(home)
		a, wrong := strconv.Atoi(away)
		if err != nil || wrong != nil || h < 0 || a < 0 {
			return nil, terminal.Usagef("score %q: want the goals of both sides, such as 1:0", text)
		}
		given = append(given, sport.Score{Home: h, Away: a})
	}
	switch {
	case given == nil:
		return nil, terminal.Usagef("want the goals of both sides, such as 1:0")
	case s.Minute < 0:
		return nil, terminal.Usagef("minute %d: want one from 1 on", s.Minute)
	case s.Minute > 0 && len(given) > 1:
		return nil, terminal.Usagef("--minute belongs to a goal, and not to sets")
	case s.Minute <= 0 && (s.Player != "" || s.Assist != ""):
		return nil, terminal.Usagef("--player and --assist belong to a goal: say when it was with --minute")
	}
	return given, nil
}

// patch is the patch of the report.
func (s *ScoreCommand) patch(m *world.Match, score sport.Score) (record, error) {
	key := cmp.Or(m.Key, string(m.ID))
	patch := record{"id": key, "patch": true, "score": record{"home": score.Home, "away": score.Away}}
	switch {
	case s.End:
		patch["status"] = sport.Finished
	case m.Status != sport.Live && m.Status != sport.Finished:
		patch["status"] = sport.Live
	}
	if m.SetPoints != nil && m.Score != nil && *m.Score != score {
		patch["setPoints"] = nil // those of the former score
	}
	if s.Minute == 0 {
		return patch, nil
	}
	goal := record{"id": key + "/" + s.Score[0], "type": sport.EventGoal, "minute": s.Minute} // the goal that made it so
	var before sport.Score
	if m.Score != nil {
		before = *m.Score
	}
	switch home, away := score.Home-before.Home, score.Away-before.Away; {
	case home == 1 && away == 0:
		goal["side"] = sport.SideHome
	case home == 0 && away == 1:
		goal["side"] = sport.SideAway
	case home == 0 && away == 0: // it was reported before
		return patch, nil
	default:
		return nil, fmt.Errorf("the stored score is %d:%d, from which one goal does not lead to %s: leave --minute out, and report the goals one by one", before.Home, before.Away, s.Score[0])
	}
	if s.Player != "" {
		goal["playerId"] = s.Player
	}
	if s.Assist != "" {
		goal["assistId"] = s.Assist
	}
	patch["appendEvents"] = []record{goal}
	return patch, nil
}
