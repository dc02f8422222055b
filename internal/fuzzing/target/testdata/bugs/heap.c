// A store of numbers and names, with bugs of memory. It reads commands from standard
// input, a line each. Each comment that begins with "bug" names a bug that stands below it
// and inputs that meet it, as strings of Go.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vec { int *at; int n, room; };
struct node { struct node *next; int value; char *name; };

static struct vec v;
static struct node *list, *last;
static const char *colours[] = {"red", "green", "blue"};

static void push(int x) {
	if (v.n > v.room) { // bug push-room: "+1\n+2\n+3\n" "+7\n+7\n+7\n+7\n+7\n" "+1\n+0\n#\n+5\n"
		v.room = v.room ? 2 * v.room : 2;
		v.at = realloc(v.at, v.room * sizeof *v.at);
	}
	v.at[v.n++] = x;
}

static void start(void) {
	v.room = 2;
	v.at = malloc(v.room * sizeof *v.at);
}

static int sum(void) {
	int s = 0;
	for (int i = 0; i <= v.room; i++) // bug sum-end: "s" "+1\ns" "+1\n+2\ns"
		s ^= v.at[i];
	return s;
}

// bug get-unchecked: "g5\n" "m5\n" "g9\n"
static int get(int i) { return v.at[i]; }

// item is for callers that know the length.
static int item(int *items, int i) { return items[i]; }

// bug first-empty: "f" "#\nf" "g0\nf"
static int first(void) {
	int *items = malloc(4), x;
	x = item(items, 1);
	free(items);
	return x;
}

// bug median-end: "d" "#\n#\nd"
static int median(void) {
	int *items = calloc(4, 4), x;
	x = item(items, 4);
	free(items);
	return x;
}

static int most(int at) {
	int m = get(0);
	return m > get(at) ? m : get(at);
}

static void add(const char *name) {
	struct node *n = calloc(1, sizeof *n);
	n->name = malloc(8);
	strcpy(n->name, name); // bug long-name: "nabcdefghijk\n" "nab\nnabcdefghijklmnopqrst\n" "n01234567\n"
	n->next = list;
	last = list = n;
}

static void pop(void) {
	struct node *n = list;
	list = n->next; // bug pop-empty: "x\n" "na\nx\nx\n" "#\nx\n"
	free(n->name);
	free(n); // last still points to it
}

// bug last-dangles: "na\nx\nl\n" "na\nnb\nx\nl\n" "nc\nx\n#\nL\n"
static int print_last(void) { return last->value; }
static int last_length(void) { return (int)strlen(last->name); }

static void forget(char *name) {
	char *volatile copy = strdup(name); // volatile: compilers remove what nothing uses
	free(copy);
	if (name[0] == 'z')
		free(copy); // bug free-twice: "zz\n" "zza\n" "#\nzzzz\n"
}

static int number(const char *s) {
	char digits[8];
	int n = 0;
	while (*s >= '0' && *s <= '9')
		digits[n++] = *s++; // bug many-digits: "c123456789\n" "c00000000000000\n"
	digits[n] = 0; // bug eight-digits: "c12345678\n" "#\nc87654321\n"
	return atoi(digits);
}

static const char *colour(int i) {
	return colours[i]; // bug colour-range: "k3\n" "k7\n" "+1\nk4\n"
}

static const char *skip(const char *s) {
	if (*s == '(')
		return skip(s); // bug skip-recursion: "o(\n" "o([\n"
	return s + 1;
}

static void head(const char *s, int n) {
	char *volatile part = malloc(16);
	memcpy(part, s, n); // bug head-negative: "h-1\n" "h-5\n"
	putchar(*part);
	free(part);
}

// bug two-in-one-line-a: "wa\n" "#\nwa\n"
// bug two-in-one-line-b: "wb\n" "#\nwb\n"
static void window(char c) {
	char *w = malloc(4);
	if (c == 'a')
		w[4] = c;
	w[0] = c;
	if (c == 'b')
		w[5] = c;
	free(w);
}

static void line(char *s) {
	s[strcspn(s, "\n")] = 0;
	switch (*s) {
	case '+': push(atoi(s + 1)); break;
	case 's': printf("%d\n", sum()); break;
	case 'g': printf("%d\n", get(atoi(s + 1))); break;
	case 'm': printf("%d\n", most(atoi(s + 1))); break;
	case 'f': printf("%d\n", first()); break;
	case 'd': printf("%d\n", median()); break;
	case 'n': add(s + 1); break;
	case 'x': pop(); break;
	case 'l': printf("%d\n", print_last()); break;
	case 'L': printf("%d\n", last_length()); break;
	case 'z': forget(s + 1); break;
	case 'c': printf("%d\n", number(s + 1)); break;
	case 'k': puts(colour(atoi(s + 1))); break;
	case 'o': puts(skip(s + 1)); break;
	case 'h': head(s, atoi(s + 1)); break;
	case 'w': window(s[1]); break;
	}
}

int main(void) {
	char text[200];
	start();
	while (fgets(text, sizeof text, stdin))
		line(text);
	return 0;
}
