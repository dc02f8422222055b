/* A persistent program that takes its input from shared memory. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__AFL_FUZZ_INIT();

static int check(const unsigned char *b, int n) {
  if (n > 0 && b[0] == 'A') {
    if (n > 1 && b[1] == 'B') {
      if (n > 2 && b[2] == 'C') abort();
      return 3;
    }
    return 2;
  }
  return 1;
}

int main(void) {
  volatile int sink = 0;
  __AFL_INIT();
  unsigned char *b = __AFL_FUZZ_TESTCASE_BUF;
  while (__AFL_LOOP(10000)) {
    int n = __AFL_FUZZ_TESTCASE_LEN;
    if (n == 4 && !memcmp(b, "hang", 4)) for (;;) sink++;
    sink += check(b, n);
  }
  return 0;
}
