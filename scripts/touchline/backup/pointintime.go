package backup

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// PointInTime restores tables of a deployment to a second of the past: each into a
// new table, which gets what DynamoDB leaves out of a restore (backups, tags, time to
// live, a stream, protection from deletion).
//
// The new table's name follows from the old one's and the time. Each step looks
// whether it was done before: killed anywhere, the same call goes on. The old tables
// stay as they are.
type PointInTime struct {
	Client *dynamodb.Client
	To     time.Time // the second to go back to
	DryRun bool      // print the commands instead, and read only
	// Say prints a line.
	Say func(format string, args ...any)
	// Pause waits between two looks at a table that is being restored.
	Pause func(context.Context, time.Duration) error
}

// step is one change of a new table, and the command that does the same.
type step struct {
	to      string // the table's name
	what    string
	command []string
	done    func(table) bool // nil: to do it again changes nothing
	do      func(context.Context) error
}

// Run restores the tables with these names, and returns the new ones' names in the
// same order. All of them are begun before the first is waited for.
func (r *PointInTime) Run(ctx context.Context, tables []string) (restored []string, err error) {
	var begin, finish []step
	for _, name := range tables {
		to := r.target(name)
		if to == name {
			r.Say("the deployment uses %s already", name)
			restored = append(restored, name)
			continue
		}
		first, then, err := r.steps(ctx, name, to)
		if err != nil {
			return nil, err
		}
		begin, finish, restored = append(begin, first), append(finish, then...), append(restored, to)
	}
	for n, s := range slices.Concat(begin, finish) {
		if err := r.run(ctx, fmt.Sprintf("%d/%d %s", n+1, len(begin)+len(finish), s.what), s); err != nil {
			return nil, fmt.Errorf("%s: %w\nRun it again to go on", s.what, err)
		}
	}
	return restored, nil
}

func (r *PointInTime) run(ctx context.Context, what string, s step) error {
	there, err := r.read(ctx, s.to)
	switch {
	case err != nil:
		return err
	case s.done != nil && s.done(there):
		r.Say("%s: done already", what)
		return nil
	case r.DryRun:
		r.Say("%s\n  %s", what, shell(s.command))
		return nil
	}
	r.Say("%s", what)
	for n := 1; ; n++ {
		err := s.do(ctx)
		if n == mostTries || !busy(err) {
			return err
		}
		if err := r.Pause(ctx, interval); err != nil {
			return err
		}
	}
}

const (
	interval  = 30 * time.Second // between two looks; a restore takes from twenty minutes to hours
	mostTries = 40               // of a call while the table is busy
)

// busy reports whether a table does not take a change yet.
func busy(err error) bool {
	var (
		inUse *types.ResourceInUseException
		limit *types.LimitExceededException
		soon  *types.ContinuousBackupsUnavailableException
	)
	return errors.As(err, &inUse) || errors.As(err, &limit) || errors.As(err, &soon)
}

// stamp is how a time is written in commands and messages.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// suffix is what the name of a restored table ends in.
var suffix = regexp.MustCompile(`-at-\d{8}T\d{6}Z$`)

// target is the name of the table that a table is restored to.
func (r *PointInTime) target(name string) string {
	return suffix.ReplaceAllString(name, "") + r.To.UTC().Format("-at-20060102T150405Z")
}

// table is a table with what a restore leaves out; the zero value: there isn't one.
type table struct {
	types.TableDescription
	backups    bool  // point-in-time recovery is on
	days       int32 // of backups
	first      time.Time
	last       time.Time // that it can be restored to
	tags       []types.Tag
	timeToLive string // attribute; empty: none
}

// read reads a table; of one that is not there yet only the description.
func (r *PointInTime) read(ctx context.Context, name string) (t table, err error) {
	described, err := r.Client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if _, missing := errors.AsType[*types.ResourceNotFoundException](err); missing {
		return t, nil
	}
	if err != nil {
		return t, err
	}
	if t.TableDescription = *described.Table; t.TableStatus == types.TableStatusCreating {
		return t, nil
	}
	backups, err := r.Client.DescribeContinuousBackups(ctx, &dynamodb.DescribeContinuousBackupsInput{TableName: &name})
	if err != nil {
		return t, err
	}
	if past := backups.ContinuousBackupsDescription.PointInTimeRecoveryDescription; past != nil && past.PointInTimeRecoveryStatus == types.PointInTimeRecoveryStatusEnabled {
		t.backups, t.days = true, aws.ToInt32(past.RecoveryPeriodInDays)
		t.first, t.last = aws.ToTime(past.EarliestRestorableDateTime), aws.ToTime(past.LatestRestorableDateTime)
	}
	tags := dynamodb.ListTagsOfResourceInput{ResourceArn: t.TableArn}
	for {
		page, err := r.Client.ListTagsOfResource(ctx, &tags)
		if err != nil {
			return t, err
		}
		for _, tag := range page.Tags {
			if !strings.HasPrefix(aws.ToString(tag.Key), "aws:") { // CloudFormation's
				t.tags = append(t.tags, tag)
			}
		}
		if tags.NextToken = page.NextToken; tags.NextToken == nil {
			break
		}
	}
	life, err := r.Client.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: &name})
	if err != nil {
		return t, err
	}
	if d := life.TimeToLiveDescription; d != nil && (d.TimeToLiveStatus == types.TimeToLiveStatusEnabled || d.TimeToLiveStatus == types.TimeToLiveStatusEnabling) {
		t.timeToLive = aws.ToString(d.AttributeName)
	}
	return t, nil
}

// streams reports whether a table has a stream.
func (t *table) streams() bool {
	return t.StreamSpecification != nil && aws.ToBool(t.StreamSpecification.StreamEnabled)
}
