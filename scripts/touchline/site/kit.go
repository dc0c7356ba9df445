package site

import "embed"

// Kit is a client for the API in one file.
type Kit struct {
	ID    string // the name in addresses
	Label string // the language's name
	Lang  string // for highlighting
	File  string // the name to save it under
	Text  string
	// Program is the file in content/examples of a program that uses the kit, and Start how
	// to start it; empty: no program.
	Program, Start string
}

//go:embed kits/*
var kitFiles embed.FS

// Kits are all kits, in the order of the page.
func Kits() []Kit {
	all := []Kit{
		{ID: "python", Label: "Python", Lang: "python", File: "touchline.py", Program: "league.py", Start: "python3 league.py"},
		{ID: "node", Label: "Node.js", Lang: "javascript", File: "touchline.mjs", Program: "league.mjs", Start: "node league.mjs"},
		{ID: "php", Label: "PHP", Lang: "php", File: "touchline.php", Program: "league.php", Start: "php league.php"},
		{ID: "ruby", Label: "Ruby", Lang: "ruby", File: "touchline.rb", Program: "league.rb", Start: "ruby league.rb"},
		{ID: "go", Label: "Go", Lang: "go", File: "touchline.go", Program: "league.go", Start: "go mod init league\nmkdir touchline && mv touchline.go touchline/\ngo run ."},
		{ID: "java", Label: "Java", Lang: "java", File: "Touchline.java", Program: "League.java", Start: "javac Touchline.java League.java\njava League"},
		{ID: "csharp", Label: "C#", Lang: "csharp", File: "Touchline.cs", Program: "League.cs", Start: "dotnet new console --name league --output league\nmv Touchline.cs League.cs league/\nrm league/Program.cs\ndotnet run --project league"},
		{ID: "shell", Label: "Shell", Lang: "bash", File: "touchline.sh", Program: "league.sh", Start: "bash league.sh"},
		// This is not a client by itself.
		{ID: "types", Label: "TypeScript, beside the Node.js kit", Lang: "typescript", File: "touchline.d.mts"},
	}
	for i := range all {
		text, _ := kitFiles.ReadFile("kits/" + all[i].File) // a test checks that each exists
		all[i].Text = string(text)
	}
	return all
}
