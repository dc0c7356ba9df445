package backup

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

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
		command("restore-table-to-point-in-time", "--source-table-arn", *o.TableArn, "--target-table-name", to, "--restore-date-time", stamp(r.To)),
		exists,
		call(r.Client.RestoreTableToPointInTime, &dynamodb.RestoreTableToPointInTimeInput{SourceTableArn: o.TableArn, TargetTableName: &to, RestoreDateTime: &r.To}),
	}
	then = []step{r.wait(to), r.backups(o, to)}
	if len(o.tags) > 0 {
		then = append(then, r.tags(o, to))
	}
	if o.timeToLive != "" {
		then = append(then, step{
			to, "let items of " + to + " expire",
			command("update-time-to-live", "--table-name", to, "--time-to-live-specification", "Enabled=true,AttributeName="+o.timeToLive),
			func(t table) bool { return t.timeToLive != "" },
			call(r.Client.UpdateTimeToLive, &dynamodb.UpdateTimeToLiveInput{TableName: &to, TimeToLiveSpecification: &types.TimeToLiveSpecification{
				AttributeName: &o.timeToLive, Enabled: aws.Bool(true),
			}}),
		})
	}
	if o.streams() {
		then = append(then, step{
			to, "give " + to + " its stream",
			command("update-table", "--table-name", to, "--stream-specification", "StreamEnabled=true,StreamViewType="+string(o.StreamSpecification.StreamViewType)),
			func(t table) bool { return t.streams() },
			call(r.Client.UpdateTable, &dynamodb.UpdateTableInput{TableName: &to, StreamSpecification: o.StreamSpecification}),
		})
	}
	if aws.ToBool(o.DeletionProtectionEnabled) {
		then = append(then, step{
			to, "protect " + to + " from deletion",
			command("update-table", "--table-name", to, "--deletion-protection-enabled"),
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
		[]string{"until", "[", `"$(aws dynamodb describe-table --table-name ` + to + ` --query Table.TableStatus --output text)"`, "=", "ACTIVE", "];", "do", "sleep", "30;", "done"},
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
	written := "PointInTimeRecoveryEnabled=true"
	if o.days > 0 {
		on.RecoveryPeriodInDays = &o.days
		written += fmt.Sprintf(",RecoveryPeriodInDays=%d", o.days)
	}
	return step{
		to, "back " + to + " up",
		command("update-continuous-backups", "--table-name", to, "--point-in-time-recovery-specification", written),
		func(t table) bool { return t.backups && t.days == o.days },
		call(r.Client.UpdateContinuousBackups, &dynamodb.UpdateContinuousBackupsInput{TableName: &to, PointInTimeRecoverySpecification: on}),
	}
}

// tags gives a table those of its origin.
func (r *PointInTime) tags(o table, to string) step {
	arn := strings.TrimSuffix(*o.TableArn, *o.TableName) + to
	line := command("tag-resource", "--resource-arn", arn, "--tags")
	for _, tag := range o.tags {
		line = append(line, "Key="+aws.ToString(tag.Key)+",Value="+aws.ToString(tag.Value))
	}
	return step{to, "tag " + to, line, nil, call(r.Client.TagResource, &dynamodb.TagResourceInput{ResourceArn: &arn, Tags: o.tags})}
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
