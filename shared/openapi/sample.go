package openapi

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"

	"touchline/shared/route"
)

// CodeSample is how to send a request in a language, with the kit that
// `touchline kit` prints (x-codeSamples, which API browsers show).
type CodeSample struct {
	Lang   string `json:"lang"` // for highlighting
	Label  string `json:"label"`
	Source string `json:"source"`
}

// sample is how a language requests a single response, and every page of a list.
// {base}, {target} and {path} are replaced; {arguments} is the query as
// arguments after the path, and {type} what the Go kit calls the data.
type sample struct {
	lang, label, get, pages string
	arguments               arguments
}

// arguments is how a language writes a query: what comes before it, a pair
// (name, value), what separates pairs, and what comes after it.
//
// A name that is reserved in the language has an underscore after it.
type arguments struct{ before, pair, between, after, reserved string }

func sampleTexts() []sample {
	return []sample{
		{
			"bash", "Shell", // touchline.sh reads its key from the environment
			"export TOUCHLINE_BASE_URL={base} TOUCHLINE_KEY_ID=tk_... TOUCHLINE_SECRET=...\n./touchline.sh get '{target}'",
			"export TOUCHLINE_BASE_URL={base} TOUCHLINE_KEY_ID=tk_... TOUCHLINE_SECRET=...\n./touchline.sh pages '{target}'",
			arguments{},
		},
		{
			"python", "Python",
			"import os\nimport touchline\n\napi = touchline.Client(\"{base}\", os.environ[\"TOUCHLINE_KEY_ID\"], os.environ[\"TOUCHLINE_SECRET\"])\nprint(api.get(\"{path}\"{arguments}))",
			"import os\nimport touchline\n\napi = touchline.Client(\"{base}\", os.environ[\"TOUCHLINE_KEY_ID\"], os.environ[\"TOUCHLINE_SECRET\"])\nfor item in api.pages(\"{path}\"{arguments}):\n    print(item)",
			arguments{", ", `%s="%s"`, ", ", "", "from"},
		},
		{
			"javascript", "Node.js",
			"import { Client } from './touchline.mjs'\n\nconst api = new Client('{base}', process.env.TOUCHLINE_KEY_ID, process.env.TOUCHLINE_SECRET)\nconsole.log(await api.get('{path}'{arguments}))",
			"import { Client } from './touchline.mjs'\n\nconst api = new Client('{base}', process.env.TOUCHLINE_KEY_ID, process.env.TOUCHLINE_SECRET)\nfor await (const item of api.pages('{path}'{arguments})) {\n  console.log(item)\n}",
			arguments{", { ", "%s: '%s'", ", ", " }", ""},
		},
		{
			"php", "PHP",
			"<?php\nrequire 'touchline.php';\n\n$api = new Touchline\\Client('{base}', getenv('TOUCHLINE_KEY_ID'), getenv('TOUCHLINE_SECRET'));\nprint_r($api->get('{path}'{arguments}));",
			"<?php\nrequire 'touchline.php';\n\n$api = new Touchline\\Client('{base}', getenv('TOUCHLINE_KEY_ID'), getenv('TOUCHLINE_SECRET'));\nforeach ($api->pages('{path}'{arguments}) as $item) {\n    print_r($item);\n}",
			arguments{", [", "'%s' => '%s'", ", ", "]", ""},
		},
		{
			"ruby", "Ruby",
			"require_relative 'touchline'\n\napi = Touchline::Client.new('{base}', ENV.fetch('TOUCHLINE_KEY_ID'), ENV.fetch('TOUCHLINE_SECRET'))\np api.get('{path}'{arguments})",
			"require_relative 'touchline'\n\napi = Touchline::Client.new('{base}', ENV.fetch('TOUCHLINE_KEY_ID'), ENV.fetch('TOUCHLINE_SECRET'))\napi.pages('{path}'{arguments}) { |item| p item }",
			arguments{", ", "%s: '%s'", ", ", "", ""},
		},
		{
			"java", "Java",
			"public class Example {\n    public static void main(String[] args) throws Exception {\n        var api = new Touchline(\"{base}\", System.getenv(\"TOUCHLINE_KEY_ID\"), System.getenv(\"TOUCHLINE_SECRET\"));\n        System.out.println(api.get(\"{target}\"));\n    }\n}",
			"public class Example {\n    public static void main(String[] args) throws Exception {\n        var api = new Touchline(\"{base}\", System.getenv(\"TOUCHLINE_KEY_ID\"), System.getenv(\"TOUCHLINE_SECRET\"));\n        for (String page : api.pages(\"{target}\")) {\n            System.out.println(page);\n        }\n    }\n}",
			arguments{},
		},
		{
			"csharp", "C#",
			"using System;\n\npublic static class Example\n{\n    public static void Main()\n    {\n        var api = new Touchline(\"{base}\", Environment.GetEnvironmentVariable(\"TOUCHLINE_KEY_ID\"), Environment.GetEnvironmentVariable(\"TOUCHLINE_SECRET\"));\n        Console.WriteLine(api.Get(\"{target}\"));\n    }\n}",
			"using System;\n\npublic static class Example\n{\n    public static void Main()\n    {\n        var api = new Touchline(\"{base}\", Environment.GetEnvironmentVariable(\"TOUCHLINE_KEY_ID\"), Environment.GetEnvironmentVariable(\"TOUCHLINE_SECRET\"));\n        foreach (string page in api.Pages(\"{target}\"))\n        {\n            Console.WriteLine(page);\n        }\n    }\n}",
			arguments{},
		},
		{
			"go", "Go",
			goSample("\tdata, err := touchline.Get[touchline.{type}](context.Background(), api, \"{target}\", nil)\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n\tfmt.Printf(\"%+v\\n\", data)\n"),
			goSample("\tfor item, err := range touchline.Pages[touchline.{type}](context.Background(), api, \"{target}\", nil) {\n\t\tif err != nil {\n\t\t\tlog.Fatal(err)\n\t\t}\n\t\tfmt.Printf(\"%+v\\n\", item)\n\t}\n"),
			arguments{},
		},
	}
}

// goSample is a program whose module is called example, with the kit in its folder
// touchline.
func goSample(body string) string {
	return "package main\n\nimport (\n\t\"context\"\n\t\"fmt\"\n\t\"log\"\n\t\"os\"\n\n\t\"example/touchline\"\n)\n\nfunc main() {\n\tapi := touchline.New(\"{base}\", os.Getenv(\"TOUCHLINE_KEY_ID\"), os.Getenv(\"TOUCHLINE_SECRET\"))\n" + body + "}"
}

// Samples are how the kits send a request of an operation to a target: for a list,
// one for each of its pages, without page and limit, which the kits send. Names and
// values in the target must consist of letters, digits and dashes.
func Samples(o *route.Operation, baseURL, target string) []CodeSample {
	paged := hasParams(o, "page")
	if paged {
		target = withoutPaging(target)
	}
	path, query, _ := strings.Cut(target, "?")
	var all []CodeSample
	for _, s := range sampleTexts() {
		text := s.get
		if paged {
			text = s.pages
		}
		put := strings.NewReplacer("{base}", baseURL, "{target}", target, "{path}", path, "{arguments}", s.arguments.of(query), "{type}", dataType(o.ReplyType))
		all = append(all, CodeSample{Lang: s.lang, Label: s.label, Source: put.Replace(text)})
	}
	return all
}

// dataType is the schema of a reply's data, or of an item of its list.
func dataType(reply reflect.Type) string {
	within := func(t reflect.Type) reflect.Type {
		data, _ := t.FieldByName("Data")
		return data.Type
	}
	t := within(reply)
	if isData(t) { // an envelope within the reply
		t = within(t)
	}
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return componentName(t)
}

// of writes a query. Names and values consist of letters, digits and dashes, so
// nothing has to be escaped.
func (a arguments) of(query string) string {
	if query == "" || a.pair == "" {
		return ""
	}
	var pairs []string
	for part := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(part, "=")
		if name == a.reserved {
			name += "_"
		}
		pairs = append(pairs, fmt.Sprintf(a.pair, name, value))
	}
	return a.before + strings.Join(pairs, a.between) + a.after
}

// withoutPaging removes page and limit from a target's query.
func withoutPaging(target string) string {
	path, query, _ := strings.Cut(target, "?")
	var kept []string
	for part := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(part, "=")
		if name, err := url.PathUnescape(name); err == nil && name != "page" && name != "limit" && part != "" {
			kept = append(kept, part)
		}
	}
	if len(kept) == 0 {
		return path
	}
	return path + "?" + strings.Join(kept, "&")
}
