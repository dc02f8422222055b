/* A plain program: one input a process, from a file or standard input. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  FILE *f = argc > 1 ? fopen(argv[1], "r") : stdin;
  if (!f) return 9;
  int c = getc(f);
  if (c == 'A') {
    c = getc(f);
    if (c == 'B') {
      if (getc(f) == 'C') abort();
      return 3;
    }
    return 2;
  }
  if (c == 'h') for (volatile int i = 0;; i++) {}
  return c == EOF ? 4 : 1;
}
