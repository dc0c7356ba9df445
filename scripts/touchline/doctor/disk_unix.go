//go:build linux || darwin

package doctor

import "syscall"

// roomFor is the room on a folder's disk.
func roomFor(folder string) (room, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return room{}, err
	}
	block := uint64(s.Bsize) //nolint:gosec // a size
	return room{free: s.Bavail * block, total: s.Blocks * block, files: s.Ffree, counted: s.Files > 0}, nil
}
