package main

import (
	"bytes"
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"touchline/scripts/touchline/logs"
	"touchline/shared/accesslog"
)

// advice is a command line that a message, a page or a document shows.
type advice struct{ where, line string }

var (
	// A command in quotes of any kind, or on an indented line of its own.
	quoted = regexp.MustCompile("`((?:[^` ]*/)?touchline [^`\n]+)`|'(touchline [^'\n]+)'|\"(touchline [^\"\n]+)\"|<code>(touchline [^<]+)</code>")
	block  = regexp.MustCompile(`(?m)^(?: {4,}|\t+)((?:[^ \n]*/)?touchline [^\n]+)$`)
	// A command in a sentence: its words and the flags right after them.
	bare = regexp.MustCompile("(?:run|or|and|with|by|through|to|give it up with|wrote|start|restart) touchline ((?:[a-z]+ ?)+(?:--[a-z-]+ ?)*)")
	// What fmt and templates fill in, and what a document leaves out.
	filled  = regexp.MustCompile(`%(?:\[\d+\])?[sqdvx]|…|\{\{[^}]*\}\}`)
	comment = regexp.MustCompile(`  +[a-z].*$`) // of a column beside the commands
	// Files of the reader's, and what stands for a value of few.
	redirected   = regexp.MustCompile(`[<>] ?[~\w./-]+`)
	placeholders = strings.NewReplacer(" KIND ", " team ", " SHELL", " bash", " N ", " 1 ")
)

// advised collects the commands in a text.
func advised(where, text string) (found []advice) {
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		found = append(found, advice{where, strings.Join(m[1:], "")})
	}
	for _, m := range block.FindAllStringSubmatch(text, -1) {
		found = append(found, advice{where, comment.ReplaceAllString(m[1], "")})
	}
	for _, m := range bare.FindAllStringSubmatch(text, -1) {
		found = append(found, advice{where, commandIn(m[1])})
	}
	return found
}

// commandIn is the command at the beginning of a sentence's words, with the
// flags that follow. A first word that is no command is kept, to be reported.
func commandIn(words string) string {
	line := "touchline"
	node := newParser(context.Background(), &newTerminal(nil).Terminal).Model.Node
	for _, word := range strings.Fields(words) {
		if strings.HasPrefix(word, "--") {
			line += " " + word
			continue
		}
		i := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == word })
		if i < 0 && line != "touchline" {
			break
		}
		line += " " + word
		if i < 0 {
			break
		}
		node = node.Children[i]
	}
	return line
}

// texts calls each with the strings of a Go file, those joined with + in one.
func texts(path string, each func(string)) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	var joined func(e ast.Expr) string
	joined = func(e ast.Expr) string {
		switch e := e.(type) {
		case *ast.BasicLit:
			if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
				return text
			}
		case *ast.BinaryExpr:
			return joined(e.X) + joined(e.Y)
		}
		return "…"
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.ADD {
				each(joined(n))
				return false
			}
		case *ast.BasicLit:
			each(joined(n))
		}
		return true
	})
	return nil
}

// collect finds what every Go file, page and document of the repository advises.
func collect(t *testing.T) (all []advice) {
	t.Helper()
	root := filepath.Join("..", "..")
	must(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
		add := func(text string) { all = append(all, advised(name, text)...) }
		switch {
		case e.IsDir():
			if slices.Contains([]string{".git", "node_modules", "testdata", "build", ".tools", ".touchline"}, e.Name()) {
				return fs.SkipDir
			}
		case strings.HasSuffix(name, "_test.go"):
		case strings.HasSuffix(name, ".go"):
			return texts(path, add)
		case strings.HasSuffix(name, ".md"), strings.HasSuffix(name, ".html"):
			text, err := os.ReadFile(path)
			add(string(text))
			return err
		}
		return nil
	}))
	return all
}

// words has a shell split a command line into the calls of touchline in it. The
// shell runs no other program.
func words(t *testing.T, line string) ([][]string, error) {
	t.Helper()
	if _, err := exec.LookPath("/bin/sh"); err != nil {
		need(t, err)
	}
	script := `touchline() { printf 'touchline\n' >&3; for word; do printf '%s\n' "$word" >&3; done; }
` + line
	read, write, err := os.Pipe()
	must(t, err)
	defer read.Close() //nolint:errcheck // nothing was written
	sh := exec.Command("/bin/sh", "-c", script)
	sh.Dir, sh.Env, sh.ExtraFiles = t.TempDir(), []string{"PATH=", "STAGE=dev", "TOUCHLINE=touchline"}, []*os.File{write}
	out, runErr := sh.CombinedOutput()
	must(t, write.Close())
	text, err := io.ReadAll(read)
	must(t, err)
	var calls [][]string
	for _, word := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		if word == "touchline" {
			calls = append(calls, nil)
		} else if len(calls) > 0 {
			calls[len(calls)-1] = append(calls[len(calls)-1], word)
		}
	}
	if len(calls) == 0 {
		return nil, errors.Join(errors.New("no call of touchline"), runErr, errors.New(string(out)))
	}
	return calls, nil
}

// parse parses the words of a call. A command by its name alone is right where
// the command exists, whatever it needs besides.
func parse(call []string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, asked := r.(exit); !asked {
				panic(r)
			}
		}
	}()
	if !slices.ContainsFunc(call, func(w string) bool {
		return strings.Trim(w, "abcdefghijklmnopqrstuvwxyz-") != "" || strings.HasPrefix(w, "-")
	}) {
		call = append(slices.Clone(call), "--help")
	}
	quiet := newTerminal(nil)
	_, err = newParser(context.Background(), &quiet.Terminal).Parse(call)
	if err != nil && strings.Contains(err.Error(), "no such file or directory") {
		return nil // it is the reader's
	}
	return err
}

// TestEveryCommandThatIsAdvisedCanBeGiven takes each command that a message, a
// page or a document shows, has a shell split it, and parses it.
func TestEveryCommandThatIsAdvisedCanBeGiven(t *testing.T) {
	all := collect(t)
	for _, word := range accesslog.Words() { // as `touchline why` fills them in
		_, todo := logs.Meaning(&accesslog.Line{Why: word, KeyID: "tk_1", Details: accesslog.Why{Scope: "teams:read"}})
		all = append(all, advised(string(word), todo)...)
	}
	if len(all) < 150 {
		t.Fatalf("found %d commands", len(all))
	}
	seen := map[string]bool{}
	for _, a := range all {
		line := filled.ReplaceAllString(strings.ReplaceAll(a.line, "%d", "1"), "X")
		line = regexp.MustCompile(`^[^ ]*/touchline `).ReplaceAllString(line, "touchline ")
		line = placeholders.Replace(redirected.ReplaceAllString(strings.TrimRight(line, ",;:"), "") + " ")
		if seen[line] {
			continue
		}
		seen[line] = true
		calls, err := words(t, line)
		if err != nil {
			t.Errorf("%s: %s: %v", a.where, a.line, err)
			continue
		}
		for _, call := range calls {
			if err := parse(call); err != nil {
				t.Errorf("%s: %s: %v", a.where, a.line, err)
			}
		}
	}
}

// TestWhatServeGreetsWithRunsAsPrinted: the command that a start shows is pasted
// into bash, and gets data.
func TestWhatServeGreetsWithRunsAsPrinted(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		need(t, err)
	}
	for name, flags := range map[string][]string{"demo": {"--demo", "--docs-addr=off"}, "data": {"--data=" + small(t)}} {
		t.Run(name, func(t *testing.T) {
			config := t.TempDir()
			t.Setenv("XDG_CONFIG_HOME", config)
			greeting, secret := greeted(t, append(flags, "--data-dir="+t.TempDir()))
			_, command, found := strings.Cut(greeting, "terminal")
			_, command, _ = strings.Cut(command, "\n\n  ")
			command, _, cut := strings.Cut(command, "\n")
			if !found || !cut {
				t.Fatalf("no command in %s", greeting)
			}
			sh := exec.Command("bash", "-c", command)
			sh.Env = []string{"XDG_CONFIG_HOME=" + config, asTouchline + "=1"}
			sh.Stdin = strings.NewReader(secret + "\n")
			var out, said bytes.Buffer
			sh.Stdout, sh.Stderr = &out, &said
			if err := sh.Run(); err != nil || !strings.Contains(out.String(), `"data"`) {
				t.Errorf("%s: %v: %s%s", command, err, out.String(), said.String())
			}
		})
	}
}

// greeted starts serve and returns what it prints until it has shown a command,
// and the secret in it.
func greeted(t *testing.T, flags []string) (text, secret string) {
	t.Helper()
	term := newTerminal(nil)
	term.Now = time.Now // the command that is pasted has that clock, too
	lines := term.start(t, append([]string{"serve", "--addr=127.0.0.1:0"}, flags...)...).lines
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("%v: %s%s", err, text, term.Errors.String())
		}
		text += line
		if at := strings.Fields(line); len(at) == 2 && at[0] == "secret" {
			secret = at[1]
		}
		if strings.Contains(line, " get '") {
			return text + "\n", secret
		}
	}
}
