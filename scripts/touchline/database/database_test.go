package database

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/store"
	"touchline/shared/store/file"
	"touchline/shared/store/file/owner"
)

func TestNothingGoesToAWSUnlessAsked(t *testing.T) {
	aws := map[string]string{"AWS_PROFILE": "production", "AWS_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "s"}
	with := func(name, value string) map[string]string {
		m := map[string]string{name: value}
		for k, v := range aws {
			m[k] = v
		}
		return m
	}
	tests := []struct {
		name string
		give Flags
		env  map[string]string
		want string
	}{
		{"a profile is set", Flags{}, aws, ""},
		{"a folder before the environment", Flags{Local: Local{DataDir: "data"}}, with("AWS_ENDPOINT_URL_DYNAMODB", "http://b"), ""},
		{"flag before environment", Flags{Endpoint: "http://a"}, with("AWS_ENDPOINT_URL_DYNAMODB", "http://b"), "http://a"},
		{"DynamoDB's variable", Flags{}, with("AWS_ENDPOINT_URL_DYNAMODB", "http://b"), "http://b"},
		{"every service's variable", Flags{}, with("AWS_ENDPOINT_URL", "http://c"), "http://c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.give.endpoint(func(n string) string { return tt.env[n] }); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestAHintIsAboutTheSameData(t *testing.T) {
	f := Flags{Local: Local{DataDir: "/srv/my data"}}
	if got := f.Hint("keys list"); got != "touchline keys list --data-dir '/srv/my data'" {
		t.Error(got)
	}
	f = Flags{StackFlags: StackFlags{Stack: "prod", AWSFlags: AWSFlags{Profile: "federation", Region: "eu-west-1"}}}
	if got := f.Hint("keys revoke tk_1"); got != "touchline keys revoke tk_1 --stack prod --profile federation --region eu-west-1" {
		t.Error(got)
	}
}

func TestWhatAFileLacksIsSaid(t *testing.T) {
	for want, err := range map[string]error{
		"touchline.sock was removed":              fmt.Errorf("open: %w", owner.ErrInUse),
		"on a disk of this machine":               fmt.Errorf("%w: keep the data on a disk of this machine", owner.ErrNoLocks),
		"the disk of elsewhere takes no writes":   &fs.PathError{Op: "open", Path: filepath.Join("elsewhere", "x"), Err: syscall.ENOSPC},
		"the disk of DIR takes no writes":         file.ErrReadOnly,
		"bring the last backup back":              file.ErrDamaged,
		"the process that shared the data in DIR": file.ErrClosed,
	} {
		if got := explainFile(err, "DIR"); got == nil || !strings.Contains(got.Error(), want) {
			t.Errorf("%v is explained as %v, want %q", err, got, want)
		}
	}
}

func TestAStackMayBeNamedByItsARN(t *testing.T) {
	name, err := StackFlags{Stack: "arn:aws:cloudformation:eu-central-1:1:stack/dev/1"}.name()
	if err != nil || !strings.HasPrefix(name, "arn:") {
		t.Errorf("%q, %v", name, err)
	}
}

// What doctor calls damaged, but for a record that costs itself, is not shared with anybody.
func TestADamagedFileIsNotShared(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	path := filepath.Join(folder, FileName)
	written := func(text string) []byte {
		f, err := file.Open(path, file.Options{NoSync: true})
		must(t, err)
		var writes []store.Write
		for i := range 100 {
			writes = append(writes, store.Write{Key: store.Key{PK: fmt.Sprint(i)}, Item: store.Item{"a": &types.AttributeValueMemberS{Value: strings.Repeat(text, 500)}}})
		}
		_, err = f.Write(t.Context(), "sports", writes)
		must(t, errors.Join(err, f.Close()))
		content, err := os.ReadFile(path)
		must(t, err)
		return content
	}
	first, second := written("a"), written("b")
	refused := 0
	for from := 2 * os.Getpagesize(); from < min(len(first), len(second)); from += os.Getpagesize() {
		lost := slices.Clone(second) // a page that was never written
		copy(lost[from:from+os.Getpagesize()], first[from:])
		must(t, os.WriteFile(path, lost, 0o600))
		f, err := file.Open(path, file.Options{})
		if err != nil {
			continue
		}
		report, err := f.Check(t.Context())
		must(t, errors.Join(err, f.Close()))
		d, err := own(t.Context(), folder)
		if err == nil {
			d.Close()
		}
		if (err != nil) != (report.Lost != "") {
			t.Errorf("page %d, %q: %v", from/os.Getpagesize(), report.Lost, err)
		}
		if err != nil {
			refused++
		}
	}
	if refused == 0 {
		t.Error("no page was missed")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
