package backup

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// steps are what restores a table, the call that begins it and what comes after.
func (r *PointInTime) steps(ctx context.Context, o origin, to string) (begin step, then []step, err error) {
	there, err := r.restored(ctx, o, to)
	if err != nil {
		return begin, nil, err
	}
	if !there && (r.To.Before(o.first) || r.To.After(o.last)) {
		return begin, nil, fmt.Errorf("table %s can be restored to any second from %s to %s, not to %s", *o.TableName, stamp(o.first), stamp(o.last), stamp(r.To))
	}
	begin = step{
		"restore " + *o.TableName + " into " + to,
		command("restore-table-to-point-in-time", "--source-table-arn", *o.TableArn, "--target-table-name", to, "--restore-date-time", stamp(r.To)),
		func(ctx context.Context) (bool, error) { return r.restored(ctx, o, to) },
		call(r.Client.RestoreTableToPointInTime, &dynamodb.RestoreTableToPointInTimeInput{SourceTableArn: o.TableArn, TargetTableName: &to, RestoreDateTime: &r.To}),
	}
	then = []step{r.wait(to), r.backups(o, to)}
	if len(o.tags) > 0 {
		then = append(then, r.tags(o, to))
	}
	if o.timeToLive != "" {
		then = append(then, r.timeToLive(o, to))
	}
	if s := o.StreamSpecification; s != nil && aws.ToBool(s.StreamEnabled) {
		then = append(then, r.update(to, "give "+to+" its stream",
			[]string{"--stream-specification", "StreamEnabled=true,StreamViewType=" + string(s.StreamViewType)},
			func(t *types.TableDescription) bool {
				return t.StreamSpecification != nil && aws.ToBool(t.StreamSpecification.StreamEnabled)
			}, dynamodb.UpdateTableInput{StreamSpecification: s}))
	}
	if aws.ToBool(o.DeletionProtectionEnabled) {
		then = append(then, r.update(to, "protect "+to+" from deletion", []string{"--deletion-protection-enabled"},
			func(t *types.TableDescription) bool { return aws.ToBool(t.DeletionProtectionEnabled) },
			dynamodb.UpdateTableInput{DeletionProtectionEnabled: aws.Bool(true)}))
	}
	return begin, then, nil
}

// described is a table; nil: there isn't one.
func (r *PointInTime) described(ctx context.Context, name string) (*types.TableDescription, error) {
	out, err := r.Client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if _, missing := errors.AsType[*types.ResourceNotFoundException](err); missing {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return out.Table, nil
}

// restored reports whether the restore was begun before. Another table of the name is
// an error.
func (r *PointInTime) restored(ctx context.Context, o origin, to string) (bool, error) {
	t, err := r.described(ctx, to)
	if err != nil || t == nil {
		return false, err
	}
	if s := t.RestoreSummary; s == nil || aws.ToString(s.SourceTableArn) != *o.TableArn || stamp(aws.ToTime(s.RestoreDateTime)) != stamp(r.To) {
		return false, fmt.Errorf("there is a table %s that was not restored from %s to %s: remove it, or choose another second", to, *o.TableName, stamp(r.To))
	}
	return true, nil
}

// wait waits until a table can be used.
func (r *PointInTime) wait(to string) step {
	active := func(ctx context.Context) (bool, error) {
		t, err := r.described(ctx, to)
		return t != nil && t.TableStatus == types.TableStatusActive, err
	}
	return step{
		"wait until " + to + " is there, from twenty minutes to hours",
		[]string{"until", "[", `"$(aws dynamodb describe-table --table-name ` + to + ` --query Table.TableStatus --output text)"`, "=", "ACTIVE", "];", "do", "sleep", "30;", "done"},
		active,
		func(ctx context.Context) error {
			for {
				if done, err := active(ctx); done || err != nil {
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
func (r *PointInTime) backups(o origin, to string) step {
	on := &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(true)}
	written := "PointInTimeRecoveryEnabled=true"
	if o.days > 0 {
		on.RecoveryPeriodInDays = &o.days
		written += fmt.Sprintf(",RecoveryPeriodInDays=%d", o.days)
	}
	return step{
		"back " + to + " up",
		command("update-continuous-backups", "--table-name", to, "--point-in-time-recovery-specification", written),
		func(ctx context.Context) (bool, error) {
			if t, err := r.described(ctx, to); t == nil {
				return false, err
			}
			out, err := r.Client.DescribeContinuousBackups(ctx, &dynamodb.DescribeContinuousBackupsInput{TableName: &to})
			if err != nil {
				return false, err
			}
			p := out.ContinuousBackupsDescription.PointInTimeRecoveryDescription
			return p != nil && p.PointInTimeRecoveryStatus == types.PointInTimeRecoveryStatusEnabled && aws.ToInt32(p.RecoveryPeriodInDays) == o.days, nil
		},
		call(r.Client.UpdateContinuousBackups, &dynamodb.UpdateContinuousBackupsInput{TableName: &to, PointInTimeRecoverySpecification: on}),
	}
}

// tags gives a table those of its origin. To set them again changes nothing.
func (r *PointInTime) tags(o origin, to string) step {
	arn := strings.TrimSuffix(*o.TableArn, *o.TableName) + to
	line := command("tag-resource", "--resource-arn", arn, "--tags")
	for _, tag := range o.tags {
		line = append(line, "Key="+aws.ToString(tag.Key)+",Value="+aws.ToString(tag.Value))
	}
	return step{
		"tag " + to, line,
		func(context.Context) (bool, error) { return false, nil },
		call(r.Client.TagResource, &dynamodb.TagResourceInput{ResourceArn: &arn, Tags: o.tags}),
	}
}

// timeToLive lets items expire.
func (r *PointInTime) timeToLive(o origin, to string) step {
	return step{
		"let items of " + to + " expire",
		command("update-time-to-live", "--table-name", to, "--time-to-live-specification", "Enabled=true,AttributeName="+o.timeToLive),
		func(ctx context.Context) (bool, error) {
			if t, err := r.described(ctx, to); t == nil {
				return false, err
			}
			out, err := r.Client.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: &to})
			if err != nil {
				return false, err
			}
			d := out.TimeToLiveDescription
			return d != nil && (d.TimeToLiveStatus == types.TimeToLiveStatusEnabled || d.TimeToLiveStatus == types.TimeToLiveStatusEnabling), nil
		},
		call(r.Client.UpdateTimeToLive, &dynamodb.UpdateTimeToLiveInput{TableName: &to, TimeToLiveSpecification: &types.TimeToLiveSpecification{
			AttributeName: &o.timeToLive, Enabled: aws.Bool(true),
		}}),
	}
}

// update changes a table, unless it is so already.
func (r *PointInTime) update(to, what string, flags []string, so func(*types.TableDescription) bool, in dynamodb.UpdateTableInput) step {
	in.TableName = &to
	return step{
		what, command("update-table", append([]string{"--table-name", to}, flags...)...),
		func(ctx context.Context) (bool, error) {
			t, err := r.described(ctx, to)
			return t != nil && so(t), err
		},
		call(r.Client.UpdateTable, &in),
	}
}

// call is a call of an operation whose output is not needed.
func call[I, O any](operation func(context.Context, *I, ...func(*dynamodb.Options)) (*O, error), in *I) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := operation(ctx, in)
		return err
	}
}

func command(operation string, flags ...string) []string {
	return append([]string{"aws", "dynamodb", operation}, flags...)
}

var unquoted = regexp.MustCompile(`^[A-Za-z0-9_./:=,@+\[\];-]+$|^"`)

// shell is a command as a shell takes it.
func shell(words []string) string {
	var quoted []string
	for _, w := range words {
		if !unquoted.MatchString(w) {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		quoted = append(quoted, w)
	}
	return strings.Join(quoted, " ")
}
