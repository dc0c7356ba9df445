// Package demo is the small federation of a first look: a country, clubs and people that
// were made up, with an example of most that the API can show or must
// hide. Its data folder is a dataset, as of one day on which nothing but one live match
// is played.
package demo

import (
	"compress/gzip"
	"embed"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

//go:embed data
var data embed.FS

// day is the one that the data are of, untilNow the days of their season before it.
var day = time.Date(2026, time.March, 13, 0, 0, 0, 0, time.UTC)

const untilNow = 14*7 + 6

// played is how long the live match has been going on, its break included.
const played = 68 * time.Minute

var moving = regexp.MustCompile(`("status":"live","kickoffAt":")[^"]+|("(?:kickoffAt|kickoffLocal|endsAt)":")(\d{4}-\d\d-\d\d)|("season":)(\d{4})`)

// Write writes the dataset to a folder, moved so that the day is that of now, and the
// live match goes on.
func Write(folder string, now time.Time) error {
	days := int(now.UTC().Truncate(24*time.Hour).Sub(day) / (24 * time.Hour))
	years := day.AddDate(0, 0, days-untilNow).Year() - day.AddDate(0, 0, -untilNow).Year()
	move := func(found string) string {
		part := moving.FindStringSubmatch(found)
		switch {
		case part[1] != "":
			return part[1] + now.UTC().Add(-played).Truncate(5*time.Minute).Format("2006-01-02T15:04:05.000Z")
		case part[2] != "":
			at, _ := time.Parse(time.DateOnly, part[3]) // the expression found one
			return part[2] + at.AddDate(0, 0, days).Format(time.DateOnly)
		}
		season, _ := strconv.Atoi(part[5])
		return part[4] + strconv.Itoa(season+years)
	}
	return fs.WalkDir(data, "data", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := read(data, path)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(entry.Name(), ".gz")
		return os.WriteFile(filepath.Join(folder, name), []byte(moving.ReplaceAllStringFunc(text, move)), 0o600)
	})
}

// read is what a file says, unpacked.
func read(from fs.FS, path string) (string, error) {
	f, err := from.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // it was read alone
	var packed io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if packed, err = gzip.NewReader(f); err != nil {
			return "", err
		}
	}
	text, err := io.ReadAll(packed)
	return string(text), err
}
