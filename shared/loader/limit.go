package loader

import (
	"io/fs"
	"math"
	"os"
	"path"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
)

// LimitMemory bounds the memory of the process by what the machine and its control group
// have to spare, less a tenth and less beside, unless GOMEMLIMIT bounds it. Only Linux tells:
// elsewhere memory stays unbounded.
func LimitMemory() {
	if debug.SetMemoryLimit(-1) < math.MaxInt64 {
		return
	}
	if spare := spareMemory(os.DirFS("/")); spare < math.MaxInt64 {
		debug.SetMemoryLimit(limitOf(spare))
	}
}

func limitOf(spare int64) int64 { return max(0, min(spare/10*9, spare-beside)) }

// beside is what a process takes in bytes, whatever it does, that its limit does not hold:
// where a group has 80 MB, live objects of 58 came with 80.
const beside = 16 << 20

var meminfo = regexp.MustCompile(`(?m)^MemAvailable: +([0-9]+) kB$`)

// spareMemory is how many bytes a process may take on a machine with these files: what is
// available, and what its control groups (version 1 or 2) and those above them allow.
// math.MaxInt64: the files do not say.
func spareMemory(root fs.FS) int64 {
	least := int64(math.MaxInt64)
	text, _ := fs.ReadFile(root, "proc/meminfo") // what cannot be read says nothing, here and below
	if spare := meminfo.FindSubmatch(text); spare != nil {
		if kilobytes, err := strconv.ParseInt(string(spare[1]), 10, 64); err == nil {
			least = kilobytes << 10
		}
	}
	text, _ = fs.ReadFile(root, "proc/self/cgroup")
	for line := range strings.Lines(string(text)) {
		// 4:memory:/system.slice/touchline.service, or 0::/system.slice/touchline.service
		_, line, _ = strings.Cut(strings.TrimSpace(line), ":")
		controllers, group, _ := strings.Cut(line, ":")
		mount, files := "sys/fs/cgroup", []string{"memory.max", "memory.high"}
		if slices.Contains(strings.Split(controllers, ","), "memory") {
			mount, files = "sys/fs/cgroup/memory", []string{"memory.limit_in_bytes"}
		} else if controllers != "" {
			continue
		}
		// A container may have the group of its host here, which it does not see: its own is the
		// one that is mounted.
		for group = path.Clean("/" + group); ; group = path.Dir(group) {
			for _, file := range files {
				text, _ := fs.ReadFile(root, path.Join(mount, group, file))
				if bytes, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil { // else "max"
					least = min(least, bytes)
				}
			}
			if group == "/" {
				break
			}
		}
	}
	return least
}
