package ingest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
)

// packed is an entry of an archive.
type packed struct {
	name string
	text string
	kind byte   // of a tar; 0 is a file
	mode uint32 // of a zip
	flag uint16 // of a zip
}

func tarOf(t testing.TB, entries ...packed) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	w := tar.NewWriter(z)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(e.text))}
		if e.kind != 0 {
			h.Typeflag, h.Linkname, h.Size = e.kind, e.text, 0
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if e.kind == 0 {
			if _, err := io.WriteString(w, e.text); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zipOf(t testing.TB, entries ...packed) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Flags: e.flag}
		if e.mode != 0 {
			h.SetMode(os.FileMode(e.mode))
		}
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, e.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// unpack unpacks an archive into a folder and lists what is in it.
func unpack(t testing.TB, name string, archive []byte, limits Limits) (map[string]string, error) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "in")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // it is removed
	if _, err := f.Write(archive); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	err = Unpack(f, name, dir, limits)
	if beside, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(beside) != 1 {
		t.Errorf("%v is outside, %v", beside, err)
	}
	entries, readErr := os.ReadDir(dir)
	if readErr != nil {
		t.Fatal(readErr)
	}
	found := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		found[e.Name()] = string(text)
	}
	return found, err
}

func small() Limits { return Limits{Files: 8, Disk: 10_000, Plain: 50_000} }

func TestADropMayTakeMostOfADisk(t *testing.T) {
	if l := LimitsOf(512); l.Disk>>20 != 450 || l.Plain != 2048<<20 {
		t.Errorf("%+v", l)
	}
}

func gzipped(t testing.TB, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestArchivesOfADatasetAreUnpacked(t *testing.T) {
	want := map[string]string{"teams.ndjson": "1", "matches.ndjson.gz": gzipped(t, "2"), "readme.txt": ""}
	for name, folder := range map[string]string{"flat": "", "in a folder": "austria/", "from here": "./"} {
		entries := []packed{
			{name: folder + "teams.ndjson", text: "1"}, {name: folder + "matches.ndjson.gz", text: gzipped(t, "2")},
			{name: folder + "readme.txt", text: "not kept"}, {name: folder + "._teams.ndjson", text: "of a system"},
		}
		t.Run(name, func(t *testing.T) {
			for file, archive := range map[string][]byte{"a.tar.gz": tarOf(t, entries...), "a.TGZ": tarOf(t, entries...), "a.zip": zipOf(t, entries...)} {
				got, err := unpack(t, file, archive, small())
				if err != nil {
					t.Errorf("%s: %v", file, err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s: %s", file, diff)
				}
			}
		})
	}
}

func TestAFolderMayBePackedOnWindows(t *testing.T) {
	got, err := unpack(t, "a.zip", zipOf(t, packed{name: `est\teams.ndjson`, text: "1"}, packed{name: `est\sub\`}), small())
	if diff := cmp.Diff(map[string]string{"teams.ndjson": "1"}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestHostileArchivesAreAtFault(t *testing.T) {
	team := packed{name: "teams.ndjson", text: "{}"}
	long := strings.Repeat("a", 20_000)
	both := func(entries ...packed) map[string][]byte {
		return map[string][]byte{"a.tar.gz": tarOf(t, entries...), "a.zip": zipOf(t, entries...)}
	}
	whole := tarOf(t, packed{name: "teams.ndjson", text: "no whole file"})
	cases := []struct {
		name     string
		archives map[string][]byte
		says     string
	}{
		{"a path out of it", both(packed{name: "../teams.ndjson"}), "inside the archive"},
		{"a path out of a folder", both(packed{name: "a/../../teams.ndjson"}), "inside the archive"},
		{"an absolute path", both(packed{name: "/etc/teams.ndjson"}), "inside the archive"},
		{"another system's path", both(packed{name: `..\teams.ndjson`}), "inside the archive"},
		{"another system's path from the root", both(packed{name: `\teams.ndjson`}), "inside the archive"},
		{"a drive", both(packed{name: "C:teams.ndjson"}), "inside the archive"},
		{"deep folders", both(packed{name: "a/b/teams.ndjson"}), "not deeper"},
		{"two folders", both(packed{name: "a/teams.ndjson"}, packed{name: "b/players.ndjson"}), "several folders"},
		{"a file twice", both(team, team), "twice"},
		{"many files", both(packed{name: "1"}, packed{name: "2"}, packed{name: "3"}, packed{name: "4"}, packed{name: "5"}, packed{name: "6"}, packed{name: "7"}, packed{name: "8"}, team), "more than 8 files"},
		{"many hidden files", both(slices.Repeat([]packed{{name: ".x"}}, 9)...), "more than 8 files"},
		{"a long name", both(packed{name: long[:300] + ".ndjson"}), "longer than"},
		{"a large file", both(packed{name: "teams.ndjson", text: long}), "unpacks to more"},
		{"files large together", both(packed{name: "teams.ndjson", text: long[:6000]}, packed{name: "players.ndjson", text: long[:6000]}), "unpacks to more"},
		{"a bomb in a file", both(packed{name: "teams.ndjson.gz", text: gzipped(t, strings.Repeat("\n", 60_000))}), "uncompresses to more"},
		{"a bomb among hidden files", map[string][]byte{"a.tgz": tarOf(t, packed{name: ".x", text: strings.Repeat("a", 70_000)})}, "unpacks to more"},
		{"a link", map[string][]byte{"a.tgz": tarOf(t, packed{name: "teams.ndjson", kind: tar.TypeSymlink, text: "/etc/passwd"}), "a.zip": zipOf(t, packed{name: "teams.ndjson", mode: uint32(os.ModeSymlink | 0o777)})}, "link"},
		{"a hard link", map[string][]byte{"a.tgz": tarOf(t, packed{name: "teams.ndjson", kind: tar.TypeLink, text: "/etc/passwd"})}, "link"},
		{"a device", map[string][]byte{"a.tgz": tarOf(t, packed{name: "teams.ndjson", kind: tar.TypeChar}), "a.zip": zipOf(t, packed{name: "teams.ndjson", mode: uint32(os.ModeDevice | 0o600)})}, "device"},
		{"a pipe", map[string][]byte{"a.tgz": tarOf(t, packed{name: "teams.ndjson", kind: tar.TypeFifo})}, "device"},
		{"encrypted", map[string][]byte{"a.zip": zipOf(t, packed{name: "teams.ndjson", flag: 1})}, "encrypted"},
		{"no archive", map[string][]byte{"a.tgz": []byte("hello, this is text"), "a.zip": []byte("hello")}, "not a complete"},
		{"empty", map[string][]byte{"a.tgz": {}, "a.zip": {}}, "not a complete"},
		{"the other kind", map[string][]byte{"a.tgz": zipOf(t, team), "a.zip": tarOf(t, team)}, "not a complete"},
		{"cut off", map[string][]byte{"a.tgz": whole[:len(whole)/2], "a.zip": zipOf(t, team)[:60]}, "not a complete"},
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			for file, archive := range tt.archives {
				_, err := unpack(t, file, archive, small())
				var faults *dataset.Faults
				if !errors.As(err, &faults) {
					t.Fatalf("%s: %v is no fault", file, err)
				}
				if !strings.Contains(faults.Error(), tt.says) || faults.List[0].File == "" {
					t.Errorf("%s: %v, want it to say %q", file, faults, tt.says)
				}
			}
		})
	}
}

// failing is a store of one archive, whose reading fails after its beginning.
type failing struct {
	Objects
	name  string
	begin []byte
}

var errStore = errors.New("connection reset")

func (f failing) List(context.Context, string, string, int) ([]Object, error) {
	return []Object{{Key: "a/" + f.name}}, nil
}

func (f failing) Get(context.Context, string, string) (*Content, error) {
	return &Content{ReadCloser: io.NopCloser(io.MultiReader(bytes.NewReader(f.begin), iotest.ErrReader(errStore)))}, nil
}

// A failure of the store is not a fault of the archive: the drop is tried again.
func TestAnArchiveThatCannotBeFetchedIsNotAtFault(t *testing.T) {
	whole := tarOf(t, packed{name: "teams.ndjson", text: strings.Repeat("x", 5000)})
	for _, n := range []int{0, 5, len(whole) / 2} {
		_, err := fetch(t.Context(), failing{name: "a.tgz", begin: whole[:n]}, Drop{"bucket", "a"}, t.TempDir(), small())
		var faults *dataset.Faults
		if !errors.Is(err, errStore) || errors.As(err, &faults) {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
}

// The checksum of a compressed archive comes after its content. What follows it does not
// matter, within the limits.
func TestATarIsReadToItsEnd(t *testing.T) {
	team := packed{name: "teams.ndjson", text: "{}\n"}
	whole := tarOf(t, team)
	wrong := bytes.Clone(whole)
	wrong[len(wrong)-8] ^= 1
	plain, err := gzip.NewReader(bytes.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(plain)
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		archive string
		says    string
	}{
		"a wrong checksum":      {string(wrong), "not a complete"},
		"cut off at its end":    {string(whole[:len(whole)-5]), "not a complete"},
		"a bomb behind it":      {string(whole) + gzipped(t, strings.Repeat("\x00", 60_000)), "unpacks to more"},
		"several members":       {gzipped(t, string(text[:100])) + gzipped(t, string(text[100:700])) + gzipped(t, string(text[700:])), ""},
		"filled up with zeros":  {gzipped(t, string(text)+strings.Repeat("\x00", 9000)), ""},
		"filled up with others": {gzipped(t, string(text)+strings.Repeat("\xff", 1000)), ""},
		"without an end":        {gzipped(t, string(text[:1024])), ""},
		"zeros behind it":       {string(whole) + strings.Repeat("\x00", 512), ""},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := unpack(t, "a.tgz", []byte(tt.archive), small())
			var faults *dataset.Faults
			switch {
			case tt.says == "" && (err != nil || found["teams.ndjson"] != "{}\n"):
				t.Errorf("%q, %v", found, err)
			case tt.says != "" && (!errors.As(err, &faults) || !strings.Contains(err.Error(), tt.says)):
				t.Errorf("%v, want it to say %q", err, tt.says)
			}
		})
	}
}

// The directory of a zip is read before anything is known about it.
func TestTheDirectoryOfAZipIsBounded(t *testing.T) {
	archive := zipOf(t, slices.Repeat([]packed{{name: "." + strings.Repeat("x", 900)}}, 2000)...)
	r := &tallied{ReaderAt: bytes.NewReader(archive)}
	u := &unpacker{dir: t.TempDir(), limits: small(), source: "a.zip"}
	err := u.zip(r, int64(len(archive)))
	var faults *dataset.Faults
	if !errors.As(err, &faults) || !strings.Contains(err.Error(), "more than 8 files") {
		t.Error(err)
	}
	if r.read > 300_000 {
		t.Errorf("%d bytes of %d were read", r.read, len(archive))
	}
}

type tallied struct {
	io.ReaderAt
	read int
}

func (c *tallied) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, at)
	c.read += n
	return n, err
}

// Whatever the bytes: nothing is written outside the folder or beyond the
// limits, and every error is a fault.
func FuzzUnpack(f *testing.F) {
	team := packed{name: "a/teams.ndjson", text: "{}"}
	f.Add(true, tarOf(f, team, packed{name: "a/../x", kind: tar.TypeSymlink, text: "/"}))
	f.Add(false, zipOf(f, team, packed{name: "../players.ndjson.gz", text: "\x1f\x8b"}))
	f.Fuzz(func(t *testing.T, asTar bool, archive []byte) {
		name := "a.zip"
		if asTar {
			name = "a.tgz"
		}
		found, err := unpack(t, name, archive, small())
		var faults *dataset.Faults
		if err != nil && !errors.As(err, &faults) {
			t.Fatalf("%v is no fault", err)
		}
		size := 0
		for _, text := range found {
			size += len(text)
		}
		if int64(size) > small().Disk+1 || len(found) > small().Files {
			t.Fatalf("%d files of %d bytes", len(found), size)
		}
	})
}
