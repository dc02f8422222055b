// Package antlr4 reads ANTLR 4 grammars (.g4) and prints grammars as .g4.
//
// [Load] reads a file together with related files: the lexer given by tokenVocab (or a parser
// grammar's namesake XLexer.g4) and every imported grammar. It also reads a whole folder.
// [Parse] reads a single source.
//
//	read, ds := antlr4.Load(os.DirFS("grammars"), "JavaParser.g4", "grammars")
//	read, ds := antlr4.Load(os.DirFS("java"), ".", "java") // the grammar of a folder
//	text, lost := antlr4.Print(g)                          // of a frozen grammar
//
// The constructs of ANTLR appear in the grammar as follows:
//
//   - A parser rule is a Syntax rule, a lexer rule a Token, a fragment a
//     Fragment. A lexer rule with skip, or with a channel other than the
//     default one, is a Skip rule: the parser never sees it.
//   - Mode and Commands of a rule are kept for the lexer. A command belongs to
//     one alternative: a lexer rule whose alternatives have different commands
//     becomes several rules X, X'2, X'3, … in its place, all of token type X.
//   - The command type is settled here (and kept for the lexer, which may let
//     tokens of one type stand for each other): a reference to token X in a
//     parser rule becomes one to the rules that give X, by way of the inline
//     rule X'type when they are several. To all others a rule is its own token.
//   - Alternatives of a lexer rule that are all single characters or sets become
//     one class.
//   - A lexer rule that others use as a part, although it is hidden or was
//     split, gets a fragment twin X'text which they use instead.
//   - A literal in a parser rule for which a lexer rule of exactly that text
//     exists is a reference to that rule (an alias); any other stays a literal,
//     which is ANTLR's implicit token and goes before all lexer rules. Under
//     caseInsensitive an implicit token with letters becomes a token rule whose
//     name is the quoted literal, placed before all others.
//   - The token sets ~A, ~(A|B) and "." of parser rules are inline rules of
//     that name: a choice over every token type that the parser can see.
//   - A token that is never sent to the parser (hidden, a fragment) stands as an
//     empty class in parser rules: the alternative cannot be derived.
//   - EOF is the empty text in parser rules. In a lexer rule it is the end of the
//     text ([grammar.EndOfText]).
//   - Labels, precedence and associativity change the tree only and are read
//     over; labels of alternatives are kept in Choice.Labels.
//   - Actions, predicates, arguments and the like are left out; one warning in
//     Grammar.Ignored counts them.
//
// Semantics follow ANTLR 4.13.
package antlr4
