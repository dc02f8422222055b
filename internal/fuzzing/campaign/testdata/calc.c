// A calculator with a bug behind nested parentheses: what is deeper than four
// levels and then divided overruns its stack of marks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __AFL_FUZZ_TESTCASE_LEN
#include <unistd.h>
__AFL_FUZZ_INIT();
#endif

static int run(const char *s, size_t n) {
	int depth = 0, deepest = 0;
	for (size_t i = 0; i < n; i++) {
		switch (s[i]) {
		case '(':
			if (++depth > deepest) deepest = depth;
			break;
		case ')':
			if (--depth < 0) return 1;
			break;
		case '/':
			if (deepest > 4 && depth == 0) abort();
			break;
		case '*': case '+': case '-': case ' ':
			break;
		default:
			if (s[i] < '0' || s[i] > '9') return 1;
		}
	}
	return depth != 0;
}

int main(void) {
#ifdef __AFL_FUZZ_TESTCASE_LEN
	unsigned char *buf = __AFL_FUZZ_TESTCASE_BUF;
	while (__AFL_LOOP(10000)) run((char *)buf, __AFL_FUZZ_TESTCASE_LEN);
	return 0;
#else
	static char buf[1 << 16];
	size_t n = fread(buf, 1, sizeof buf, stdin);
	return run(buf, n);
#endif
}
