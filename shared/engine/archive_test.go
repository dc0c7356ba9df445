package engine

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// database is a file with the header of one of three pages.
func database(t *testing.T) []byte {
	t.Helper()
	text := bytes.Repeat([]byte("0123456789abcdef"), 3*512/16)
	copy(text, "SQLite format 3\x00")
	binary.BigEndian.PutUint16(text[16:], 512)
	binary.BigEndian.PutUint32(text[28:], 3)
	return text
}

// An archive that was cut at any byte, or in which any bit of a byte is another, is
// refused. Cut where its seal begins it is the database, whole.
func TestADamagedArchiveIsRefused(t *testing.T) {
	path, to := filepath.Join(t.TempDir(), "archive"), filepath.Join(t.TempDir(), "to")
	write := func(text []byte) {
		t.Helper()
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	plain := database(t)
	write(plain)
	if err := sealFile(path); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if sealed, err := unpack(to, path); !sealed || err != nil {
		t.Fatalf("the whole one: sealed %v, %v", sealed, err)
	}
	if got, err := os.ReadFile(to); !bytes.Equal(got, plain) || err != nil {
		t.Errorf("%d bytes of the database, want %d: %v", len(got), len(plain), err)
	}
	for n := range whole {
		write(whole[:n])
		sealed, err := unpack(to, path)
		if (err == nil) != (n == len(plain)) || sealed {
			t.Errorf("cut at %d: sealed %v, %v", n, sealed, err)
		}
		write(append(append(bytes.Clone(whole[:n]), whole[n]^1<<(n%8)), whole[n+1:]...))
		if _, err := unpack(to, path); err == nil {
			t.Errorf("byte %d is another: no error", n)
		}
	}
	write(append(whole, 0))
	if _, err := unpack(to, path); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("has %d bytes and should have %d:", len(whole)+1, len(whole))) {
		t.Errorf("with a byte too many: %v", err)
	}
}
