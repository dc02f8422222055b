// Package fastdraw draws derivations of a counted program at hundreds of megabytes a
// second, exactly: each draw is decided by its 64 bits and by proven bounds on numbers.
// Package sample is its only user.
//
//	p := fastdraw.New(program, fastdraw.Exact(table), fastdraw.Options{Most: depth, Limits: limits})
//	r := p.Runner()
//	r.Bits.Reset(seed, i)
//	parts, err := r.Node(ctx, r.Begin(nil), nil, program.Root, depth, 0)
//	text, err := r.End(nil, parts, err)
//
// # A tour of the memory
//
// A slot is a node and a step: a size, or a depth. It stands for one draw between its
// outcomes, up to 64 of them: the node is unfolded as long as there are few enough
// (outcomes.go). An outcome is a sequence of pieces: choices made, and items, which are
// nodes and steps again. Items with few derivations are not drawn at slots of their own:
// the texts of all their derivations stand finished in a table, and neighbours share
// one (tables.go). Numbers alone decide what the outcomes are, never what was compiled.
//
// A state is a slot as far as it is compiled (compile.go). Its ops lie in one slice, the
// ops of an outcome one after the other. An op has 64 bytes, a line of the processor's
// cache: the numbers of texts of four tables, the places of these texts, and the slot
// where the sentence goes on. Buckets, 128 to a state, lead from the first 7 bits of a
// draw to the first op of its outcome without a search (branches.go).
//
// Texts of up to 16 bytes stand in cells (cells.go): one stretch of memory for all
// tables, addressed by 32 bits, each cell a byte for the length and then the text. So the
// loop (loop.go) copies 16 bytes and adds a length, four times an op, with no branch on
// either. Cells and ops are read through unsafe pointers; nothing else here is.
//
// A slot is compiled as it is used. The first draw finds its outcomes, and keeps how each
// was made. The ops of an outcome are made when it is first drawn, behind those made
// before, and a slot gets buckets after some draws. When the compiled parts
// take more than Options.Memory, all are dropped, and those that are drawn next are
// compiled again: those used last come back first (program.go). Parts larger than
// Limits.Size have no slots, and each decision is made from the numbers (sized.go).
//
// A draw that falls between two proven bounds of a threshold is settled by better
// numbers, at last by exact ones, against the same bits (settle.go).
//
// The choices of a sentence come from a trace of the ops that the loop ran (trace.go).
// Names are symbols in the finished texts, and are put in by a second pass (symbols.go,
// names.go).
package fastdraw
