// Package computed reads the annotations of computed fields: which element of a rule is
// computed from which parts of the sentence, and how.
//
//	chunk = u32be @len(data) ( type data ) @part(body) u32be @crc32(body) ;
//	type  = "IHDR" | "tEXt" ;
//	data  = byte{0,40} ;
//
// [Bytes] gives the names of encodings and the classes of bytes their meaning where they
// are not computed: u32be by itself is any four bytes. [Fields] makes a literal of each
// computed element once names are bound, and refuses those that cannot be computed.
package computed
