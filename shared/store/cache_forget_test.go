package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/store"
)

// What was cached, or was being read, before Forget is not served after it.
func TestNothingReadBeforeForgetIsServedAfterIt(t *testing.T) {
	key := store.Key{PK: "p", SK: "s"}
	item := func(text string) store.Item {
		return store.Item{"v": &types.AttributeValueMemberS{Value: text}}
	}
	held := make(chan struct{})
	s := &source{items: map[store.Key]store.Item{key: item("old")}, enter: make(chan struct{}, 9), leave: []chan struct{}{held}}
	c := &store.Cached{Source: s, Now: time.Now}
	get := func() string {
		t.Helper()
		items, err := c.Get(t.Context(), []store.Key{key}, func(store.Key, store.Item) time.Duration { return time.Hour })
		if err != nil {
			t.Fatal(err)
		}
		return items[key]["v"].(*types.AttributeValueMemberS).Value
	}
	first := make(chan error, 1)
	go func() {
		_, err := c.Get(context.Background(), []store.Key{key}, func(store.Key, store.Item) time.Duration { return time.Hour })
		first <- err
	}()
	<-s.enter // it reads
	c.Forget()
	if got := get(); got != "old" { // a read of its own, since it does not wait for the first
		t.Fatal(got)
	}
	c.Forget()
	close(held)
	if err := <-first; err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	s.items[key] = item("new")
	s.mu.Unlock()
	if got := get(); got != "new" || c.Bytes() == 0 {
		t.Error(got)
	}
	last := make(chan struct{}) // of all reads, the one that began before Forget
	s.mu.Lock()
	s.leave = append(s.leave, make([]chan struct{}, s.begun-len(s.leave))...)
	s.leave = append(s.leave, last)
	s.mu.Unlock()
	go func() {
		_, err := c.Refresh(context.Background(), []store.Key{key}, func(store.Key, store.Item) time.Duration { return time.Hour })
		first <- err
	}()
	for range 3 { // those before, and this one
		<-s.enter
	}
	c.Forget()
	close(last)
	if err := <-first; err != nil {
		t.Fatal(err)
	}
	if c.Bytes() != 0 {
		t.Errorf("%d bytes are left", c.Bytes())
	}
}
