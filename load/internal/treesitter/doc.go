// Package treesitter reads and prints tree-sitter grammars in the form of src/grammar.json,
// which tree-sitter's command line writes.
//
//	{"name": "sums", "word": "name", "rules": {
//	  "sum":  {"type": "SEQ", "members": [{"type": "SYMBOL", "name": "name"}, …]},
//	  "name": {"type": "PATTERN", "value": "[a-z]+"}}}
//
// How a file becomes a grammar:
//
//   - The first rule is the start. A rule that is only a STRING, PATTERN, TOKEN or
//     IMMEDIATE_TOKEN is a token. Those inside other rules are tokens without names, except
//     strings, which are literals.
//   - Only the tokens that can come next compete (grammar.Grammar.ContextLexing); higher
//     precedences come first. No layout stands before an IMMEDIATE_TOKEN.
//   - extras are layout. One that is not a token is not generated.
//   - Strings that look like words are removed from the token that word names, and no text is
//     written so that it would be read as a longer word.
//   - A repeated choice has no two adjacent tokens that would be read as one; an example is
//     ([^"]+ | escape)*.
//   - externals without a rule, which code reads, are undefined rules. A warning lists the
//     rules that need each, and a companion file can define them. If newline, indent and
//     dedent are among them, they are indentation, and an indent also ends its line.
//   - Precedences are kept as annotations @prec and @prefer. Named ones get numbers from the
//     lists of precedences. Fields, aliases and supertypes change the tree only. A note gives
//     the number of conflicts and reserved words.
//   - A file without a schema is for a version of tree-sitter in which \s includes neither
//     vertical tabs nor form feeds.
package treesitter
