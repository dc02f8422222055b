// Commands whose bugs end the program by a signal, built without a sanitizer: only a
// debugger tells the place. The comments are as in heap.c.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry { const char *name; int value; };

static struct entry entries[] = {{"one", 1}, {"two", 2}};

static struct entry *find(const char *name) {
	for (int i = 0; i < 2; i++)
		if (!strcmp(entries[i].name, name))
			return &entries[i];
	return NULL;
}

// bug unknown-name: "vthree" "vzero" "v"
__attribute__((noinline)) static int value(const char *name) { return find(name)->value; }

// bug assert-short: "c" "ca"
// bug assert-upper: "cABC" "cXyz"
__attribute__((noinline)) static void check_name(const char *s) {
	assert(strlen(s) >= 2);
	assert(s[0] >= 'a');
}

__attribute__((noinline)) static void die(const char *why, const char *what) {
	fprintf(stderr, "internal error: %s %s\n", why, what);
	abort();
}

// bug die-open: "(" "(x"
__attribute__((noinline)) static void group(const char *s) {
	if (!strchr(s, ')'))
		die("unclosed", s);
	puts(s);
}

// bug die-deep: "[[[[x" "[[[[[y"
__attribute__((noinline)) static void nested(const char *s) {
	int deep = (int)strspn(s, "[");
	if (deep > 3)
		die("too deep", s);
	printf("%d\n", deep);
}

// bug divide: "/0" "/00"
__attribute__((noinline)) static int share(int n) { return 100 / n; }

// bug free-inside: "fab" "fabc"
__attribute__((noinline)) static void drop(const char *s) {
	char *volatile copy = malloc(64);
	strcpy(copy, s);
	free(copy + s[0] - 'a' + 8);
}

// bug free-twice: "2x" "2yy"
__attribute__((noinline)) static void twice(const char *s) {
	char *volatile copy = malloc(64);
	strcpy(copy, s);
	free(copy);
	free(copy);
}

__attribute__((noinline)) static int braces(const char *s, int depth);

// bug endless: "{" "{{{" "{x{"
__attribute__((noinline)) static int member(const char *s, int depth) {
	char pad[256];
	snprintf(pad, sizeof pad, "%d", depth);
	return braces(s, depth + 1) + pad[0];
}

__attribute__((noinline)) static int braces(const char *s, int depth) {
	char pad[128];
	snprintf(pad, sizeof pad, "%d", depth);
	return *s ? member(s, depth) + pad[0] : depth;
}

// bug literal: "Ux" "Uyy"
__attribute__((noinline)) static void upper(const char *s) {
	char *volatile text = (char *)"constant";
	text[0] = s[0];
}

// bug call-nothing: "!x" "!yy"
__attribute__((noinline)) static void call(const char *s) {
	void (*volatile f)(void) = NULL;
	fprintf(stderr, "calling %s\n", s);
	f();
}

// bug call-wild: "?a" "?b"
__attribute__((noinline)) static void jump(const char *s) {
	void (*volatile f)(void) = (void (*)(void))(long)(s[0] * 4096L);
	f();
}

static int by_value(const void *a, const void *b) {
	const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;
	return x->value - y->value;
}

// bug sort-null: "s1" "s2"
__attribute__((noinline)) static void sort(int n) {
	struct entry *all[3] = {&entries[1], NULL, &entries[0]};
	qsort(all, n + 1, sizeof *all, by_value);
}

// bug copy-null: "ntwo" "nnine"
__attribute__((noinline)) static void copy(const char *s) {
	char *volatile to = NULL;
	memcpy(to, s, strlen(s));
}

int main(void) {
	char s[100];
	if (!fgets(s, sizeof s, stdin))
		return 2;
	switch (s[0]) {
	case 'v': printf("%d\n", value(s + 1)); break;
	case 'c': check_name(s + 1); break;
	case '(': group(s); break;
	case '[': nested(s); break;
	case '/': printf("%d\n", share(atoi(s + 1))); break;
	case 'f': drop(s + 1); break;
	case '2': twice(s + 1); break;
	case '{': printf("%d\n", braces(s, 0)); break;
	case 'U': upper(s + 1); break;
	case '!': call(s + 1); break;
	case '?': jump(s + 1); break;
	case 's': sort(atoi(s + 1)); break;
	case 'n': copy(s + 1); break;
	}
	return 0;
}
