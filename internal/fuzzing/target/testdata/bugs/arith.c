// A calculator with two operands, and bugs of arithmetic. The input is an operator and two
// numbers. The comments are as in heap.c.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static int table[8];

// bug add: "+ 2147483647 1" "+ -2147483648 -1" "+ 2000000000 2000000000"
static int add(int a, int b) { return a + b; }

// bug poly-mul: "p 65536 65536" "p -65536 65537"
// bug poly-add: "p 46340 46340" "p 46340 46339"
static int poly(int a, int b) { return a * b + 2147483600; }

// bug sub: "- -2147483648 1" "- 2147483647 -1"
// bug double: "2 2147483647 0" "2 -2147483648 0"
static int sub(int op, int a, int b) {
	if (op == '2')
		return a + a;
	return a - b;
}

// bug divide: "/ 1 0" "/ -7 0" "% 5 0"
static int divide(int a, int b) { return a / b; }

static int modulo(int a, int b) { return a - divide(a, b) * b; }

// bug shift: "< 1 32" "< 1 100" "< 5 -1"
static int shift(int a, int b) { return (int)((unsigned)a << b); }

// bug negate: "n -2147483648 0" "a -2147483648 0"
static int negate(int a) { return -a; }

static int magnitude(int a) { return a < 0 ? negate(a) : a; }

// bug table-read: "t 8 0" "t -1 0" "t 99 0"
// bug table-write: "T 8 1" "T -3 1"
static int slot(int op, int a, int b) {
	if (op == 'T')
		table[a] = b;
	return table[a];
}

// bug truth: "b 2 0" "b 17 0"
static int truth(int a) {
	_Bool flag;
	*(volatile unsigned char *)&flag = (unsigned char)a;
	return flag;
}

// bug null-read: "z 0 0" "z 0 1"
// bug null-write: "Z 0 0" "Z 0 5"
static int cell(int op, int a, int b) {
	int *p = a ? &table[1] : NULL;
	if (op == 'Z')
		*p = b;
	return *p;
}

// bug misaligned: "m 1 0" "m 2 0" "m 3 0"
static int unaligned(int a) { return *(int *)((char *)table + a); }

int main(void) {
	char op;
	int a, b, r = 0;
	if (scanf("%c %d %d", &op, &a, &b) != 3)
		return 2;
	switch (op) {
	case '+': r = add(a, b); break;
	case 'p': r = poly(a, b); break;
	case '-': case '2': r = sub(op, a, b); break;
	case '/': r = divide(a, b); break;
	case '%': r = modulo(a, b); break;
	case '<': r = shift(a, b); break;
	case 'n': r = negate(a); break;
	case 'a': r = magnitude(a); break;
	case 't': case 'T': r = slot(op, a, b); break;
	case 'b': r = truth(a); break;
	case 'z': case 'Z': r = cell(op, a, b); break;
	case 'm': r = unaligned(a); break;
	}
	printf("%d\n", r);
	return 0;
}
