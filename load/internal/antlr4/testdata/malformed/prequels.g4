grammar prequels;
options { a = ; } // ERROR 15: unexpected ";"; written options { name = value; }
import A B; // ERROR 10: unexpected "B"; written import A, B;
tokens { A; } // ERROR 11: unexpected ";"; written tokens { A, B }
@ { x } // ERROR 3: unexpected "{ x }"; written @name { code }
a ; // ERROR 3: unexpected ";" in rule "a"; a rule is written name : alternatives ;
b = 'x' ; // ERROR 3: unexpected "=" in rule "b"; a rule is written
: 'x' ; // ERROR 1: unexpected ":"; a rule is written
