package box

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"touchline/shared/signing"
)

// guide is where what is done is told.
const guide = "../touchline/operate.md"

// TestWhatTheGuideSaysIsDone boots a machine and does on it what operate.md says, line by
// line, and has happen to it what happens to machines.
func TestWhatTheGuideSaysIsDone(t *testing.T) {
	if testing.Short() {
		t.Skip("boots a machine: make test-all runs it")
	}
	made := os.Getenv(programs)
	if made == "" {
		alone(t)
		return
	}
	b := &box{machine: newMachine(t, filepath.Join(made, "machine")), told: told(t)}
	b.carry(made)
	b.boot()
	b.setUp()
	b.behindProxies()
	b.asked()
	b.logged()
	b.backedUp()
	b.killed()
	b.full()
	b.cutOff()
	b.renewed()
	b.another()
	for chapter, lines := range b.told {
		t.Errorf("%s: nobody has run %q", chapter, lines)
	}
}

// programs is the variable that names the folder with those that are tried, in builds:
// touchline, and next, which takes its place.
const programs = "TOUCHLINE_BOX"

// alone runs the test again, as root and with mounts and processes of its own, which end
// with it.
func alone(t *testing.T) {
	var missing, sudo []string
	for _, program := range []string{"systemd-nspawn", "dbus-daemon", "nginx", "caddy", "jq", "logrotate", "openssl", "unshare", "nsenter"} {
		if _, err := exec.LookPath(program); err != nil {
			missing = append(missing, program)
		}
	}
	if os.Getuid() != 0 {
		if sudo = []string{"sudo", "-n"}; exec.CommandContext(t.Context(), "sudo", "-n", "true").Run() != nil {
			missing = append(missing, "the rights of root")
		}
	}
	if len(missing) > 0 {
		says := "a machine is booted with " + strings.Join(missing, ", ")
		if os.Getenv("CI") != "" {
			t.Fatal(says)
		}
		t.Skip(says)
	}
	made := t.TempDir()
	must(t, os.Mkdir(filepath.Join(made, "machine"), 0o755)) //nolint:gosec // others' programs run there
	for _, name := range []string{"touchline", "next"} {
		run(t, "go", "build", "-ldflags=-s -w -X main.built="+name, "-o", filepath.Join(made, "builds", name), "../touchline")
	}
	args := append(sudo, "unshare", "--mount", "--propagation=private", "--pid", "--fork", "--kill-child", "--mount-proc",
		"env", programs+"="+made, os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	out, err := exec.CommandContext(t.Context(), args[0], args[1:]...).CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// box is a machine on which the guide is followed.
type box struct {
	*machine
	told map[string][]string // the command lines of each chapter that nobody has run yet
	key  struct{ KeyID, Secret string }
}

// told are the command lines of the guide, by chapter.
func told(t *testing.T) map[string][]string {
	text, err := os.ReadFile(guide)
	must(t, err)
	lines, chapter := map[string][]string{}, ""
	for line := range strings.Lines(string(text)) {
		if name, is := strings.CutPrefix(line, "## "); is {
			chapter = strings.TrimSpace(name)
		}
		if command, is := strings.CutPrefix(line, "    "); is {
			lines[chapter] = append(lines[chapter], strings.TrimSpace(command))
		}
	}
	return lines
}

// follow runs the next n command lines of a chapter, with words in the place of what the
// guide leaves open, and returns what the last one prints.
func (b *box) follow(chapter string, n int, words ...string) (out string) {
	b.t.Helper()
	for range n {
		lines := b.told[chapter]
		if len(lines) == 0 {
			b.t.Fatalf("%s has no further line", chapter)
		}
		if b.told[chapter] = lines[1:]; len(lines) == 1 {
			delete(b.told, chapter)
		}
		out = b.run(strings.NewReplacer(words...).Replace(lines[0]))
	}
	return out
}

// carry puts on the machine what a person has there: programs, files of this folder, a
// dataset, and the certificate for nginx.
func (b *box) carry(made string) {
	b.t.Helper()
	for from, to := range map[string]string{"../../Makefile": "Makefile", ".": "scripts/box", filepath.Join(made, "builds"): "builds"} {
		to := b.at("root/touchline/" + to)
		must(b.t, os.MkdirAll(filepath.Dir(to), 0o755)) //nolint:gosec // as people have it
		run(b.t, "cp", "-r", from, to)
	}
	must(b.t, os.Mkdir(b.at("root/touchline/build"), 0o755)) //nolint:gosec // as people have it
	b.write("/touchline/dataset/organizations.ndjson", `{"id":"fed","type":"federation","name":"Small"}`+"\n"+`{"id":"club","type":"club","name":"FC","parentId":"fed"}`+"\n")
	const live = "/etc/letsencrypt/live/api.example.org/"
	b.write(live+"fullchain.pem", "")
	run(b.t, "openssl", "req", "-x509", "-nodes", "-newkey", "rsa:2048", "-subj", "/CN=api.example.org", "-keyout", b.at("root"+live+"privkey.pem"), "-out", b.at("root"+live+"fullchain.pem"))
}

// setUp installs, loads and makes a key.
func (b *box) setUp() {
	b.follow("Set up", 4, "make build", "cp builds/touchline build/touchline")
	said := b.follow("Set up", 2, "DATASET", "/touchline/dataset", "ORGANIZATION", "fed", "--descendants", "--descendants --json")
	must(b.t, json.Unmarshal([]byte(said), &b.key))
	b.served()
}

// another federation has a service beside the first one.
func (b *box) another() {
	b.follow("Several federations", 2)
	if said := b.run("touchline-admin other import /touchline/dataset"); said == "" {
		b.t.Error("the import says nothing")
	}
	if status, body := b.do("127.0.0.1", "http://127.0.0.1:8092/health", nil); status != http.StatusOK {
		b.t.Errorf("it is %d: %s", status, body)
	}
	b.served()
}

// logged finds requests in the log of the service: in its file, in the file that logrotate
// made of it, and in the journal.
func (b *box) logged() {
	const chapter, log = "The log", "cat /var/lib/touchline/main/data/requests.log"
	refuse := func() {
		if status, body := b.do("127.0.0.1", "http://127.0.0.1:8080/v1/ping", map[string]string{signing.HeaderKey: "tk_none"}); status != http.StatusUnauthorized {
			b.t.Fatalf("%d: %s", status, body)
		}
	}
	last := func(lines string) string { // the id of the last request
		b.t.Helper()
		lines = strings.TrimSpace(lines)
		var l struct{ RequestID string }
		if err := json.Unmarshal([]byte(lines[strings.LastIndex(lines, "\n")+1:]), &l); err != nil || l.RequestID == "" {
			b.t.Fatalf("%q: %v", lines, err)
		}
		return l.RequestID
	}
	explained := func(id, said string) {
		b.t.Helper()
		if !strings.Contains(said, id) || !strings.Contains(said, "check 7") {
			b.t.Errorf("of %s it says %s", id, said)
		}
	}
	refuse()
	first := last(b.run(log))
	explained(first, b.follow(chapter, 1, "REQUEST_ID", first))
	if id := last(b.follow(chapter, 1)); id != first {
		b.t.Errorf("%s was refused, not %s", first, id)
	}
	last(b.follow(chapter, 1, "tail -F", "cat", "KEY", b.key.KeyID))
	b.run("logrotate --force /etc/logrotate.d/touchline")
	b.await("the log is opened again", func() bool { return !b.fails("test -e /var/lib/touchline/main/data/requests.log") })
	refuse()
	if id := last(b.run(log)); id == first {
		b.t.Error("the log is not a new one")
	}
	explained(first, b.run("touchline-admin main why "+first))
	b.follow(chapter, 2)
	refuse()
	b.run("journalctl --sync")
	third := last(b.follow(chapter, 1))
	explained(third, b.follow(chapter, 1, "REQUEST_ID", third))
	b.run("sed -i /ARGS/d /etc/touchline/main.env; systemctl restart touchline@main; rm /var/lib/touchline/main/data/requests.log.1")
	b.follow("A key that fails", 1, "KEY", b.madeKey())
	b.served()
}

// madeKey is a key that is not used.
func (b *box) madeKey() string {
	var made struct{ KeyID string }
	must(b.t, json.Unmarshal([]byte(b.run("touchline-admin main keys create --organization fed --all-scopes --json")), &made))
	return made.KeyID
}

// backups are the paths of the backups, the newest last.
func (b *box) backups() []string {
	return strings.Fields(b.run("cd /var/lib/touchline-backup/main && ls *.db"))
}

// backedUp has the timer's service make backups, and goes back to one where nothing is.
func (b *box) backedUp() {
	b.follow("Backups", 2)
	b.run("systemctl start touchline-backup@main") // of the same day
	made := b.backups()
	if len(made) != 2 {
		b.t.Fatalf("two backups are %v: %s", made, b.journal())
	}
	if said := b.journal(); strings.Contains(said, "warning") {
		b.t.Errorf("the backup says: %s", said)
	}
	if there := strings.Fields(b.run("ls /var/lib/touchline/main/data")); len(there) != 4 { // with the log, the note of the backup and the socket
		b.t.Errorf("beside the data are %v", there)
	}
	if _, body := b.health(); !strings.Contains(body, "the newest is ") {
		b.t.Errorf("/health does not say how old the backup is: %s", body)
	}
	b.follow("Backups", 1)
	b.run("rm -r /var/lib/touchline/main/data")
	b.follow("Backups", 2, "BACKUP", "/var/lib/touchline-backup/main/"+made[0])
	b.served()
}

// killed kills the service more often than systemd would start another.
func (b *box) killed() {
	for n := range 6 {
		b.run("systemctl kill --signal=KILL touchline@main")
		b.await(fmt.Sprintf("started for time %d", n+1), func() bool {
			return strings.TrimSpace(b.run("systemctl show --value --property=NRestarts touchline@main")) == fmt.Sprint(n+1) && b.isUp()
		})
	}
	b.served()
}

// full fills the disk of the data, on which the service says what is wrong, and goes on
// once there is room.
func (b *box) full() {
	b.run("dd if=/dev/zero of=/var/lib/touchline/all bs=1M 2>/dev/null || true")
	b.await("the service says that the disk is full", func() bool {
		code, body := b.health()
		return code == 503 && strings.Contains(body, "delete something")
	})
	b.await("nothing can be written", func() bool {
		_, body := b.health()
		return strings.Contains(body, "cannot be written, so that requests are answered 503")
	})
	for range 20 { // what was freed in the file may take some nonces more, and a key has 60 requests in a minute
		if status, body := b.ask("127.0.0.1", "http://127.0.0.1:8080", ""); status == 503 {
			break
		} else if status != 200 {
			b.t.Errorf("on a full disk: %d %s", status, body)
		}
	}
	b.run("rm /var/lib/touchline/all")
	b.await("there is room again", func() bool { // what was refused is said for two minutes more
		_, body := b.health()
		return !strings.Contains(body, "delete something") && strings.Contains(body, "can be written") && strings.Contains(body, "is written")
	})
	b.served()
}

// cutOff takes the power away for two days: what was enabled comes back by itself, and the
// backup that was missed is made.
func (b *box) cutOff() {
	before := len(b.backups())
	b.run("touch --date='2 days ago' /var/lib/systemd/timers/stamp-touchline-backup@main.timer; sync")
	b.boot()
	b.await("the service is up", b.isUp)
	b.served()
	b.await("the backup that was missed", func() bool { return len(b.backups()) == before+1 })
}

// renewed has a new version take the place of the former, and the former come back.
func (b *box) renewed() {
	is := func(version string) {
		b.t.Helper()
		if said := b.run("touchline-admin main --version"); !regexp.MustCompile(`\b` + version + `\b`).MatchString(said) {
			b.t.Errorf("it is not %s: %s", version, said)
		}
		b.served()
	}
	const chapter = "A new version"
	if said := b.follow(chapter, 5, "make build", "cp builds/next build/touchline"); !strings.Contains(said, "they are there, of layout") {
		b.t.Errorf("doctor of the new program says, before it serves: %s", said)
	}
	b.follow(chapter, 1)
	is("next")
	backups := b.backups()
	b.follow(chapter, 4, "BACKUP", "/var/lib/touchline-backup/main/"+backups[len(backups)-1])
	is("touchline")
}

// isUp reports whether systemd has the service as up.
func (b *box) isUp() bool { return !b.fails("systemctl is-active --quiet touchline@main") }

func (b *box) fails(line string) bool {
	err := b.command(line).Run()
	_, failed := errors.AsType[*exec.ExitError](err)
	return failed
}
