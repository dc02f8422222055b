// Package notation holds what the readers and printers of the foreign notations
// share: cutting a file into tokens with positions, parsing one rule at a time
// so that every broken rule is reported, and writing a rule graph out in a
// notation of the EBNF family.
//
// It is internal to the packages below grammar/ and imports grammar alone. Its
// values hold no state: any number of goroutines may use one [Reader].
package notation
