# Titles that are not longer than the lines under them, for Fandango.
<start> ::= <block> ("\n" <block>)*
<block> ::= <title> | <paragraph>
<title> ::= <words> "\n" <line> "\n"
<line> ::= "="+ | "-"+
<paragraph> ::= <words> "\n"
<words> ::= r'[A-Za-z0-9][A-Za-z0-9 ,;?!]*'

where forall <t> in <title>: len(str(<t>.<line>)) >= len(str(<t>.<words>))
