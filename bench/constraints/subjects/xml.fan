# Elements whose end has the name of their beginning, for Fandango.
<start> ::= <element>
<element> ::= <pair> | "<" <id> <attribute>? "/>"
<pair> ::= "<" <open> <attribute>? ">" <content> "</" <close> ">"
<content> ::= <text> | <text>? (<element> <text>?)+
<attribute> ::= " " <id> "=\"" <text> "\""
<open> ::= <id>
<close> ::= <id>
<id> ::= r'[A-Za-z_][A-Za-z0-9_.\-]*'
<text> ::= r'[A-Za-z0-9 .\t/?,=:+\-]+'

where forall <p> in <pair>: str(<p>.<open>) == str(<p>.<close>)
