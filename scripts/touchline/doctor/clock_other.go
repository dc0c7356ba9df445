//go:build !linux

package doctor

import "errors"

func clockSynchronized() (bool, error) { return false, errors.ErrUnsupported }
