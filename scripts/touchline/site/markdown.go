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
		"example": v.example, "json": indented,
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
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		// The pages come from this package, so HTML in them is intended.
		goldmark.WithRendererOptions(goldmarkhtml.WithUnsafe(), renderer.WithNodeRenderers(util.Prioritized(blocks{}, 100))),
	)
	raw := []byte(source)
	root := md.Parser().Parse(text.NewReader(raw))
	var headings []heading
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && entering && h.Level == 2 {
			id, _ := h.AttributeString("id")
			name, _ := id.([]byte)
			headings = append(headings, heading{string(name), plain(h, raw)})
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
	// Tables can be scrolled in a narrow window.
	made := strings.NewReplacer("<table>", `<div class="scroll" tabindex="0"><table>`, "</table>", "</table></div>").Replace(b.String())
	return template.HTML(made), headings, nil //nolint:gosec // of this package's own pages
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

// blocks renders blocks of code.
type blocks struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (blocks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
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
