package field

// Encodes reports whether the bytes of the part are written otherwise.
func (r *Resize) Encodes() bool { return r != nil && r.Blocks > 0 }

// field stands for the bytes of an encoded part.
func (r *Resize) field() *Field { return blocks }

var blocks = &Field{Name: "blocks"}

// encode appends what the part is written as.
func (r *Resize) encode(to, plain []byte) []byte {
	for len(plain) > 0 {
		n := min(len(plain), r.Blocks)
		to = append(append(to, byte(n)), plain[:n]...)
		plain = plain[n:]
	}
	return to
}

// Decode returns what a part is that a text begins with, and how many bytes of the text it is
// written in; false where the text does not begin with one. Blocks go up to a block of length
// 0, which is not of the part, or to the end of the text.
func (r *Resize) Decode(text string) (plain string, size int, ok bool) {
	var b []byte
	for size < len(text) && text[size] != 0 {
		end := size + 1 + int(text[size])
		if end > len(text) {
			return "", 0, false
		}
		b = append(b, text[size+1:end]...)
		size = end
	}
	return string(b), size, true
}

// Text returns what a part is written as.
func (r *Resize) Text(plain string) string { return string(r.encode(nil, []byte(plain))) }
