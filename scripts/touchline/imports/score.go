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
	Match  string `arg:"" help:"The match, by your own key, or its id."`
	Score  string `arg:"" placeholder:"HOME:AWAY" help:"The score that it is now, such as 1:0."`
	Minute int    `help:"Note a goal in this minute."`
	Player string `help:"Who has scored, by your own key, or the id; needs --minute."`
	Assist string `help:"Who has prepared the goal; needs --minute."`
	End    bool   `help:"The match is over."`
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
`
}

// Run loads the report.
func (s *ScoreCommand) Run(ctx context.Context, c *terminal.Terminal) error {
	score, err := s.score()
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
	patch, err := s.read(ctx, d, score)
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
func (s *ScoreCommand) read(ctx context.Context, d *database.Database, score sport.Score) (record, error) {
	w, id := world.NewWorld(), dataset.ID(sport.KindMatch, s.Match)
	fetch := &world.Fetcher{Table: d.Sports(), World: w}
	if fetch.Matches(ctx, []sport.ID{id}); fetch.Err() != nil {
		return nil, d.Explain(fetch.Err())
	}
	m := w.Matches.At(world.Before, id)
	if m == nil {
		return nil, fmt.Errorf("there is no match %s: name it by your own key, or by its id", s.Match)
	}
	return s.patch(m, score)
}

// score reads the score.
func (s *ScoreCommand) score() (sport.Score, error) {
	home, away, _ := strings.Cut(s.Score, ":")
	h, err := strconv.Atoi(home)
	a, wrong := strconv.Atoi(away)
	switch {
	case err != nil, wrong != nil, h < 0, a < 0:
		return sport.Score{}, terminal.Usagef("score %q: want the goals of both sides, such as 1:0", s.Score)
	case s.Minute < 0:
		return sport.Score{}, terminal.Usagef("minute %d: want one from 1 on", s.Minute)
	case s.Minute <= 0 && (s.Player != "" || s.Assist != ""):
		return sport.Score{}, terminal.Usagef("--player and --assist belong to a goal: say when it was with --minute")
	}
	return sport.Score{Home: h, Away: a}, nil
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
	if s.Minute == 0 {
		return patch, nil
	}
	goal := record{"id": key + "/" + s.Score, "type": sport.EventGoal, "minute": s.Minute} // the goal that made it so
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
		return nil, fmt.Errorf("the stored score is %d:%d, from which one goal does not lead to %s: leave --minute out, and report the goals one by one", before.Home, before.Away, s.Score)
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
