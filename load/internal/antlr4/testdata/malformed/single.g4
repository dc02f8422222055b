grammar single;
import Other; // WARNING 8: the imported grammar "Other" is not found; load the grammar from its folder
s : 'x' X ;
X : y ; // ERROR 5: lexer rule "X" uses parser rule "y"
