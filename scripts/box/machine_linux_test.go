package box

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// machine is a container with systemd, whose disk is an overlay of this machine's. It has
// no network but its own loopback interface.
type machine struct {
	t      *testing.T
	dir    string // of what it is made of
	nspawn *exec.Cmd
	init   int // the process that is its first
}

// must ends a test that cannot go on.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// run is for programs of this machine.
func run(t *testing.T, program string, args ...string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v: %s", program, strings.Join(args, " "), err, out)
	}
}

// newMachine makes a machine, whose services are the ones that its owner enables. What it
// is made of is in a folder, under mounts of this process alone.
func newMachine(t *testing.T, dir string) *machine {
	m := &machine{t: t, dir: dir}
	must(t, os.MkdirAll("/run/systemd/nspawn", 0o755))             //nolint:gosec // as systemd makes it
	run(t, "mount", "-t", "tmpfs", "tmpfs", "/run/systemd/nspawn") // nspawn removes nothing from a disk
	run(t, "mount", "-t", "tmpfs", "tmpfs", m.dir)
	for _, name := range []string{"upper", "work", "root", "state"} {
		must(t, os.Mkdir(m.at(name), 0o755)) //nolint:gosec // others' programs run there
	}
	run(t, "mount", "-t", "tmpfs", "-o", "size=200m", "tmpfs", m.at("state"))
	run(t, "mount", "-t", "overlay", "overlay", "-o", fmt.Sprintf("lowerdir=/,upperdir=%s,workdir=%s", m.at("upper"), m.at("work")), m.at("root"))
	wants, _ := filepath.Glob(m.at("root/etc/systemd/system/*.wants")) // only a bad pattern fails
	for _, name := range append(wants, m.at("root/etc/cloud"), m.at("root/var/log/journal")) {
		must(t, os.RemoveAll(name))
	}
	m.write("/etc/machine-id", strings.Repeat("b0", 16)+"\n") // none would be a first boot, which enables everything
	m.write("/etc/fstab", "")
	m.write("/etc/hosts", "127.0.0.1 localhost api.example.org\n")
	t.Cleanup(m.cut)
	return m
}

func (m *machine) at(name string) string { return filepath.Join(m.dir, name) }

// write writes a file of the machine.
func (m *machine) write(path, text string) {
	m.t.Helper()
	path = m.at("root" + path)
	must(m.t, os.MkdirAll(filepath.Dir(path), 0o755)) //nolint:gosec // as in any machine
	must(m.t, os.RemoveAll(path))                     // which may be a link to this machine's
	must(m.t, os.WriteFile(path, []byte(text), 0o644))
}

// cut takes the power away.
func (m *machine) cut() {
	if m.nspawn != nil {
		_ = unix.Kill(m.init, unix.SIGKILL) // and with it all processes of the machine
		_ = m.nspawn.Wait()
		m.nspawn = nil
	}
}

// boot starts the machine, and returns once its services are up.
func (m *machine) boot() {
	m.t.Helper()
	m.cut()
	args := []string{
		"--quiet", "--register=no", "--machine=touchline-box", "--directory=" + m.at("root"), "--bind=" + m.at("state") + ":/var/lib/touchline",
		"--private-network", "--resolv-conf=off", "--timezone=off", "--link-journal=no", "--console=pipe",
		"--system-call-filter=adjtimex", // which machines allow
		"--keep-unit", "--boot",
	}
	m.nspawn = exec.Command("systemd-nspawn", args...)
	log, err := os.Create(m.at("console"))
	must(m.t, err)
	m.nspawn.Stdout, m.nspawn.Stderr = log, log
	must(m.t, m.nspawn.Start())
	must(m.t, log.Close())
	m.await("the machine is up", func() bool {
		if m.init = first(m.nspawn.Process.Pid); m.init == 0 {
			return false
		}
		out, _ := m.command("systemctl is-system-running").Output()
		state := strings.TrimSpace(string(out))
		return state == "running" || state == "degraded"
	})
}

// first is the first process of a container; 0: it has none yet.
func first(nspawn int) int {
	children, _ := exec.Command("pgrep", "-P", strconv.Itoa(nspawn)).Output()
	for _, child := range strings.Fields(string(children)) {
		status, _ := os.ReadFile("/proc/" + child + "/status")
		if bytes.Contains(status, []byte("\t1\nNSpgid")) {
			pid, _ := strconv.Atoi(child)
			return pid
		}
	}
	return 0
}

// await waits for what takes a process of the machine some time.
func (m *machine) await(what string, is func() bool) {
	m.t.Helper()
	again, limit := time.NewTicker(50*time.Millisecond), time.NewTimer(time.Minute)
	defer again.Stop()
	defer limit.Stop()
	for !is() {
		select {
		case <-again.C:
		case <-limit.C:
			console, _ := os.ReadFile(m.at("console"))
			m.t.Fatalf("The console: %s\n%s\nnot in a minute: %s", console, m.journal(), what)
		}
	}
}

// command is a command line on the machine, of root, for whom sudo does nothing.
func (m *machine) command(line string) *exec.Cmd {
	return exec.Command("nsenter", "--target="+strconv.Itoa(m.init), "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup",
		"env", "-i", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "sh", "-c", `sudo() { "$@"; }; cd /touchline; `+line)
}

// run runs a command line, which succeeds, and returns what it prints.
func (m *machine) run(line string) string {
	m.t.Helper()
	var out, said bytes.Buffer
	c := m.command(line)
	c.Stdout, c.Stderr = &out, &said
	if err := c.Run(); err != nil {
		m.t.Fatalf("%s\n%s: %v: %s%s", m.journal(), line, err, out.String(), said.String())
	}
	return out.String()
}

// journal is the end of what the service said.
func (m *machine) journal() string {
	out, _ := m.command("journalctl --no-pager -q -n 30 -u 'touchline*'; systemctl --failed; systemctl list-jobs").CombinedOutput()
	return string(out)
}

// dial connects to a port of the machine, from one of its addresses.
func (m *machine) dial(ctx context.Context, from, to string) (conn net.Conn, err error) {
	there, err := os.Open(fmt.Sprintf("/proc/%d/ns/net", m.init))
	if err != nil {
		return nil, err
	}
	defer there.Close() //nolint:errcheck // only read
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with this function
		if err = unix.Setns(int(there.Fd()), unix.CLONE_NEWNET); err != nil {
			return
		}
		conn, err = (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}).DialContext(ctx, "tcp", to)
	}()
	<-done
	return conn, err
}
