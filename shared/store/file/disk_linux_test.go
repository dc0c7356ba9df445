package file

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"touchline/shared/store"
)

// mountSmall mounts a disk of 8 MB, which takes a right that only root has.
func mountSmall(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=8m,mode=700"); err != nil {
		t.Skipf("no small disk can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return folder
}

func TestAFullDiskLosesNothing(t *testing.T) {
	fullDisk(t, filepath.Join(mountSmall(t), "data.db"), "no space left on device")
}

func TestOnAFullDiskWhatIsThereIsServedAndDeleted(t *testing.T) {
	at := mountSmall(t)
	f := openIn(t, at)
	for i := 0; ; i++ {
		if _, err := f.Write(t.Context(), "sports", []store.Write{{Key: key(i), Item: itemOf(string(make([]byte, 100_000)))}}); err != nil {
			break
		}
	}
	if _, _, err := f.Backup(t.Context()); err == nil {
		t.Error("there is no room for a backup")
	}
	if left, _ := os.ReadDir(at); len(left) != 1 {
		t.Errorf("%v is there, want the file alone", left)
	}
	for i := range 10 {
		write(t, &f.Database, store.Write{Key: key(i)})
	}
	write(t, &f.Database, store.Write{Key: key(0), Item: itemOf("x")})
	if err := f.Wipe(t.Context()); err != nil {
		t.Errorf("a wipe, which needs no room: %v", err)
	}
	whole(t, &f.Database)
	empty := mountSmall(t)
	if err := os.WriteFile(filepath.Join(empty, "all"), make([]byte, 8<<20-4096), 0o600); err != nil {
		t.Fatal(err)
	}
	if f, err := Open(filepath.Join(empty, "data.db"), Options{}); err == nil {
		_ = f.Close()
		t.Error("a file comes into being on a full disk")
	}
	if left, _ := os.ReadDir(empty); len(left) != 1 {
		t.Errorf("%v is there, want no part of a file", left)
	}
}

// unwritable is a disk that is so full that it writes over nothing.
type unwritable struct{ *os.File }

func (unwritable) WriteAt([]byte, int64) (int, error) { return 0, syscall.ENOSPC }

// On a disk that takes no writes any more what is there can be looked at, and copied to another
// disk; so it can where a full one has no room for a copy.
func TestWhatADiskDoesNotTakeCanBeCopiedElsewhere(t *testing.T) {
	for name, served := range map[string]bool{"read-only": false, "read-only, and damaged": false, "full": false, "full, and served": true} {
		t.Run(name, func(t *testing.T) {
			at := mountSmall(t)
			path := filepath.Join(at, "data.db")
			f := openIn(t, at)
			fill(t, &f.Database, 300, "some text ")
			if served {
				dial2(t, f)
			} else if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			if damaged := contentOf(t, path); strings.HasSuffix(name, "damaged") {
				page := len(damaged) / 8192
				for ; damaged[page*4096+8] != pageLeaf; page++ {
				}
				damaged[page*4096+10]-- // a record less
				if err := os.WriteFile(path, damaged, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if !strings.HasPrefix(name, "read-only") {
				if err := os.WriteFile(filepath.Join(at, "rest"), make([]byte, 8<<20), 0o600); err == nil {
					t.Fatal("the disk is not full")
				}
			} else if err := syscall.Mount("", at, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
				t.Fatal(err)
			}
			d, err := connect(t.Context(), path, Options{disk: func(f *os.File) disk { return unwritable{f} }})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close() //nolint:errcheck // nothing was written
			if strings.HasSuffix(name, "damaged") {
				if _, err := d.CopyOut(t.Context(), filepath.Join(folder(t), "copy.db"), "sports"); !errors.Is(err, ErrDamaged) || d.Lost() == nil {
					t.Errorf("a copy of what is damaged: %v", err)
				}
				return
			}
			if n := len(all(t, d)); n != 300 {
				t.Errorf("%d items can be read", n)
			}
			if _, err := d.Write(t.Context(), "sports", []store.Write{{Key: key(1)}}); !served && !errors.Is(err, ErrReadOnly) {
				t.Errorf("a write: %v", err)
			}
			_, _, err = d.Backup(t.Context())
			if !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EROFS) {
				t.Errorf("a backup beside the data: %v", err)
			}
			killed := openIn(t, folder(t)) // has left this
			fill(t, &killed.Database, 400, "text")
			if err := killed.Close(); err != nil {
				t.Fatal(err)
			}
			report, err := d.CopyOut(t.Context(), killed.path, "sports", "keys")
			if err != nil || report.Records["sports"] < 299 || len(report.Damage) > 0 {
				t.Errorf("elsewhere: %+v, %v", report, err)
			}
		})
	}
}
