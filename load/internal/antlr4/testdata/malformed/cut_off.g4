grammar cut_off;
b : 'x' | // ERROR 83: the file ends inside a statement in rule "b"; end it with ;