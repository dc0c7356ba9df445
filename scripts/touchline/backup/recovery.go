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

	counters "touchline/shared/limits/dynamo"
	"touchline/shared/stack"
	"touchline/shared/store/dynamo"
)

// Recovery brings tables of a deployment back. One that is there is restored to a second
// of the past, into a new table whose name follows from the two. Of one that was deleted
// AWS keeps for 35 days what it held then, and nothing else: it comes back under its name,
// so that rights, alarms and variables are about it as they were. Each gets what a restore
// leaves out: backups, tags, expiry, protection from deletion.
//
// Each step may be repeated: killed anywhere, the same call goes on. No table that is there
// is changed. AWS's own commands, six for each table, begin anew or leave something out.
type Recovery struct {
	Client *dynamodb.Client
	Stage  string
	To     time.Time // the second to go back to; zero: to bring back what was deleted
	DryRun bool      // say what would be done, and read only
	// Say prints a line.
	Say func(format string, args ...any)
	// Pause waits between two looks at a table that is being restored.
	Pause func(context.Context, time.Duration) error
}

// Table is a table of a deployment.
type Table struct {
	Name    string
	Empty   *dynamodb.CreateTableInput // of one whose items expire: it is made where there is no backup; nil: it is protected
	Backups bool                       // it has point-in-time recovery
}

// Run brings tables back, and returns their names in the same order. All of them are begun
// before the first is waited for.
func (r *Recovery) Run(ctx context.Context, tables []Table) (names []string, err error) {
	var begun []Table
	for _, t := range tables {
		from := t.Name
		if !r.To.IsZero() {
			t.Name = suffix.ReplaceAllString(from, "") + r.To.UTC().Format("-at-20060102T150405Z")
		}
		names = append(names, t.Name)
		there, err := r.read(ctx, t.Name)
		for err == nil && there != nil && there.TableStatus == types.TableStatusDeleting {
			r.Say("wait until %s is deleted", t.Name)
			if err = r.Pause(ctx, interval); err == nil {
				there, err = r.read(ctx, t.Name)
			}
		}
		whole := false
		if err == nil && there != nil && r.To.IsZero() && there.RestoreSummary == nil && there.TableStatus == types.TableStatusActive {
			whole, err = r.expires(ctx, t)
		}
		switch {
		case err != nil:
			return nil, err
		case there == nil:
			err = r.begin(ctx, from, t)
		case whole, t.Name == from && !r.To.IsZero():
			r.Say("%s is there", t.Name)
			continue
		case !r.To.IsZero() && !r.of(there, from):
			err = fmt.Errorf("there is a table %s that was not restored from %s to %s: remove it, or choose another second", t.Name, from, stamp(r.To))
		}
		if err != nil {
			return nil, err
		}
		begun = append(begun, t)
	}
	for _, t := range begun {
		if err := r.finish(ctx, t); err != nil {
			return nil, fmt.Errorf("%s: %w\nRun it again to go on", t.Name, err)
		}
	}
	return names, nil
}

const (
	interval  = 30 * time.Second // between two looks; a restore takes from twenty minutes to hours
	mostTries = 40               // of a call while the table is busy
)

// stamp is how a time is written in commands and messages.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// suffix is what the name of a table ends in that was restored to a second.
var suffix = regexp.MustCompile(`-at-\d{8}T\d{6}Z$`)

// read describes a table; nil: there isn't one.
func (r *Recovery) read(ctx context.Context, name string) (*types.TableDescription, error) {
	described, err := r.Client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if errors.As(err, new(*types.ResourceNotFoundException)) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return described.Table, nil
}

// of reports whether a table was restored from another one, to the second.
func (r *Recovery) of(t *types.TableDescription, from string) bool {
	s := t.RestoreSummary
	return s != nil && strings.HasSuffix(aws.ToString(s.SourceTableArn), ":table/"+from) && aws.ToTime(s.RestoreDateTime).Equal(r.To)
}

// begin has a table made that is not there.
func (r *Recovery) begin(ctx context.Context, from string, t Table) error {
	if r.To.IsZero() {
		return r.bringBack(ctx, t)
	}
	origin, err := r.read(ctx, from)
	if err != nil {
		return err
	}
	if origin == nil {
		return fmt.Errorf("there is no table %s: of one that was deleted no second can be chosen. Without --to it comes back as it was then", from)
	}
	backups, err := r.Client.DescribeContinuousBackups(ctx, &dynamodb.DescribeContinuousBackupsInput{TableName: &from})
	if err != nil {
		return err
	}
	past := backups.ContinuousBackupsDescription.PointInTimeRecoveryDescription
	if past == nil || past.PointInTimeRecoveryStatus != types.PointInTimeRecoveryStatusEnabled {
		return fmt.Errorf("table %s has no backups of the past (point-in-time recovery is off): load its dataset again", from)
	}
	if first, last := aws.ToTime(past.EarliestRestorableDateTime), aws.ToTime(past.LatestRestorableDateTime); r.To.Before(first) || r.To.After(last) {
		return fmt.Errorf("table %s can be restored to any second from %s to %s, not to %s", from, stamp(first), stamp(last), stamp(r.To))
	}
	return do(ctx, r, "restore "+from+" into "+t.Name, r.Client.RestoreTableToPointInTime,
		&dynamodb.RestoreTableToPointInTimeInput{SourceTableArn: origin.TableArn, TargetTableName: &t.Name, RestoreDateTime: &r.To})
}

// bringBack has a table made of the last backup that AWS made as it was deleted.
func (r *Recovery) bringBack(ctx context.Context, t Table) error {
	var last types.BackupSummary
	list := dynamodb.ListBackupsInput{TableName: &t.Name, BackupType: types.BackupTypeFilterSystem}
	for {
		page, err := r.Client.ListBackups(ctx, &list)
		if err != nil {
			return err
		}
		for _, b := range page.BackupSummaries {
			if b.BackupStatus == types.BackupStatusAvailable && aws.ToTime(b.BackupCreationDateTime).After(aws.ToTime(last.BackupCreationDateTime)) {
				last = b
			}
		}
		if list.ExclusiveStartBackupArn = page.LastEvaluatedBackupArn; list.ExclusiveStartBackupArn == nil {
			break
		}
	}
	switch {
	case last.BackupArn != nil:
		return do(ctx, r, fmt.Sprintf("restore %s as it was when it was deleted (%s)", t.Name, stamp(*last.BackupCreationDateTime)), r.Client.RestoreTableFromBackup,
			&dynamodb.RestoreTableFromBackupInput{BackupArn: last.BackupArn, TargetTableName: &t.Name})
	case t.Empty != nil:
		t.Empty.SSESpecification = &types.SSESpecification{Enabled: aws.Bool(true), SSEType: types.SSETypeKms}
		return do(ctx, r, "make "+t.Name+", empty: there is no backup of it", r.Client.CreateTable, t.Empty)
	}
	return fmt.Errorf("there is no table %s, and AWS has no backup of it: it was deleted more than 35 days ago, in another account or region, or had no point-in-time recovery", t.Name)
}

// finish waits until a table can be used, and gives it what a restore leaves out.
func (r *Recovery) finish(ctx context.Context, t Table) error {
	r.Say("wait until %s is there, from twenty minutes to hours", t.Name)
	made := &types.TableDescription{TableArn: &t.Name}
	for !r.DryRun {
		var err error
		if made, err = r.read(ctx, t.Name); err != nil {
			return err
		}
		if made != nil && made.TableStatus == types.TableStatusActive {
			break
		}
		if err := r.Pause(ctx, interval); err != nil {
			return err
		}
	}
	if t.Backups {
		on := &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(true), RecoveryPeriodInDays: aws.Int32(dynamo.BackupDays)}
		if err := do(ctx, r, "back "+t.Name+" up", r.Client.UpdateContinuousBackups, &dynamodb.UpdateContinuousBackupsInput{TableName: &t.Name, PointInTimeRecoverySpecification: on}); err != nil {
			return err
		}
	}
	var tags []types.Tag
	for key, value := range stack.Tags(r.Stage) {
		tags = append(tags, types.Tag{Key: &key, Value: &value})
	}
	slices.SortFunc(tags, func(a, b types.Tag) int { return strings.Compare(*a.Key, *b.Key) })
	if err := do(ctx, r, "tag "+t.Name, r.Client.TagResource, &dynamodb.TagResourceInput{ResourceArn: made.TableArn, Tags: tags}); err != nil {
		return err
	}
	if t.Empty != nil {
		if done, err := r.expires(ctx, t); !r.DryRun && (done || err != nil) {
			return err
		}
		return do(ctx, r, "have items of "+t.Name+" expire", r.Client.UpdateTimeToLive, counters.TimeToLive(t.Name))
	}
	if aws.ToBool(made.DeletionProtectionEnabled) {
		return nil
	}
	return do(ctx, r, "protect "+t.Name+" from deletion", r.Client.UpdateTable, &dynamodb.UpdateTableInput{TableName: &t.Name, DeletionProtectionEnabled: aws.Bool(true)})
}

// expires reports whether items of a table expire, if they should.
func (r *Recovery) expires(ctx context.Context, t Table) (bool, error) {
	if t.Empty == nil {
		return true, nil
	}
	said, err := r.Client.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: &t.Name})
	return err == nil && said.TimeToLiveDescription.TimeToLiveStatus != types.TimeToLiveStatusDisabled, err
}

// do says what a call is for and makes it, again while the table is busy.
func do[I, O any](ctx context.Context, r *Recovery, what string, operation func(context.Context, *I, ...func(*dynamodb.Options)) (*O, error), in *I) error {
	r.Say("%s", what)
	for n := 1; !r.DryRun; n++ {
		_, err := operation(ctx, in)
		if err == nil {
			return nil
		}
		if n == mostTries || !busy(err) {
			return fmt.Errorf("%s: %w", what, err)
		}
		if err := r.Pause(ctx, interval); err != nil {
			return err
		}
	}
	return nil
}

// busy reports whether a table does not take a change yet.
func busy(err error) bool {
	return errors.As(err, new(*types.ResourceInUseException)) || errors.As(err, new(*types.LimitExceededException)) ||
		errors.As(err, new(*types.ContinuousBackupsUnavailableException))
}
