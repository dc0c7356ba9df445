package store

import (
	"context"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/accesslog"
)

// Usage is what reads and writes came to.
type Usage struct {
	ReadUnits, WriteUnits float64 // as DynamoDB reported them
	// Trips are sequential round trips of each call of a Table: calls side by
	// side within one BatchGet or Write are one.
	Trips                   int
	ItemsRead, ItemsWritten int // deletes are writes
	BytesRead, BytesWritten int // by Size; a delete has none
}

func (u *Usage) add(v Usage) {
	u.ReadUnits += v.ReadUnits
	u.WriteUnits += v.WriteUnits
	u.Trips += v.Trips
	u.ItemsRead += v.ItemsRead
	u.ItemsWritten += v.ItemsWritten
	u.BytesRead += v.BytesRead
	u.BytesWritten += v.BytesWritten
}

// Meter adds up Usage; it is safe for concurrent use.
type Meter struct {
	mu   sync.Mutex
	used Usage
}

// Usage is the sum so far.
func (m *Meter) Usage() Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used
}

// Reset begins the sum anew and answers the old one.
func (m *Meter) Reset() Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	used := m.used
	m.used = Usage{}
	return used
}

func (m *Meter) add(u Usage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.add(u)
}

type meterKey struct{}

// WithMeter has m count what is done under the context, beside the meters of
// the tables.
func WithMeter(ctx context.Context, m *Meter) context.Context {
	return context.WithValue(ctx, meterKey{}, m)
}

func (t *Table) count(ctx context.Context, u Usage) {
	if t.Meter != nil {
		t.Meter.add(u)
	}
	if m, ok := ctx.Value(meterKey{}).(*Meter); ok {
		m.add(u)
	}
}

func (t *Table) metered(ctx context.Context) bool {
	return t.Meter != nil || ctx.Value(meterKey{}) != nil
}

func (t *Table) countRead(ctx context.Context, items []Item, capacity ...types.ConsumedCapacity) {
	u := Usage{ItemsRead: len(items)}
	for _, c := range capacity {
		u.ReadUnits += aws.ToFloat64(c.CapacityUnits)
	}
	accesslog.Units(ctx, accesslog.Sports, u.ReadUnits, 0)
	if !t.metered(ctx) {
		return
	}
	for _, item := range items {
		u.BytesRead += Size(item)
	}
	t.count(ctx, u)
}

func (t *Table) countWritten(ctx context.Context, asked, unprocessed []types.WriteRequest, capacity ...types.ConsumedCapacity) {
	if !t.metered(ctx) {
		return
	}
	u := Usage{
		ItemsWritten: len(asked) - len(unprocessed),
		BytesWritten: putBytes(asked) - putBytes(unprocessed),
	}
	for _, c := range capacity {
		u.WriteUnits += aws.ToFloat64(c.CapacityUnits)
	}
	t.count(ctx, u)
}

func putBytes(requests []types.WriteRequest) int {
	n := 0
	for _, r := range requests {
		if r.PutRequest != nil {
			n += Size(r.PutRequest.Item)
		}
	}
	return n
}

// Size is the size in bytes that DynamoDB charges an item by: a read unit for
// every started 4096, a write unit for every started 1024.
func Size(item Item) int {
	n := 0
	for name, v := range item {
		n += len(name) + ValueSize(v)
	}
	return n
}

// ValueSize is the part of Size that is an attribute's value: strings and bytes
// by length, a number by a byte for two significant digits and one more, a list
// or map by 3 bytes and one for each element beside what the elements take.
func ValueSize(v types.AttributeValue) int {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return len(v.Value)
	case *types.AttributeValueMemberN:
		return numberSize(v.Value)
	case *types.AttributeValueMemberB:
		return len(v.Value)
	case *types.AttributeValueMemberL:
		n := 3
		for _, e := range v.Value {
			n += 1 + ValueSize(e)
		}
		return n
	case *types.AttributeValueMemberM:
		n := 3
		for name, e := range v.Value {
			n += 1 + len(name) + ValueSize(e)
		}
		return n
	case *types.AttributeValueMemberSS:
		return len(strings.Join(v.Value, ""))
	case *types.AttributeValueMemberNS:
		n := 0
		for _, s := range v.Value {
			n += numberSize(s)
		}
		return n
	case *types.AttributeValueMemberBS:
		n := 0
		for _, b := range v.Value {
			n += len(b)
		}
		return n
	}
	return 1 // a boolean, or null
}

// numberSize is on the safe side: a sign counts a byte, zeros at the ends count
// like other digits.
func numberSize(s string) int {
	digits, sign := 0, 0
	for _, c := range s {
		switch {
		case '0' <= c && c <= '9':
			digits++
		case c == '-':
			sign = 1
		}
	}
	return 1 + sign + (digits+1)/2
}
