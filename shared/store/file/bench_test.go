package file

import (
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"touchline/shared/limits"
	"touchline/shared/sport"
	"touchline/shared/store"
)

func durable(b *testing.B) *File {
	b.Helper()
	f, err := Open(filepath.Join(folder(b), "data.db"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = f.Close() })
	return f
}

// 240,000 items of 1 KB, two writes at a time as a Table makes them, in no
// order of their keys.
func BenchmarkLoad(b *testing.B) {
	const items = 240_000
	for b.Loop() {
		f := durable(b)
		var wait sync.WaitGroup
		for worker := range 2 {
			wait.Go(func() {
				for from := worker * largestWrite; from < items; from += 2 * largestWrite {
					writes := make([]store.Write, largestWrite)
					for n := range writes {
						k := store.Key{PK: "player#" + strconv.Itoa((from+n)*7919%items), SK: "profile"}
						writes[n] = store.Write{Key: k, Item: itemOf(strings.Repeat("x", 1000))}
					}
					write(b, &f.Database, writes...)
				}
			})
		}
		wait.Wait()
		_ = f.Close()
	}
}

func BenchmarkGet100(b *testing.B) {
	f := durable(b)
	fill(b, &f.Database, 50_000, "some text ")
	keys := make([]store.Key, 100)
	for name, d := range map[string]*Database{"file": &f.Database, "socket": dial(b, f)} {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				for n := range keys {
					keys[n] = key((i*100 + n*499) % 50_000)
				}
				if reply, err := d.Get(b.Context(), "sports", keys, true); err != nil || len(reply.Items) != 100 {
					b.Fatal(len(reply.Items), err)
				}
			}
		})
	}
}

// What a request waits for, by 20 at once: each op is a Consume and a Take.
func BenchmarkConsumeAndTake(b *testing.B) {
	f := durable(b)
	nonces, quotas := f.Nonces(), f.Quotas()
	now, n := time.Now(), 0
	for b.Loop() {
		var wait sync.WaitGroup
		for worker := range 20 {
			n++
			id := strconv.Itoa(n)
			wait.Go(func() {
				if err := nonces.Consume(b.Context(), limits.Nonce{KeyID: "k", Value: id, RequestID: id, Timestamp: now}); err != nil {
					b.Error(err)
				}
				q := limits.Quota{Organization: sport.ID(strconv.Itoa(worker % 3)), Limit: 1 << 30, Now: now}
				if _, err := quotas.Take(b.Context(), q); err != nil {
					b.Error(err)
				}
			})
		}
		wait.Wait()
	}
}
