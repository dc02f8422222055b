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
//     IMMEDIATE_TOKEN is a token. Inside other rules, these are tokens without names, except
//     that strings are literals.
//   - Only the tokens that can come next compete (grammar.Grammar.ContextLexing); higher
//     precedences come first. No layout precedes an IMMEDIATE_TOKEN.
//   - extras are layout. An extra that is not a token is not generated.
//   - Strings that look like words are removed from the token called word. No text is written
//     that would be read as a longer word.
//   - In a repeated choice such as ([^"]+ | escape)*, no two tokens are adjacent that would be
//     read as one.
//   - externals without a rule are tokens that code reads. They become undefined rules, which a
//     companion file can define. A note lists the rules that need each of them. If newline,
//     indent and dedent are among them, they become indentation, and an indent also ends its
//     line.
//   - Precedences are kept as annotations @prec and @prefer. Named precedences get numbers from
//     the lists of precedences. Fields, aliases and supertypes only change the tree. A note has
//     the numbers of conflicts and reserved words.
//   - A file without a schema is for a version of tree-sitter in which \s includes neither
//     vertical tabs nor form feeds.
package treesitter
