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
//   - A parser rule becomes a Syntax rule, a lexer rule a Token, a fragment a
//     Fragment. A lexer rule with skip, or with a channel other than the
//     default one, becomes a Skip rule: the parser never sees it.
//   - Mode and Commands of a rule are kept for the lexer. A command belongs to
//     one alternative. So a lexer rule whose alternatives have different commands
//     becomes several rules X, X'2, X'3, …, all of token type X.
//   - The command type is applied here. (It is also kept for the lexer, which may
//     substitute tokens of one type for each other.) A reference to token X in a
//     parser rule becomes a reference to the rule that produces X. If several
//     rules produce X, the reference goes to their choice, the inline rule X'type.
//   - If all alternatives of a lexer rule are single characters or sets, they
//     become one class.
//   - A hidden or split lexer rule X that other lexer rules use gets a twin, the
//     fragment X'text, which they use instead.
//   - A literal in a parser rule becomes a reference if a lexer rule consists of
//     exactly that text (the literal is its alias). Any other literal stays a
//     literal. It is an implicit token in ANTLR, and precedes all lexer rules. Under
//     caseInsensitive an implicit token with letters becomes a token rule whose
//     name is the quoted literal, placed before all other lexer rules.
//   - The token sets ~A, ~(A|B) and "." of parser rules become inline rules of
//     that name. Each is a choice over the token types that the parser can see
//     and that the set includes.
//   - A reference in a parser rule to a token that never reaches the parser (a
//     hidden one, a fragment) becomes an empty class, which cannot be derived.
//   - EOF is the empty text in parser rules. If it is not only at the end of the start
//     rule, rules that can end with it have a twin X'EOF, which can stand at the end of
//     the text only. In a lexer rule it is the end of the
//     text ([grammar.EndOfText]).
//   - Labels are ignored, except that labels of alternatives are kept in
//     Choice.Labels.
//   - Precedence, by the order of a left-recursive rule's alternatives and by
//     <assoc=right>, becomes annotations @prec. It changes the tree alone.
//   - Actions, predicates, arguments and the like are left out. One warning in
//     Grammar.Ignored counts them.
//
// Semantics follow ANTLR 4.13.
package antlr4
