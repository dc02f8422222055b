// Reads sentences of the grammar expr, and has a bug behind a condition on their
// derivation: a product that has a sum in parentheses, which has such a product, and
// so on, LEVELS deep. How deep a text is shows in no branch that is taken.
#include <stdlib.h>
#include <unistd.h>

#ifndef LEVELS
#define LEVELS 5
#endif

__AFL_FUZZ_INIT();

static const unsigned char *at, *end;

// What reads returns the depth of what it read, -1 where it could not.
static int expr(int depth, int *sum);

static int number(void) {
	if (at == end || *at < '0' || *at > '9') return -1;
	if (*at++ == '0') return 0;
	while (at < end && *at >= '0' && *at <= '9') at++;
	return 0;
}

static int factor(int depth) {
	if (depth > 2000) return -1;
	if (at < end && *at == '-') at++;
	if (at == end || *at != '(') return number();
	at++;
	int sum = 0, level = expr(depth + 1, &sum);
	if (level < 0 || at == end || *at++ != ')') return -1;
	return (level + 1) * sum; // without a branch
}

static int operator(char a, char b) {
	if (end - at < 3 || at[0] != ' ' || at[2] != ' ' || (at[1] != a && at[1] != b)) return 0;
	at += 3;
	return 1;
}

static int most(int a, int b) { return a - ((a - b) & ((a - b) >> 31)); }

static int term(int depth) {
	int level = factor(depth), product = 0;
	if (level < 0) return -1;
	while (operator('*', '/')) {
		int next = factor(depth);
		if (next < 0) return -1;
		level = most(level, next), product = 1;
	}
	return level * product;
}

static int expr(int depth, int *sum) {
	int level = term(depth);
	if (level < 0) return -1;
	while (operator('+', '-')) {
		int next = term(depth);
		if (next < 0) return -1;
		level = most(level, next), *sum = 1;
	}
	return level;
}

int main(void) {
	__AFL_INIT();
	unsigned char *buf = __AFL_FUZZ_TESTCASE_BUF;
	while (__AFL_LOOP(100000)) {
		int sum = 0;
		at = buf, end = buf + __AFL_FUZZ_TESTCASE_LEN;
		int level = expr(0, &sum);
		if (at == end && level >= LEVELS) abort();
	}
	return 0;
}
