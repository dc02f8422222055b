// Compares its input, text and number, with constants.
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

volatile int sink;

int main(void) {
	char text[64] = "";
	text[read(0, text, sizeof text - 1)] = 0;
	long long n = atoll(text);
	sink = n == 123456789012LL;
	sink += (int)n == 99887766;
	sink += !strcasecmp(text, "Hello");
	sink += !strncmp(text, "abcdefghijkl", 12);
	sink += !memcmp(text, "0123456789abcdef", 16);
	return 0;
}
