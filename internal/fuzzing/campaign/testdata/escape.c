// A program that fails if it can make the file that ESCAPE names.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
	static char buf[1 << 16];
	if (fread(buf, 1, sizeof buf, stdin) == 0) return 1;
	if (open(getenv("ESCAPE"), O_WRONLY | O_CREAT, 0600) >= 0) abort();
	return 0;
}
