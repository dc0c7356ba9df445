package loader

import (
	"math"
	"testing"
	"testing/fstest"
)

// What a machine has to spare, by its files.
func TestSpareMemory(t *testing.T) {
	const (
		meminfo  = "proc/meminfo"
		cgroup   = "proc/self/cgroup"
		unit     = "/system.slice/touchline.service"
		v2       = "sys/fs/cgroup"
		v1       = "sys/fs/cgroup/memory"
		gigabyte = "MemTotal:        2048000 kB\nMemAvailable:    1048576 kB\nBuffers: 1 kB\n"
		none     = "9223372036854771712\n" // of version 1
	)
	for name, tt := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"nothing says":             {nil, math.MaxInt64},
		"the machine alone":        {map[string]string{meminfo: gigabyte}, 1 << 30},
		"a group of version 2":     {map[string]string{meminfo: gigabyte, cgroup: "0::" + unit + "\n", v2 + unit + "/memory.max": "536870912\n"}, 512 << 20},
		"without a bound":          {map[string]string{meminfo: gigabyte, cgroup: "0::" + unit + "\n", v2 + unit + "/memory.max": "max\n"}, 1 << 30},
		"where it is slowed down":  {map[string]string{meminfo: gigabyte, cgroup: "0::" + unit + "\n", v2 + unit + "/memory.max": "536870912\n", v2 + unit + "/memory.high": "268435456\n"}, 256 << 20},
		"a group above it":         {map[string]string{meminfo: gigabyte, cgroup: "0::" + unit + "\n", v2 + unit + "/memory.max": "max\n", v2 + "/system.slice/memory.max": "134217728\n"}, 128 << 20},
		"more than the machine":    {map[string]string{meminfo: gigabyte, cgroup: "0::" + unit + "\n", v2 + unit + "/memory.max": "5368709120\n"}, 1 << 30},
		"a container's own":        {map[string]string{meminfo: gigabyte, cgroup: "0::/../of/the/host\n", v2 + "/memory.max": "536870912\n"}, 512 << 20},
		"a group of version 1":     {map[string]string{meminfo: gigabyte, cgroup: "9:name=systemd:/\n4:memory:" + unit + "\n0::/\n", v1 + unit + "/memory.limit_in_bytes": "536870912\n"}, 512 << 20},
		"version 1 with others":    {map[string]string{meminfo: gigabyte, cgroup: "3:cpu,memory:" + unit, v1 + unit + "/memory.limit_in_bytes": "536870912\n"}, 512 << 20},
		"version 1, no bound":      {map[string]string{meminfo: gigabyte, cgroup: "4:memory:/docker/a1\n", v1 + "/memory.limit_in_bytes": none}, 1 << 30},
		"version 1 in a container": {map[string]string{meminfo: gigabyte, cgroup: "4:memory:/docker/a1\n", v1 + "/memory.limit_in_bytes": "268435456\n"}, 256 << 20},
		"no memory controller":     {map[string]string{meminfo: gigabyte, cgroup: "4:cpu:" + unit + "\n", v1 + unit + "/memory.limit_in_bytes": "1\n"}, 1 << 30},
		"lines of no sense":        {map[string]string{meminfo: "MemAvailable: much", cgroup: "\n:\nx\n"}, math.MaxInt64},
	} {
		root := fstest.MapFS{}
		for name, text := range tt.files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := spareMemory(root); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
	for spare, want := range map[int64]int64{1 << 30: 1 << 30 / 10 * 9, 64 << 20: 48 << 20, 8 << 20: 0} {
		if got := limitOf(spare); got != want {
			t.Errorf("of %d: %d, want %d", spare, got, want)
		}
	}
}
