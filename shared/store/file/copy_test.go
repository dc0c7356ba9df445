package file

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/store"
)

// fill writes n items of some 500 bytes, with some text between others.
func fill(tb testing.TB, d *Database, n int, text string) {
	tb.Helper()
	var writes []store.Write
	for i := range n {
		writes = append(writes, store.Write{Key: key(i), Item: itemOf(strings.Repeat(text, 500/len(text)))})
	}
	for batch := range slices.Chunk(writes, largestWrite) {
		write(tb, d, batch...)
	}
}

func TestABackupIsWhatWasThereAtAMoment(t *testing.T) {
	both(t, func(t *testing.T, dir string, d *Database) {
		fill(t, d, 3000, "before ")
		if err := d.Nonces().Consume(t.Context(), nonce("one")); err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		for i := range 4 {
			wait.Go(func() { fill(t, d, 3000, "after!! "[:7+i%2]) })
		}
		at := filepath.Join(folder(t), "backup.db")
		name, copied, err := d.Backup(t.Context())
		wait.Wait()
		if err == nil {
			err = os.Rename(filepath.Join(dir, name), at)
		}
		if err != nil || copied.Records["sports"] != 3000 {
			t.Fatal(err, copied)
		}
		backup, err := Open(at, Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = backup.Close() }()
		if report := whole(t, &backup.Database); report.Records["sports"] != 3000 || report.Records[NoncesTable] != 1 {
			t.Errorf("the backup has %v", report.Records)
		}
		if _, err := backup.Write(t.Context(), "sports", []store.Write{{Key: key(1)}}); err == nil {
			t.Error("a backup is written to")
		}
		restored := filepath.Join(folder(t), "restored.db")
		if _, err := backup.CopyTo(t.Context(), restored, nil); err != nil {
			t.Fatal(err)
		}
		f, err := Open(restored, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		if err := f.Nonces().Consume(t.Context(), nonce("two")); !errors.Is(err, limits.ErrReplayed) {
			t.Errorf("a nonce after the restoration: %v, want ErrReplayed", err)
		}
	})
}

func TestABackupThatFailsLeavesNothing(t *testing.T) {
	f := openIn(t, folder(t))
	fill(t, &f.Database, 10, "x")
	damage(t, f.file, []byte("xxxxxxxx"))
	if _, _, err := f.Backup(t.Context()); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v, want ErrDamaged", err)
	}
	if left, _ := os.ReadDir(filepath.Dir(f.path)); len(left) != 1 {
		t.Errorf("%v is left", left)
	}
}

// damage flips a bit where the file has some bytes for the last time.
func damage(t *testing.T, file *os.File, of []byte) {
	t.Helper()
	content, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(content, of)
	if _, err := file.WriteAt([]byte{content[at] ^ 1}, int64(at)); err != nil {
		t.Fatal(err)
	}
}

// A byte that has changed is found, or makes no difference to what is read.
func TestNoFlippedBitGoesUnnoticed(t *testing.T) {
	f := openIn(t, folder(t))
	fill(t, &f.Database, 300, "some text ")
	want := all(t, &f.Database)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	intact, err := os.ReadFile(f.path)
	if err != nil {
		t.Fatal(err)
	}
	intact = bytes.TrimRight(intact, "\x00")
	intact = append(intact, make([]byte, 8192)...)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	path := filepath.Join(folder(t), "flipped.db")
	found := 0
	for range times(600) {
		at, bit := random.IntN(len(intact)), byte(1)<<random.IntN(8)
		if random.IntN(2) == 0 { // pages begin with what matters most
			at = at/4096*4096 + random.IntN(96)
		}
		at = min(at, len(intact)-1)
		flipped := slices.Clone(intact)
		flipped[at] ^= bit
		if err := os.WriteFile(path, flipped, 0o600); err != nil {
			t.Fatal(err)
		}
		if notices(t, path, want) {
			found++
		} else if t.Failed() {
			t.Fatalf("byte %d of %d, bit %d", at, len(intact), bit)
		}
	}
	if found == 0 {
		t.Error("none was found")
	}
}

// notices reports whether the check of a file finds damage; where it does not, all has
// to be there. Where there is damage, nothing ends the process that serves the file.
func notices(t *testing.T, path string, want []store.Item) (found bool) {
	defer func() {
		f, err := Open(path, Options{NoSync: true})
		if err != nil {
			return
		}
		defer func() { _ = f.Close() }()
		for i := 0; found && i < 30; i++ {
			if _, _, err := f.page("sports", rows{from: rowOf(key(i * 10))}); err != nil {
				break
			}
			if _, err := f.Write(t.Context(), "sports", []store.Write{{Key: key(i * 10)}, {Key: key(1000 + i), Item: itemOf("x")}}); err != nil {
				break
			}
		}
	}()
	f, err := Open(path, Options{ReadOnly: true})
	if err != nil {
		return true
	}
	defer func() { _ = f.Close() }()
	report, err := f.Check(t.Context())
	if err != nil || len(report.Damage) > 0 {
		return true
	}
	if got := all(t, &f.Database); len(got) != len(want) {
		t.Errorf("%d items, want %d", len(got), len(want))
	}
	return false
}

func TestASweepDeletesWhatHadExpired(t *testing.T) {
	ways(t, func(t *testing.T, d *Database) {
		now := time.Unix(2_000_000_000, 0)
		for i, age := range []time.Duration{0, limits.NonceMemory + time.Hour, limits.NonceMemory + time.Hour + 2*time.Second, 2 * time.Hour} {
			n := limits.Nonce{KeyID: "k", Value: string(rune('a' + i)), RequestID: "r", Timestamp: now.Add(-age)}
			if err := d.Nonces().Consume(t.Context(), n); err != nil {
				t.Fatal(err)
			}
		}
		_, _ = d.Write(t.Context(), NoncesTable, []store.Write{{Key: store.Key{PK: "without an end"}, Item: itemOf("x")}}) // counted below
		if deleted, err := d.Sweep(t.Context(), NoncesTable, now); err != nil || deleted != 2 {
			t.Errorf("%d deleted, %v; want 2", deleted, err)
		}
		if report := whole(t, d); report.Records[NoncesTable] != 3 {
			t.Errorf("%v are left, want 3", report.Records)
		}
		jumped := limits.Nonce{KeyID: "k", Value: "b", RequestID: "another", Timestamp: now.Add(-time.Hour)} // by a clock that jumped back
		if err := d.Nonces().Consume(t.Context(), jumped); !errors.Is(err, limits.ErrReplayed) {
			t.Errorf("a nonce that expired an hour ago is taken again: %v", err)
		}
	})
}

// A nonce that is damaged keeps no other one from being swept.
func TestADamagedNonceIsPassedOver(t *testing.T) {
	f := openIn(t, folder(t))
	now := time.Unix(2_000_000_000, 0)
	for _, value := range []string{"a", "b-to-be-damaged", "c"} {
		if err := f.Nonces().Consume(t.Context(), limits.Nonce{KeyID: "k", Value: value, RequestID: "r", Timestamp: now.Add(-3 * time.Hour)}); err != nil {
			t.Fatal(err)
		}
	}
	damage(t, f.file, []byte("b-to-be-damaged"))
	if deleted, err := f.Sweep(t.Context(), NoncesTable, now); deleted != 2 || !errors.Is(err, ErrDamaged) {
		t.Errorf("%d deleted, %v", deleted, err)
	}
	if report, err := f.Check(t.Context()); err != nil || report.Records[NoncesTable] != 1 || report.Lost != "" {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestADamagedKeyOrLeaseIsNotTakenForUnknown(t *testing.T) {
	f := openIn(t, folder(t))
	k := keys.Key{ID: "tk_one", Current: keys.SealedSecret{ID: "ts_new", Sealed: []byte{1}}}
	if err := f.Keys().Put(t.Context(), k); err != nil {
		t.Fatal(err)
	}
	damage(t, f.file, []byte("ts_new"))
	if _, err := f.Keys().Get(t.Context(), "tk_one"); !errors.Is(err, ErrDamaged) || errors.Is(err, keys.ErrUnknown) {
		t.Errorf("%v, want ErrDamaged", err)
	}
	_, taking := takeLease(&f.Database, t, "a")
	_, marking := f.ChangeLease(t.Context(), "sports", lock(), "a", store.LeaseChange{Mark: itemOf("a mark")})
	if err := errors.Join(taking, marking); err != nil {
		t.Fatal(err)
	}
	damage(t, f.file, []byte("a mark"))
	if _, err := f.ChangeLease(t.Context(), "sports", lock(), "a", store.LeaseChange{Mark: itemOf("b")}); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v, want ErrDamaged", err)
	}
}
