// Package computed reads the annotations of computed fields: the element of a rule that is
// computed, the parts of the sentence that it is computed from, and the function.
//
//	chunk = u32be @len(data) ( type data ) @part(body) u32be @crc32(body) ;
//	type  = "IHDR" | "tEXt" ;
//	data  = byte{0,40} ;
//
// [Bytes] defines the names of encodings and the classes of bytes where they are not computed:
// u32be by itself is any four bytes. [Fields] makes a literal of each computed element once names
// are bound, and refuses those that cannot be computed.
package computed
