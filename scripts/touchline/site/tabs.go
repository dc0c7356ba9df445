package site

import (
	"fmt"
	"html"
	"path"
	"strings"
)

// Example is the text of the kit's program.
func (k Kit) Example() string {
	file := k.Program
	if k.ID == "go" {
		file += ".txt" // or it would be a package of this module
	}
	text, _ := files.ReadFile(path.Join("content", "examples", file)) // a test checks that each exists
	return string(text)
}

// exampleFile is a program in content/examples as a block of a page.
func exampleFile(name, lang string) (string, error) {
	text, err := files.ReadFile(path.Join("content", "examples", name))
	return fmt.Sprintf("```%s\n%s```\n", lang, text), err
}

// languages lets readers choose a language; write makes the panel for each kit, or
// nothing to leave it out. Since Markdown ends HTML at an empty line, the text has a
// placeholder until it is rendered.
func (v *view) languages(name string, write func(Kit) (string, error)) (string, error) {
	var choice, panels strings.Builder
	for _, k := range v.Kits {
		if k.Program == "" {
			continue
		}
		panel, err := write(k)
		if err != nil {
			return "", err
		}
		if panel == "" {
			continue
		}
		checked := ""
		if panels.Len() == 0 {
			checked = " checked"
		}
		fmt.Fprintf(&choice, `<input type="radio" name="%[1]s" id="%[1]s-%[2]s" value="%[2]s"%[3]s><label for="%[1]s-%[2]s">%[4]s</label>`, name, k.ID, checked, html.EscapeString(k.Label))
		fmt.Fprintf(&panels, `<div class="panel" data-language="%s">%s</div>`, k.ID, panel)
	}
	return fmt.Sprintf(`<div class="tabs"><fieldset><legend>Language</legend>%s</fieldset>%s</div>`, choice.String(), panels.String()), nil
}

// example is what a page shows of the programs: their kits, their code, or how
// to start them.
func (v *view) example(what string) (string, error) {
	var write func(Kit) (string, error)
	switch what {
	case "kit":
		write = func(k Kit) (string, error) {
			return fmt.Sprintf(`<p>Save <a href="kits/%s" download>%[1]s</a> into a new folder. Read it first: it is one file, with nothing but the standard library.</p>`, html.EscapeString(k.File)), nil
		}
	case "program":
		write = func(k Kit) (string, error) {
			block, err := code(k.Lang, k.Example())
			return fmt.Sprintf(`<p>Save this beside it as <code>%s</code>:</p>%s`, k.Program, block), err
		}
	case "run":
		write = func(k Kit) (string, error) {
			return code("bash", fmt.Sprintf("export TOUCHLINE_BASE_URL=%s\nexport TOUCHLINE_KEY_ID=tk_…\nread -rs TOUCHLINE_SECRET && export TOUCHLINE_SECRET\n%s", v.BaseURL, k.Start))
		}
	default:
		return "", fmt.Errorf("no example %q", what)
	}
	made, err := v.languages("language-"+what, write)
	v.held = append(v.held, made)
	return fmt.Sprintf("\n\nheld-back-%d\n\n", len(v.held)-1), err
}
