// Package fastdraw draws derivations of a counted grammar program exactly, at hundreds of
// megabytes a second. Each draw is decided by its 64 bits and by proven bounds on numbers.
// Package sample is its only user.
//
//	p := fastdraw.New(program, fastdraw.Exact(table), fastdraw.Options{Most: depth, Limits: limits})
//	r := p.Runner()
//	r.Bits.Reset(seed, i)
//	parts, err := r.Node(ctx, r.Begin(nil), nil, program.Root, depth, 0)
//	text, err := r.End(nil, parts, err)
//
// # Memory layout
//
// A slot is a node with a step: a size, or a depth. It stands for one draw between up to 64
// outcomes: the node is expanded as long as there are few enough (outcomes.go). An outcome is
// a sequence of pieces: choices made, and items, which are nodes with steps again. Items with
// few derivations have no slots: the texts of all their derivations are stored in a table, and
// neighbours share one (tables.go). The outcomes depend on numbers only, never on the parts
// compiled so far.
//
// A state is the compiled part of a slot (compile.go). Its ops lie in one slice, the ops of an
// outcome one after the other. An op has 64 bytes, a cache line: the numbers of texts of four
// tables, the places of these texts, and the slot where the sentence continues. Buckets, 128
// per state, map the first 7 bits of a draw to the first op of its outcome without a search
// (branches.go).
//
// Texts of up to 16 bytes are stored in cells (cells.go): one stretch of memory for all
// tables, addressed by 32 bits. Each cell is a byte for the length and then the text. So the
// loop (loop.go) copies 16 bytes and adds a length, four times per op, without a branch on
// either. Only cells and ops are read through unsafe pointers.
//
// A slot is compiled on demand. The first draw finds its outcomes, and keeps how each was
// made. The ops of an outcome are made when it is first drawn and appended to the earlier
// ones; a slot gets buckets after some draws. When the compiled parts take more than
// Options.Memory, all are dropped, and parts are compiled again when next drawn (program.go).
// Parts larger than Limits.Size have no slots; each of their decisions is made from the
// numbers (sized.go).
//
// A draw between two proven bounds of a threshold is decided by more precise numbers, in the
// end exact ones, against the same bits (settle.go).
//
// Several nodes can be drawn as one sequence, whose ops are those of one outcome. The loop draws
// a list of sequences from a stack of returns to their first ops (sequence.go).
//
// The choices of a sentence come from a trace of the ops that the loop executed (trace.go), and
// so do the numbers of its places of each kind (tally.go).
// Names are symbols in the finished texts, and a second pass replaces them (symbols.go,
// names.go).
package fastdraw
