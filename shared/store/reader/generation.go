package reader

import (
	"context"
	"errors"

	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
)

// Generation returns the state of the data, at most generation.Life old; nil where
// it cannot be read now and was known before. The error is *generation.OtherError
// where there is no data of this build's layout.
func (r *Reader) Generation(ctx context.Context) (*generation.State, error) {
	key := records.VersionKey()
	items, err := r.Items.Get(ctx, []store.Key{key}, life)
	if err != nil {
		if r.seen.Load() { // what is served from the cache is of that layout
			return nil, nil //nolint:nilnil // not known
		}
		return nil, err
	}
	state, err := generation.Of(items[key])
	if _, other := errors.AsType[*generation.OtherError](err); err != nil && !other {
		return nil, err
	}
	r.seen.Store(err == nil)
	if err != nil {
		return nil, err
	}
	return &state, nil
}
