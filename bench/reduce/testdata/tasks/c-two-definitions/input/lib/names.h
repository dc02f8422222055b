#ifndef NAMES_H
#define NAMES_H
int verbose = 1;
int is_name(const char *text);
#endif
