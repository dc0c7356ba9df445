package imports

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"touchline/scripts/edits"
	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/sport"
)

// ScoreCommand is `touchline score`.
type ScoreCommand struct {
	Match  string `arg:"" help:"The match, by your own key or its id."`
	Score  string `arg:"" placeholder:"HOME:AWAY" help:"The score that it is now, such as 1:0."`
	Minute int    `help:"Note a goal in this minute."`
	Player string `help:"Who has scored, by your own key or the id; needs --minute."`
	Assist string `help:"Who has prepared the goal; needs --minute."`
	End    bool   `help:"The match is over."`
	database.Flags
	Wait time.Duration `default:"60s" help:"How long to wait for other imports to end (default: ${default})."`
	JSON bool          `name:"json" help:"Print the report as JSON."`
}

// Help is shown below the flags.
func (ScoreCommand) Help() string {
	return `Reports a score: the match is live, or finished with --end. With --minute a goal is noted as well, for the side whose score has grown by one; repeated, it is noted once. It is an import like others: "touchline undo" takes it back.

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
	if err := d.CheckLayout(ctx); err != nil {
		return err
	}
	l, err := edits.Book{Table: d.Sports()}.Live(ctx, dataset.ID(sport.KindMatch, s.Match), c.Now())
	if errors.Is(err, edits.ErrNotFound) {
		return fmt.Errorf("there is no match %s", s.Match)
	}
	if err != nil {
		return d.Explain(err)
	}
	patch, err := s.patch(l, score)
	if err != nil {
		return err
	}
	files, err := edits.Files(sport.KindMatch, patch)
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

// score reads the score.
func (s *ScoreCommand) score() (sport.Score, error) {
	home, away, _ := strings.Cut(s.Score, ":")
	h, err := strconv.Atoi(home)
	a, wrong := strconv.Atoi(away)
	switch {
	case err != nil, wrong != nil, h < 0, a < 0:
		return sport.Score{}, terminal.Usagef("score %q: want the goals of both sides, such as 1:0", s.Score)
	case s.Minute <= 0 && (s.Player != "" || s.Assist != ""):
		return sport.Score{}, terminal.Usagef("--player and --assist belong to a goal: say when it was with --minute")
	}
	return sport.Score{Home: h, Away: a}, nil
}

// patch is the patch of the report.
func (s *ScoreCommand) patch(l *edits.Live, score sport.Score) (edits.Object, error) {
	r := edits.Report{What: "score", Score: score, Minute: s.Minute, Player: s.Player, Other: s.Assist}
	if s.Minute > 0 {
		r.Mark = s.Score // the goal that made it so
		switch home, away := score.Home-l.Score.Home, score.Away-l.Score.Away; {
		case home == 1 && away == 0:
			r.Side = sport.SideHome
		case home == 0 && away == 1:
			r.Side = sport.SideAway
		case home != 0 || away != 0:
			return nil, fmt.Errorf("the stored score is %d:%d, from which one goal does not lead to %s: leave --minute out, and report the goals one by one", l.Score.Home, l.Score.Away, s.Score)
		}
	}
	patch, err := l.Patch(r)
	if err == nil && s.End {
		patch["status"] = sport.Finished
	}
	return patch, err
}
