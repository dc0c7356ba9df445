package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"touchline/scripts/touchline/kits"
	"touchline/scripts/touchline/terminal"
)

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help is shown below the flags.
func (completionCommand) Help() string {
	return `Prints a script that completes commands, flags and their values when you press Tab.

Examples:

    touchline completion bash >~/.local/share/bash-completion/completions/touchline
    echo 'source <(touchline completion zsh)' >>~/.zshrc
    touchline completion fish >~/.config/fish/completions/touchline.fish
`
}

// Run prints the script, made from the command line that this program reads.
func (m *completionCommand) Run(k *kong.Context, c *terminal.Terminal) error { //nolint:unparam // the form of a command
	lines := completions(k.Model.Node, "")
	switch m.Shell {
	case "bash":
		c.Printf("%s", bashCompletion(lines))
	case "zsh":
		// This makes zsh read the functions of bash.
		c.Printf("autoload -Uz compinit bashcompinit\n(( $+functions[compdef] )) || compinit\nbashcompinit\n%s", bashCompletion(lines))
	case "fish":
		c.Printf("%s", fishCompletion(lines))
	}
	return nil
}

// completion is a command and what may follow it.
type completion struct {
	path  string // the words before it, separated by spaces; empty: touchline itself
	words []hint // its commands, or the values of its argument
	flags []flagHint
}

type hint struct{ text, help string }

type flagHint struct {
	hint            // with its dashes
	values []string // possible values; none: any
	takes  bool     // whether it has a value
}

// completions are those of a command and of all below it.
func completions(n *kong.Node, path string) []completion {
	here := completion{path: path}
	var below []completion
	for _, child := range n.Children {
		if child.Hidden {
			continue
		}
		here.words = append(here.words, hint{child.Name, child.Help})
		below = append(below, completions(child, strings.TrimSpace(path+" "+child.Name))...)
	}
	if path == "" {
		here.words = append(here.words, hint{"help", "Show how a command is used."})
	}
	for _, p := range n.Positional {
		if p.Enum == "" {
			continue
		}
		for _, value := range p.EnumSlice() {
			here.words = append(here.words, hint{value, ""})
		}
	}
	if path == "kit" {
		for _, id := range kits.IDs() {
			here.words = append(here.words, hint{id, ""})
		}
	}
	for _, group := range n.AllFlags(true) {
		for _, f := range group {
			h := flagHint{hint: hint{"--" + f.Name, f.Help}, takes: !f.IsBool()}
			if f.Enum != "" {
				h.values = f.EnumSlice()
			}
			here.flags = append(here.flags, h)
		}
	}
	return append([]completion{here}, below...)
}

// bashCompletion falls back to completing file names.
func bashCompletion(all []completion) string {
	var b strings.Builder
	b.WriteString(`# Completion of touchline; from touchline completion.
_touchline() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} path='' words='' flags='' values='' i
	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		case "$path ${COMP_WORDS[i]}" in
`)
	var paths []string
	for _, c := range all {
		if c.path != "" {
			paths = append(paths, "' "+c.path+"'")
		}
	}
	fmt.Fprintf(&b, "\t\t%s) path=\"$path ${COMP_WORDS[i]}\" ;;\n\t\tesac\n\tdone\n\tcase \"$path\" in\n", strings.Join(paths, "|"))
	for _, c := range all {
		var words, flags []string
		for _, w := range c.words {
			words = append(words, w.text)
		}
		var values strings.Builder
		for _, f := range c.flags {
			flags = append(flags, f.text)
			if f.takes {
				fmt.Fprintf(&values, "\t\t%s) values='%s' ;;\n", f.text, strings.Join(append([]string{"-"}, f.values...), " "))
			}
		}
		name := ""
		if c.path != "" {
			name = " " + c.path
		}
		fmt.Fprintf(&b, "\t'%s')\n\t\twords='%s'\n\t\tflags='%s'\n", name, strings.Join(words, " "), strings.Join(flags, " "))
		if values.Len() > 0 {
			fmt.Fprintf(&b, "\t\tcase \"$before\" in\n%s\t\tesac\n", values.String())
		}
		b.WriteString("\t\t;;\n")
	}
	b.WriteString(`	esac
	if [ -n "$values" ]; then
		words=${values#-}
	elif [ "${word:0:1}" = - ]; then
		words=$flags
	fi
	COMPREPLY=($(compgen -W "$words" -- "$word"))
	if [ ${#COMPREPLY[@]} -eq 0 ] && [ "${word:0:1}" != - ]; then
		COMPREPLY=($(compgen -f -- "$word"))
	fi
}
complete -o filenames -F _touchline touchline
`)
	return b.String()
}

// fishCompletion shows what each word is for.
func fishCompletion(all []completion) string {
	var b strings.Builder
	b.WriteString(`# Completion of touchline; from touchline completion.
function __touchline_at
	set -l path
	for word in (commandline -opc)[2..-1]
		switch "$path $word"
`)
	var paths []string
	for _, c := range all {
		if c.path != "" {
			paths = append(paths, "' "+c.path+"'")
		}
	}
	fmt.Fprintf(&b, "\t\tcase %s\n\t\t\tset path \"$path $word\"\n\t\tend\n\tend\n\ttest \"$path\" = \"$argv[1]\"\nend\n", strings.Join(paths, " "))
	for _, c := range all {
		name := ""
		if c.path != "" {
			name = " " + c.path
		}
		at := fmt.Sprintf("complete -c touchline -n '__touchline_at \"%s\"'", name)
		for _, w := range c.words {
			fmt.Fprintf(&b, "%s -f -a %s%s\n", at, fishWord(w.text), fishHelp(w.help))
		}
		for _, f := range c.flags {
			more := ""
			if f.takes {
				more = " -r"
			}
			if len(f.values) > 0 {
				more = " -x -a " + fishWord(strings.Join(f.values, " "))
			}
			fmt.Fprintf(&b, "%s -l %s%s%s\n", at, strings.TrimPrefix(f.text, "--"), more, fishHelp(f.help))
		}
	}
	return b.String()
}

// fishHelp is the first sentence of a help text as an option.
func fishHelp(help string) string {
	if help == "" {
		return ""
	}
	help, _, _ = strings.Cut(help, "(default")
	if at := strings.Index(help, ". "); at > 0 {
		help = help[:at]
	}
	return " -d " + fishWord(strings.TrimRight(strings.TrimSpace(help), ".:"))
}

// fishWord quotes a word of fish.
func fishWord(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
}
