package abnf

import "github.com/gramfuzz/gramfuzz/load/internal/syntax"

// coreText has the core rules of RFC 5234, appendix B.1.
const coreText = `
ALPHA  = %x41-5A / %x61-7A
BIT    = "0" / "1"
CHAR   = %x01-7F
CR     = %x0D
CRLF   = CR LF
CTL    = %x00-1F / %x7F
DIGIT  = %x30-39
DQUOTE = %x22
HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"
HTAB   = %x09
LF     = %x0A
LWSP   = *(WSP / CRLF WSP)
OCTET  = %x00-FF
SP     = %x20
VCHAR  = %x21-7E
WSP    = SP / HTAB
`

// coreName is the file name in positions of core rules.
const coreName = "ABNF core rules"

// core reads the core rules. Their values are octets, since none is above FF.
func core() map[string]*syntax.Rule {
	b := read(coreName, []byte(coreText))
	rules := make(map[string]*syntax.Rule, len(b.g.Rules))
	for _, r := range b.g.Rules {
		rules[r.Name] = r
	}
	return rules
}
