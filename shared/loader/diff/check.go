package diff

import (
	"bytes"
	"context"
	"fmt"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// Found is how a list in the table differs from what its edits put.
type Found struct {
	Missing   int // entries that are not in the table
	Different int // entries with other content
	Extra     int // entries that no edit puts
	Order     bool
}

// None reports whether there is no difference.
func (f Found) None() bool { return f == Found{} }

// String is the difference in words.
func (f Found) String() string {
	if f.Order {
		return "entries are out of order or doubled"
	}
	return fmt.Sprintf("%d entries missing, %d different, %d too many", f.Missing, f.Different, f.Extra)
}

func (p *pendingOf[T]) Reduce(ctx context.Context, get pagedlist.Getter, list string) (Found, error) {
	entries, err := pagedlist.All(ctx, get, p.of.Kind, pagedlist.Request[T]{List: list, WithHidden: true})
	if err != nil {
		return Found{}, err
	}
	var found Found
	stored := make(map[string]T, len(entries))
	var last []byte
	for _, e := range entries {
		key := p.of.Kind.Key(e)
		found.Order = found.Order || last != nil && bytes.Compare(last, key) >= 0
		last = key
		stored[string(key)] = e
	}
	var mends []pagedlist.Op[T]
	for _, op := range p.edits[records.List[T](list)] {
		e, ok := stored[string(op.Key)]
		delete(stored, string(op.Key))
		if !ok {
			found.Missing++
			mends = append(mends, op)
			continue
		}
		same, err := samePayload(e, *op.Put)
		if err != nil {
			return Found{}, err
		}
		if !same {
			found.Different++
			mends = append(mends, op)
		}
	}
	for key := range stored {
		found.Extra++
		mends = append(mends, pagedlist.Op[T]{Key: []byte(key)})
	}
	p.edits[records.List[T](list)] = mends
	return found, nil
}

// Count is the number of entries of a list that the table holds, of whatever
// kind they are.
func (s *Lists) Count(ctx context.Context, get pagedlist.Getter, list string) (int, error) {
	var failed error
	for _, edits := range s.All() {
		n, err := edits.count(ctx, get, list)
		if err == nil {
			return n, nil
		}
		failed = err // of another kind, perhaps
	}
	return 0, failed
}

func (s *ListEdits[T]) count(ctx context.Context, get pagedlist.Getter, list string) (int, error) {
	entries, err := pagedlist.All(ctx, get, s.Kind, pagedlist.Request[T]{List: list, WithHidden: true})
	return len(entries), err
}

// samePayload reports whether two entries are stored alike.
func samePayload(a, b any) (bool, error) {
	x, err := attributevalue.MarshalMap(a)
	if err != nil {
		return false, err
	}
	y, err := attributevalue.MarshalMap(b)
	if err != nil {
		return false, err
	}
	return reflect.DeepEqual(x, y), nil
}
