package ingest

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"touchline/shared/loader"
	"touchline/shared/sport"
	"touchline/shared/store/generation"
)

// Topic tells whoever subscribes to it. It can be called from many goroutines.
type Topic interface {
	// Publish returns once the message is kept for the subscribers.
	Publish(ctx context.Context, message []byte) error
}

// Notice is the message about a load that changed something.
type Notice struct {
	// DataVersion is what X-Service-Data-Version counts (D56). Workers may show
	// data of before until generation.Settle after Ended.
	DataVersion int       `json:"dataVersion"`
	Ended       time.Time `json:"ended"`
	// Competitions are those of the records that changed. All says that they are not
	// named: there are too many, an organization changed, or the load was interrupted.
	Competitions []sport.ID `json:"competitions"`
	All          bool       `json:"all"`
}

// mostNamed bounds the competitions of a notice, which SNS takes up to 256 KB of.
const mostNamed = 1000

// tell publishes a notice of a load that changed something. A load is complete
// without it: what goes wrong is only logged.
func (w *Worker) tell(ctx context.Context, done *loader.Report) {
	if w.Topic == nil || done == nil || done.DryRun || done.Entries == 0 && done.Finished == nil {
		return
	}
	if err := w.publish(ctx, done); err != nil {
		w.Log.LogAttrs(ctx, slog.LevelError, "notice", slog.String("cause", err.Error()))
	}
}

func (w *Worker) publish(ctx context.Context, done *loader.Report) error {
	state, err := generation.Read(ctx, w.Table)
	if err != nil {
		return fmt.Errorf("read the data version: %w", err)
	}
	n := Notice{DataVersion: state.Version, Ended: state.Ended.UTC(), Competitions: done.Touched}
	o := done.Organizations
	n.All = done.Finished != nil || o.Created+o.Changed+o.Deleted > 0 || len(done.Touched) > mostNamed || len(done.Touched) == 0
	if n.All {
		n.Competitions = []sport.ID{}
	}
	text, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return w.Topic.Publish(ctx, text)
}
