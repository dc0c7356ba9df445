package site

import (
	"fmt"
	"html"
	"path"
	"strings"
)

// example is a program that the pages show, for one language.
type example struct {
	kit  string // the id of its kit
	file string // in content/examples
	run  string // how to start it
}

// ExampleFile is the program in content/examples that uses a kit; empty if there
// isn't one.
func ExampleFile(kit string) (name, text string) {
	for _, e := range examples() {
		if e.kit == kit {
			file := e.file
			if kit == "go" {
				file += ".txt" // or it would be a package of this module
			}
			raw, err := files.ReadFile(path.Join("content", "examples", file))
			if err != nil {
				return "", ""
			}
			return e.file, string(raw)
		}
	}
	return "", ""
}

// exampleFile is a program in content/examples as a block of a page.
func exampleFile(name, lang string) (string, error) {
	text, err := files.ReadFile(path.Join("content", "examples", name))
	return fmt.Sprintf("```%s\n%s```\n", lang, text), err
}

func examples() []example {
	return []example{
		{"python", "league.py", "python3 league.py"},
		{"node", "league.mjs", "node league.mjs"},
		{"php", "league.php", "php league.php"},
		{"ruby", "league.rb", "ruby league.rb"},
		{"go", "league.go", "go mod init league\nmkdir touchline && mv touchline.go touchline/\ngo run ."},
		{"java", "League.java", "javac Touchline.java League.java\njava League"},
		{"csharp", "League.cs", "dotnet new console --name league --output league\nmv Touchline.cs League.cs league/\nrm league/Program.cs\ndotnet run --project league"},
		{"shell", "league.sh", "bash league.sh"},
	}
}

// languages lets readers choose a language; write makes the panel for each kit, or
// nothing to leave it out. Since Markdown ends HTML at an empty line, the text has a
// placeholder until it is rendered.
func (v *view) languages(name string, write func(k Kit, e example) (string, error)) (string, error) {
	var choice, panels strings.Builder
	for _, e := range examples() {
		k, there := v.kit(e.kit)
		if !there {
			continue
		}
		panel, err := write(k, e)
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

func (v *view) kit(id string) (Kit, bool) {
	for _, k := range v.Kits {
		if k.ID == id {
			return k, true
		}
	}
	return Kit{}, false
}

// example is what a page shows of the programs: their kits, their code, or how
// to start them.
func (v *view) example(what string) (string, error) {
	var write func(k Kit, e example) (string, error)
	switch what {
	case "kit":
		write = func(k Kit, _ example) (string, error) {
			return fmt.Sprintf(`<p>Save <a href="kits/%s" download>%[1]s</a> into a new folder. <a href="%s.html">Read it first</a>: it is one file, with nothing but the standard library.</p>`, html.EscapeString(k.File), kitPageName(k)), nil
		}
	case "program":
		write = func(k Kit, e example) (string, error) {
			_, text := ExampleFile(k.ID)
			block, err := code(k.Lang, text)
			return fmt.Sprintf(`<p>Save this beside it as <code>%s</code>:</p>%s`, e.file, block), err
		}
	case "run":
		write = func(_ Kit, e example) (string, error) {
			return code("bash", fmt.Sprintf("export TOUCHLINE_BASE_URL=%s\nexport TOUCHLINE_KEY_ID=tk_…\nread -rs TOUCHLINE_SECRET && export TOUCHLINE_SECRET\n%s", v.BaseURL, e.run))
		}
	default:
		return "", fmt.Errorf("no example %q", what)
	}
	made, err := v.languages("language-"+what, write)
	v.held = append(v.held, made)
	return fmt.Sprintf("\n\nheld-back-%d\n\n", len(v.held)-1), err
}
