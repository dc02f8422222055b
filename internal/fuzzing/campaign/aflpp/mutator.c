/* A custom mutator for AFL++ that asks gramfuzz for mutants.
 *
 * It is a thin shim: gramfuzz serve does the work, on the other end of the socket
 * whose path is in GRAMFUZZ_SOCKET. Texts go to and fro, so that the queue stays
 * readable for every other fuzzer; gramfuzz parses what it has not seen.
 *
 *   cc -shared -fPIC -O2 -o gramfuzz-mutator.so mutator.c
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

typedef struct {
	int fd;
	uint8_t *out;
	size_t room;
} mutator;

static int put(int fd, const void *p, size_t n) {
	const char *at = p;
	while (n > 0) {
		ssize_t k = send(fd, at, n, MSG_NOSIGNAL);
		if (k < 0 && errno == EINTR) continue;
		if (k <= 0) return 0;
		at += k, n -= (size_t)k;
	}
	return 1;
}

static int get(int fd, void *p, size_t n) {
	char *at = p;
	while (n > 0) {
		ssize_t k = read(fd, at, n);
		if (k < 0 && errno == EINTR) continue;
		if (k <= 0) return 0;
		at += k, n -= (size_t)k;
	}
	return 1;
}

static void le32(uint8_t *p, uint32_t v) {
	p[0] = v, p[1] = v >> 8, p[2] = v >> 16, p[3] = v >> 24;
}

void *afl_custom_init(void *afl, unsigned int seed) {
	(void)afl, (void)seed;
	const char *path = getenv("GRAMFUZZ_SOCKET");
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	if (!path || strlen(path) >= sizeof to.sun_path) {
		fprintf(stderr, "gramfuzz: GRAMFUZZ_SOCKET is not the path of a socket; run gramfuzz serve and set it\n");
		return NULL;
	}
	strcpy(to.sun_path, path);
	mutator *m = calloc(1, sizeof *m);
	if (!m || !(m->out = malloc(m->room = 4096))) { /* never NULL: AFL++ ends on that, also where the length is 0 */
		free(m);
		return NULL;
	}
	m->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (m->fd < 0 || connect(m->fd, (struct sockaddr *)&to, sizeof to) < 0) {
		fprintf(stderr, "gramfuzz: %s: %s; is gramfuzz serve running?\n", path, strerror(errno));
		free(m->out);
		free(m);
		return NULL;
	}
	return m;
}

/* How often an entry is changed before AFL++ goes to the next one. Its own number is that of
 * its mutators, which are many times as fast: it comes to a few. */
uint32_t afl_custom_fuzz_count(void *data, const uint8_t *buf, size_t size) {
	(void)data, (void)buf, (void)size;
	return 200;
}

/* The length of the answer; 0 makes AFL go on without one. */
size_t afl_custom_fuzz(void *data, uint8_t *buf, size_t size, uint8_t **out, uint8_t *add, size_t add_size, size_t max) {
	mutator *m = data;
	uint8_t head[12];
	if (!add) add_size = 0;
	le32(head, size), le32(head + 4, add_size), le32(head + 8, max);
	if (!put(m->fd, head, sizeof head) || !put(m->fd, buf, size) || !put(m->fd, add, add_size) || !get(m->fd, head, 4)) {
		fprintf(stderr, "gramfuzz: the server is gone\n");
		exit(1); /* else afl-fuzz would go on with what it has, for hours */
	}
	size_t n = head[0] | head[1] << 8 | head[2] << 16 | (size_t)head[3] << 24;
	if (n > m->room) {
		uint8_t *more = realloc(m->out, n);
		if (!more) exit(1);
		m->out = more, m->room = n;
	}
	if (!get(m->fd, m->out, n)) exit(1);
	*out = m->out;
	return n;
}

/* AFL's own trimming cuts bytes out, and what is left is rarely a sentence. */
int32_t afl_custom_init_trim(void *data, uint8_t *buf, size_t size) {
	(void)data, (void)buf, (void)size;
	return 0;
}

size_t afl_custom_trim(void *data, uint8_t **out) {
	(void)data;
	*out = NULL;
	return 0;
}

int32_t afl_custom_post_trim(void *data, unsigned char success) {
	(void)data, (void)success;
	return 0;
}

void afl_custom_deinit(void *data) {
	mutator *m = data;
	close(m->fd);
	free(m->out);
	free(m);
}
