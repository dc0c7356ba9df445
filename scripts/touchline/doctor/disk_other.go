//go:build !linux && !darwin

package doctor

import "errors"

func roomFor(string) (room, error) { return room{}, errors.ErrUnsupported }
