#include <stdio.h>
#include <string.h>
#include "lib/queue.h"
#include "lib/names.h"

static int usage(const char *program)
{
	fprintf(stderr, "usage: %s NAME...\n", program);
	return 2;
}

int main(int argc, char **argv)
{
	struct queue q = { 0 };
	if (argc < 2)
		return usage(argv[0]);
	for (int i = 1; i < argc; i++)
		if (is_name(argv[i]) && !queue_put(&q, argv[i]))
			return 1;
	while (q.used > 0)
		puts(queue_take(&q));
	return 0;
}
