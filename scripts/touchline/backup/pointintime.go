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
// new table, which gets what DynamoDB leaves out of a restore: backups, tags, protection
// from deletion. The tables have neither a stream nor a time to live.
//
// The new table's name follows from the old one's and the time. Each step looks
// whether it was done before: killed anywhere, the same call goes on. The old tables
// stay as they are.
type PointInTime struct {
	Client *dynamodb.Client
	To     time.Time // the second to go back to
	DryRun bool      // say what would be done, and read only
	// Say prints a line.
	Say func(format string, args ...any)
	// Pause waits between two looks at a table that is being restored.
	Pause func(context.Context, time.Duration) error
}

// step is one change of a new table.
type step struct {
	to   string // the table's name
	what string
	done func(table) bool // nil: to do it again changes nothing
	do   func(context.Context) error
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
	}
	r.Say("%s", what)
	if r.DryRun {
		return nil
	}
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
	backups     bool      // point-in-time recovery is on
	days        int32     // of backups
	first, last time.Time // that it can be restored to
	tags        []types.Tag
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
	return t, nil
}

// steps are what restores a table, the call that begins it and what comes after.
func (r *PointInTime) steps(ctx context.Context, name, to string) (begin step, then []step, err error) {
	o, err := r.read(ctx, name)
	if err != nil {
		return begin, nil, err
	}
	there, err := r.read(ctx, to)
	if err != nil {
		return begin, nil, err
	}
	exists := func(t table) bool { return t.TableName != nil }
	s := there.RestoreSummary
	switch {
	case !exists(o):
		return begin, nil, fmt.Errorf("there is no table %s", name)
	case !o.backups:
		return begin, nil, fmt.Errorf("table %s has no backups of the past (point-in-time recovery is off): load its dataset again", name)
	case exists(there) && (s == nil || aws.ToString(s.SourceTableArn) != *o.TableArn || stamp(aws.ToTime(s.RestoreDateTime)) != stamp(r.To)):
		return begin, nil, fmt.Errorf("there is a table %s that was not restored from %s to %s: remove it, or choose another second", to, name, stamp(r.To))
	case !exists(there) && (r.To.Before(o.first) || r.To.After(o.last)):
		return begin, nil, fmt.Errorf("table %s can be restored to any second from %s to %s, not to %s", name, stamp(o.first), stamp(o.last), stamp(r.To))
	}
	begin = step{
		to, "restore " + name + " into " + to,
		exists,
		call(r.Client.RestoreTableToPointInTime, &dynamodb.RestoreTableToPointInTimeInput{SourceTableArn: o.TableArn, TargetTableName: &to, RestoreDateTime: &r.To}),
	}
	then = []step{r.wait(to), r.backups(o, to)}
	if len(o.tags) > 0 {
		then = append(then, r.tags(o, to))
	}
	if aws.ToBool(o.DeletionProtectionEnabled) {
		then = append(then, step{
			to, "protect " + to + " from deletion",
			func(t table) bool { return aws.ToBool(t.DeletionProtectionEnabled) },
			call(r.Client.UpdateTable, &dynamodb.UpdateTableInput{TableName: &to, DeletionProtectionEnabled: aws.Bool(true)}),
		})
	}
	return begin, then, nil
}

// wait waits until a table can be used.
func (r *PointInTime) wait(to string) step {
	active := func(t table) bool { return t.TableStatus == types.TableStatusActive }
	return step{
		to, "wait until " + to + " is there, from twenty minutes to hours",
		active,
		func(ctx context.Context) error {
			for {
				if t, err := r.read(ctx, to); err != nil || active(t) {
					return err
				}
				if err := r.Pause(ctx, interval); err != nil {
					return err
				}
			}
		},
	}
}

// backups switches point-in-time recovery on, for as many days.
func (r *PointInTime) backups(o table, to string) step {
	on := &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(true)}
	if o.days > 0 {
		on.RecoveryPeriodInDays = &o.days
	}
	return step{
		to, "back " + to + " up",
		func(t table) bool { return t.backups && t.days == o.days },
		call(r.Client.UpdateContinuousBackups, &dynamodb.UpdateContinuousBackupsInput{TableName: &to, PointInTimeRecoverySpecification: on}),
	}
}

// tags gives a table those of its origin.
func (r *PointInTime) tags(o table, to string) step {
	arn := strings.TrimSuffix(*o.TableArn, *o.TableName) + to
	return step{to, "tag " + to, nil, call(r.Client.TagResource, &dynamodb.TagResourceInput{ResourceArn: &arn, Tags: o.tags})}
}

// call is a call of an operation whose output is not needed.
func call[I, O any](operation func(context.Context, *I, ...func(*dynamodb.Options)) (*O, error), in *I) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := operation(ctx, in)
		return err
	}
}
