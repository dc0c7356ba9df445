package webconsole

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/shared/engine"
)

// Backup is something to restore from.
type Backup struct {
	Name  string // a file, or a table
	From  time.Time
	Bytes int64     // of a file
	Until time.Time // of a table: any second between From and Until; zero: of a file
}

// maxBackups bounds the files of a list.
const maxBackups = 100

// BackupFiles are the backups in a folder, the newest first, maxBackups at most. Other files are
// passed over.
func BackupFiles(dir string) ([]Backup, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []Backup
	for _, e := range entries {
		if !e.Type().IsRegular() || filepath.Ext(e.Name()) != ".db" {
			continue
		}
		if info, err := e.Info(); err == nil {
			all = append(all, Backup{Name: filepath.Join(dir, e.Name()), From: info.ModTime(), Bytes: info.Size()})
		}
	}
	slices.SortFunc(all, func(a, b Backup) int { return b.From.Compare(a.From) })
	all = all[:min(len(all), maxBackups)]
	return slices.DeleteFunc(all, func(b Backup) bool {
		size := engine.Size(b.Name)
		return size == 0 // no database
	}), nil
}

// backupDescriber is what BackupTables asks.
type backupDescriber interface {
	DescribeContinuousBackups(context.Context, *dynamodb.DescribeContinuousBackupsInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeContinuousBackupsOutput, error)
}

// BackupTables are the times that tables can be restored to. A table that cannot be restored
// is left out.
func BackupTables(ctx context.Context, client backupDescriber, names ...string) ([]Backup, error) {
	var all []Backup
	for _, name := range names {
		out, err := client.DescribeContinuousBackups(ctx, &dynamodb.DescribeContinuousBackupsInput{TableName: &name})
		if err != nil {
			return nil, fmt.Errorf("backups of table %s: %w", name, err)
		}
		d := out.ContinuousBackupsDescription
		if d == nil || d.PointInTimeRecoveryDescription == nil {
			continue
		}
		if p := d.PointInTimeRecoveryDescription; p.EarliestRestorableDateTime != nil && p.LatestRestorableDateTime != nil {
			all = append(all, Backup{Name: name, From: *p.EarliestRestorableDateTime, Until: *p.LatestRestorableDateTime})
		}
	}
	return all, nil
}
