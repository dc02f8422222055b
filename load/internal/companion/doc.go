// Package companion reads companion files, which add to a grammar the facts that its notation
// cannot express. The companion of the grammar file F is called F.gramfuzz.
//
//	# url.abnf.gramfuzz
//	%start    URI-reference
//	%token    scheme reg-name          # rules that are tokens
//	%skip     blank                    # layout between tokens
//	%drop     white_space              # rules to forget
//	%weight   URI 5 1                  # weights of a rule's alternatives, in order
//	%annotate let:name @define(var)    # an annotation on the references to name in let
//	%annotate block @scope(var)        # an annotation on the whole rule block
//	<any CHAR except CTLs> = [ -~] ;   # what prose means
//	blank = " "+ ;
//
// A line that begins with % and a word is a directive. All other text is rules in the native
// notation. They are added to the grammar, or replace its rules of the same name. A name that is
// not a plain word is written in < >. A rule with such a name also defines prose of the same text,
// which the grammar's notation writes as <…>, ? … ? or /* … */. The number of blanks does not
// matter.
//
//	%start NAME          the start rule, unless the user asks for another
//	%token NAME…         tokens; rules that only tokens refer to become their parts
//	%skip NAME…          layout: may stand between tokens
//	%fragment NAME…      parts of tokens
//	%rule NAME…          syntax rules, although the grammar makes them something else
//	%drop NAME…          removes the rules
//	%lexing context      only tokens that the parser can take next compete; modes are not entered
//	%weight NAME N…      one weight for each alternative of the rule
//	%annotate NAME:REF @note(args)…   on each reference to REF in rule NAME
//	%annotate NAME:REF#2 @note(args)… on the second of them alone
//	%annotate NAME @note(args)…       on the rule as a whole
//
// [Parse] reads a companion file, and [Companion.Apply] changes a grammar that was just read. Names
// of ABNF grammars match regardless of case.
package companion
