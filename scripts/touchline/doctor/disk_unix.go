//go:build linux || darwin

package doctor

import "syscall"

// space is how many bytes of a folder's disk may be written, and how many it has.
func space(folder string) (free, total uint64, err error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return 0, 0, err
	}
	block := uint64(s.Bsize) //nolint:gosec // a size
	return s.Bavail * block, s.Blocks * block, nil
}
