# As many columns in each record, for Fandango.
import csv, io

def widths(text):
    return [len(r) for r in csv.reader(io.StringIO(text, newline=""), delimiter=";")]

<start> ::= <record>+
<record> ::= <field> (";" <field>)* "\n"
<field> ::= " "* <simple>+ " "* | "\"" <quoted>* "\""
<simple> ::= r'[!#-:<-~]'
<quoted> ::= r'[ !#-~\t\n\r]'

where max(widths(str(<start>))) == min(widths(str(<start>)))
