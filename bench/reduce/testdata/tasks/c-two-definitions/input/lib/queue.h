#ifndef QUEUE_H
#define QUEUE_H
#define QUEUE_MOST 16

struct queue {
	const char *items[QUEUE_MOST];
	int first, used;
};

int queue_put(struct queue *q, const char *item);
const char *queue_take(struct queue *q);
#endif
