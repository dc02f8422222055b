// Counts, in the file that VALID_COUNT names, how many inputs it got and how many
// of them were sentences of the grammar expr; does something different for many
// of them.
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

__AFL_FUZZ_INIT();

static const unsigned char *at, *end;
static volatile long sink;

static int expr(int depth);

static int number(void) {
	if (at == end || *at < '0' || *at > '9') return 0;
	if (*at++ == '0') return 1;
	while (at < end && *at >= '0' && *at <= '9') at++;
	return 1;
}

static int factor(int depth) {
	if (depth > 2000) return 0;
	if (at < end && *at == '-') at++;
	if (at < end && *at == '(') {
		at++;
		if (!expr(depth + 1) || at == end || *at != ')') return 0;
		at++;
		if (depth == 3) sink++;
		return 1;
	}
	return number();
}

static int operator(char a, char b) {
	if (end - at < 3 || at[0] != ' ' || at[2] != ' ' || (at[1] != a && at[1] != b)) return 0;
	if (at[1] == a) sink += 2;
	at += 3;
	return 1;
}

static int term(int depth) {
	if (!factor(depth)) return 0;
	while (operator('*', '/'))
		if (!factor(depth)) return 0;
	return 1;
}

static int expr(int depth) {
	if (!term(depth)) return 0;
	while (operator('+', '-'))
		if (!term(depth)) return 0;
	return 1;
}

int main(void) {
	uint64_t none[2], *count = none;
	int fd = open(getenv("VALID_COUNT") ? getenv("VALID_COUNT") : "", O_RDWR);
	if (fd >= 0) count = mmap(NULL, sizeof none, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	__AFL_INIT();
	unsigned char *buf = __AFL_FUZZ_TESTCASE_BUF;
	while (__AFL_LOOP(100000)) {
		at = buf, end = buf + __AFL_FUZZ_TESTCASE_LEN;
		int valid = expr(0) && at == end;
		__atomic_add_fetch(&count[0], 1, __ATOMIC_RELAXED);
		if (valid) __atomic_add_fetch(&count[1], 1, __ATOMIC_RELAXED);
	}
	return 0;
}
