package main

import (
	"github.com/alecthomas/kong"
	kongcompletion "github.com/jotaen/kong-completion"
	"github.com/posener/complete"

	"touchline/scripts/touchline/site"
)

type completionCommand struct{ kongcompletion.Completion }

// Help is shown below the flags.
func (completionCommand) Help() string {
	return `Says how to have a shell complete commands, flags and their values when you press Tab, by default the shell that you log in with. With -c it prints the code for the shell.

Examples:

    touchline completion
    echo 'source <(touchline completion -c bash)' >>~/.bashrc
`
}

// completes prints what may follow the line that a shell asks about and exits; without
// such a line it does nothing.
func completes(parser *kong.Kong) {
	kongcompletion.Register(parser, kongcompletion.WithPredictor("kit", complete.PredictSet(site.KitIDs()...)))
}
