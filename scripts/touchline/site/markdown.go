package site

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"strings"
	texttemplate "text/template"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// heading is a heading of level 2, for the list next to a page.
type heading struct{ ID, Text string }

// render executes the template of a page and converts it to HTML.
func (v *view) render(source string) (template.HTML, []heading, error) {
	t, err := texttemplate.New("page").Funcs(texttemplate.FuncMap{
		"example": v.example, "file": exampleFile, "json": indented, "title": capitalized,
	}).Parse(source)
	if err != nil {
		return "", nil, err
	}
	v.held = nil
	var b strings.Builder
	if err := t.Execute(&b, v); err != nil {
		return "", nil, err
	}
	body, headings, err := markdown(b.String())
	for i, made := range v.held {
		body = template.HTML(strings.Replace(string(body), fmt.Sprintf("<p>held-back-%d</p>", i), made, 1)) //nolint:gosec // of this package's own pages
	}
	return body, headings, err
}

// markdown converts Markdown to HTML.
func markdown(source string) (template.HTML, []heading, error) {
	md := goldmark.New(
		goldmark.WithExtensions(extension.Table),
		goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithHeadingAttribute()),
		// The pages come from this package, so HTML in them is intended.
		goldmark.WithRendererOptions(goldmarkhtml.WithUnsafe(), renderer.WithNodeRenderers(util.Prioritized(blocks{}, 100))),
	)
	raw := []byte(source)
	root := md.Parser().Parse(text.NewReader(raw))
	var headings []heading
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level == 2 {
				headings = append(headings, heading{idOf(n), plain(n, raw)})
			}
		case *tables.Table:
			label(n, raw)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return "", nil, err
	}
	var b bytes.Buffer
	if err := md.Renderer().Render(&b, raw, root); err != nil {
		return "", nil, err
	}
	return template.HTML(b.String()), headings, nil //nolint:gosec // of this package's own pages
}

func capitalized(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func idOf(h *ast.Heading) string {
	id, _ := h.AttributeString("id")
	name, _ := id.([]byte)
	return string(name)
}

// label writes the column's heading into each cell: in a narrow window a row is
// shown as a list. The roles keep it a table for screen readers there.
func label(table *tables.Table, source []byte) {
	var columns []string
	table.SetAttributeString("role", []byte("table"))
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		if row.Kind() != tables.KindTableHeader { // whose attributes are those of thead
			row.SetAttributeString("role", []byte("row"))
		}
		at := 0
		for cell := row.FirstChild(); cell != nil; cell, at = cell.NextSibling(), at+1 {
			if row.Kind() == tables.KindTableHeader {
				columns = append(columns, plain(cell, source))
				cell.SetAttributeString("role", []byte("columnheader"))
				continue
			}
			cell.SetAttributeString("role", []byte("cell"))
			if at < len(columns) && columns[at] != "" {
				cell.SetAttributeString("data-label", []byte(capitalized(columns[at])))
			}
		}
	}
}

// plain is the text of a node.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(source))
			continue
		}
		b.WriteString(plain(c, source))
	}
	return b.String()
}

// blocks renders headings, with a link to each, and blocks of code.
type blocks struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (blocks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		h, ok := n.(*ast.Heading)
		if !ok {
			return ast.WalkContinue, nil
		}
		id := html.EscapeString(idOf(h))
		if entering {
			_, err := fmt.Fprintf(w, `<h%d id="%s">`, h.Level, id)
			return ast.WalkContinue, err
		}
		if h.Level > 1 {
			_, _ = fmt.Fprintf(w, `<a class="anchor" href="#%s" aria-label="Link to “%s”">#</a>`, id, html.EscapeString(plain(h, source)))
		}
		_, err := fmt.Fprintf(w, "</h%d>\n", h.Level)
		return ast.WalkContinue, err
	})
	r.Register(ast.KindFencedCodeBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		block, ok := n.(*ast.FencedCodeBlock)
		if !ok {
			return ast.WalkContinue, nil
		}
		var b strings.Builder
		for i := range block.Lines().Len() {
			line := block.Lines().At(i)
			b.Write(line.Value(source))
		}
		made, err := code(string(block.Language(source)), b.String())
		if err != nil {
			return ast.WalkStop, err
		}
		_, err = w.WriteString(made)
		return ast.WalkSkipChildren, err
	})
}

// code is a block of code as HTML, with classes for its colours.
func code(lang, text string) (string, error) {
	text = strings.TrimRight(text, "\n")
	lexer := lexers.Get(lang)
	if lang == "" || lexer == nil {
		return fmt.Sprintf("<div class=\"code\"><pre tabindex=\"0\"><code>%s</code></pre></div>\n", html.EscapeString(text)), nil
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(`<div class="code">`)
	format := chromahtml.New(chromahtml.WithClasses(true), chromahtml.PreventSurroundingPre(true))
	var inner strings.Builder
	if err := format.Format(&inner, styles.Fallback, tokens); err != nil {
		return "", err
	}
	fmt.Fprintf(&b, `<pre tabindex="0"><code>%s</code></pre></div>`+"\n", strings.TrimRight(inner.String(), "\n"))
	return b.String(), nil
}
