// Package field computes the fields of a text whose values are determined by other parts:
// lengths, counts, offsets, checksums and copies.
//
//	e, _ := field.Named("u32be")
//	crc, _ := field.SumNamed("crc32")
//	f := &field.Field{Kind: field.Checksum, Sum: crc, Encoding: e, Parts: []field.Ref{{Part: 1}}}
//
// A [Field] describes the computation of one field. A [Layout] holds the positions of the
// parts of one text and fills in its fields, in the order of dependence.
package field
