// Package computed reads the annotations of computed fields. A field is an element whose text is
// computed from parts of the sentence, for example a length or a checksum.
//
//	chunk = u32be @len(data) ( type data ) @part(body) u32be @crc32(body) ;
//	type  = "IHDR" | "tEXt" ;
//	data  = byte{0,40} ;
//
// [Bytes] gives bytes and encodings that are not computed their meaning: u32be by itself is any
// four bytes. [Fields] turns each computed element into a literal, after names are bound. It
// refuses fields that cannot be computed. [Numbers] expands rules with parameters.
package computed
