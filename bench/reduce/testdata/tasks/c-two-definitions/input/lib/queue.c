#include <stddef.h>
#include "queue.h"

int verbose = 0;

static int wrap(int i) { return i % QUEUE_MOST; }

int queue_put(struct queue *q, const char *item)
{
	if (q->used == QUEUE_MOST)
		return 0;
	q->items[wrap(q->first + q->used++)] = item;
	return 1;
}

const char *queue_take(struct queue *q)
{
	const char *item = NULL;
	if (q->used > 0) {
		item = q->items[q->first];
		q->first = wrap(q->first + 1);
		q->used--;
	}
	return item;
}
