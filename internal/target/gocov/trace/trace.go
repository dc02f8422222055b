// Package trace lets programs be linked of which packages are compiled with
// -d=libfuzzer: such code calls functions that compare logs are made of, which
// test binaries have from the standard library and other programs do not. Here
// they do nothing. Import it, for its name only, from programs and never from
// tests: there the functions would be defined twice.
package trace

import _ "unsafe" // for go:linkname

//go:linkname cmp1 runtime.libfuzzerTraceCmp1
func cmp1(uint8, uint8, uint) {}

//go:linkname cmp2 runtime.libfuzzerTraceCmp2
func cmp2(uint16, uint16, uint) {}

//go:linkname cmp4 runtime.libfuzzerTraceCmp4
func cmp4(uint32, uint32, uint) {}

//go:linkname cmp8 runtime.libfuzzerTraceCmp8
func cmp8(uint64, uint64, uint) {}

//go:linkname constCmp1 runtime.libfuzzerTraceConstCmp1
func constCmp1(uint8, uint8, uint) {}

//go:linkname constCmp2 runtime.libfuzzerTraceConstCmp2
func constCmp2(uint16, uint16, uint) {}

//go:linkname constCmp4 runtime.libfuzzerTraceConstCmp4
func constCmp4(uint32, uint32, uint) {}

//go:linkname constCmp8 runtime.libfuzzerTraceConstCmp8
func constCmp8(uint64, uint64, uint) {}

//go:linkname hookStrCmp runtime.libfuzzerHookStrCmp
func hookStrCmp(string, string, uint) {}

//go:linkname hookEqualFold runtime.libfuzzerHookEqualFold
func hookEqualFold(string, string, uint) {}
