package direct

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// parser reads JSON from its beginning to its end. It takes less than the
// language allows (no null where a value is expected, no escapes in names), and
// nothing after it has failed.
type parser struct {
	text   []byte
	at     int
	depth  int
	failed bool
}

// maxDepth is more than the 32 levels that an item may have, two a level.
const maxDepth = 100

func (p *parser) fail() {
	p.failed = true
	p.at = len(p.text)
}

// done reports whether all was read and was understood.
func (p *parser) done() bool {
	return p.peek() == 0 && p.at == len(p.text) && !p.failed
}

// peek is the next byte that is no space, 0 at the end.
func (p *parser) peek() byte {
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// next takes c, and reports whether it was there.
func (p *parser) next(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.at++
	return true
}

func (p *parser) expect(c byte) {
	if !p.next(c) {
		p.fail()
	}
}

// elements reads what is between two brackets.
func (p *parser) elements(open, closing byte, element func()) {
	p.expect(open)
	if p.depth++; p.depth > maxDepth {
		p.fail()
	}
	if !p.next(closing) {
		for element(); p.next(','); {
			element()
		}
		p.expect(closing)
	}
	p.depth--
}

// object reads an object; member reads the value of the member of a name, which
// holds until then.
func (p *parser) object(member func(name []byte)) {
	p.elements('{', '}', func() {
		name, plain := p.literal()
		if !plain {
			p.fail()
			return
		}
		p.expect(':')
		member(name[1 : len(name)-1])
	})
}

func (p *parser) array(element func()) { p.elements('[', ']', element) }

// literal is a string with its quotes, and whether it is what is between them. Of
// a parser that has failed it is not.
func (p *parser) literal() (text []byte, plain bool) {
	if p.peek() != '"' {
		p.fail()
		return nil, false
	}
	plain = true
	for i := p.at + 1; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '"':
			text = p.text[p.at : i+1]
			p.at = i + 1
			return text, plain
		case c == '\\':
			plain = false
			i++
		case c < ' ' || c >= utf8.RuneSelf && !p.rune(&i):
			p.fail()
			return nil, false
		}
	}
	p.fail()
	return nil, false
}

// rune moves i to the last byte of the character that begins there.
func (p *parser) rune(i *int) bool {
	r, size := utf8.DecodeRune(p.text[*i:])
	*i += size - 1
	return r != utf8.RuneError || size != 1
}

func (p *parser) string() string {
	literal, plain := p.literal()
	if plain {
		return string(literal[1 : len(literal)-1])
	}
	var text string
	if p.failed || json.Unmarshal(literal, &text) != nil {
		p.fail()
	}
	return text
}

func (p *parser) bytes() []byte {
	value, err := base64.StdEncoding.DecodeString(p.string())
	if err != nil {
		p.fail()
	}
	return value
}

func (p *parser) flag() bool {
	p.peek()
	switch rest := p.text[p.at:]; {
	case bytes.HasPrefix(rest, []byte("true")):
		p.at += len("true")
		return true
	case bytes.HasPrefix(rest, []byte("false")):
		p.at += len("false")
	default:
		p.fail()
	}
	return false
}

// number reads a number of digits and points: units have no others.
func (p *parser) number() float64 {
	p.peek()
	from := p.at
	for p.at < len(p.text) && (p.text[p.at] >= '0' && p.text[p.at] <= '9' || p.text[p.at] == '.') {
		p.at++
	}
	text := p.text[from:p.at]
	value, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !json.Valid(text) {
		p.fail()
	}
	return value
}
