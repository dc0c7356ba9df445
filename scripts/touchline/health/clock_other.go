//go:build !linux

package health

import "errors"

func clockSynchronized() (bool, error) { return false, errors.ErrUnsupported }
