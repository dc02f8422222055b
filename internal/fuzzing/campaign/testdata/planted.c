// Reads lines such as "let a : int = 1 + b" and "both a a", and aborts behind a type, a name used
// twice and a constant.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value { int known, text, n; } names[26];

static int operand(const char *w, struct value *v) {
	memset(v, 0, sizeof *v);
	if (*w == '\'') v->text = 1;
	else if (*w >= '0' && *w <= '9') v->n = atoi(w);
	else if (*w >= 'a' && *w <= 'z' && names[*w - 'a'].known) *v = names[*w - 'a'];
	else return 0;
	return v->known = 1;
}

static int line(char *text) {
	char *word[16];
	int n = 0;
	for (char *w = strtok(text, " "); w && n < 16; w = strtok(NULL, " ")) word[n++] = w;
	if (n == 3 && !strcmp(word[0], "both")) {
		struct value a, b;
		if (!operand(word[1], &a) || !operand(word[2], &b)) return 0;
		if (!a.text && *word[1] == *word[2] && a.n - 7 == 31337) abort();
		return 1;
	}
	if (n < 6 || strcmp(word[0], "let")) return 0;
	struct value v, w;
	if (!operand(word[5], &v)) return 0;
	for (int i = 7; i < n; i += 2) {
		if (!operand(word[i], &w) || w.text != v.text) return 0;
		v.n += w.n;
	}
	if (v.text != !strcmp(word[3], "text")) return 0;
	names[*word[1] - 'a'] = v;
	return 1;
}

int main(void) {
	static char text[1 << 16];
	text[fread(text, 1, sizeof text - 1, stdin)] = 0;
	for (char *at = text, *end; (end = strchr(at, '\n')); at = end + 1) {
		*end = 0;
		if (!line(at)) return 1;
	}
	return 0;
}
