// Package field computes the fields of a text that have no alternatives: lengths, counts,
// offsets, checksums and copies, in encodings of fixed width.
//
//	e, _ := field.Named("u32be")
//	crc, _ := field.SumNamed("crc32")
//	f := &field.Field{Kind: field.Checksum, Sum: crc, Encoding: e, Parts: []field.Ref{{Part: 1}}}
//
// A [Field] says how one is computed. A [Layout] holds where the parts of one text lie and
// fills its fields in, in the order of dependence.
package field
