package webconsole

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// database is the head of a database file with one page.
func database() []byte {
	head := make([]byte, 4096)
	copy(head, "SQLite format 3\x00")
	head[16], head[31] = 0x10, 1
	return head
}

func TestFilesAreTheBackupsOfAFolder(t *testing.T) {
	dir, begin := t.TempDir(), time.Date(2026, time.March, 14, 15, 0, 0, 0, time.UTC)
	for i, f := range []struct {
		name    string
		content []byte
	}{{"older.db", database()}, {"newer.db", database()}, {"other.db", []byte("no database")}, {"notes.txt", database()}} {
		path := filepath.Join(dir, f.name)
		if err := os.WriteFile(path, f.content, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, begin, begin.Add(time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.db"), 0o700); err != nil {
		t.Fatal(err)
	}
	all, err := BackupFiles(dir)
	if err != nil || len(all) != 2 || filepath.Base(all[0].Name) != "newer.db" || filepath.Base(all[1].Name) != "older.db" || all[0].Bytes != 4096 || !all[1].From.Equal(begin) {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := BackupFiles(filepath.Join(dir, "none")); err == nil {
		t.Error("a folder that is not there")
	}
}

type described map[string]*types.PointInTimeRecoveryDescription

func (d described) DescribeContinuousBackups(_ context.Context, in *dynamodb.DescribeContinuousBackupsInput, _ ...func(*dynamodb.Options)) (*dynamodb.DescribeContinuousBackupsOutput, error) {
	return &dynamodb.DescribeContinuousBackupsOutput{ContinuousBackupsDescription: &types.ContinuousBackupsDescription{PointInTimeRecoveryDescription: d[*in.TableName]}}, nil
}

func TestTablesAreThoseThatCanBeRestored(t *testing.T) {
	from, until := time.Unix(1, 0), time.Unix(2, 0)
	all, err := BackupTables(t.Context(), described{"sports": {EarliestRestorableDateTime: &from, LatestRestorableDateTime: &until}, "keys": {}}, "sports", "keys", "gone")
	if err != nil || len(all) != 1 || all[0] != (Backup{Name: "sports", From: from, Until: until}) {
		t.Errorf("%+v, %v", all, err)
	}
}
