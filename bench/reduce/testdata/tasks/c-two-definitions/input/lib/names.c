#include <ctype.h>
#include "names.h"

int is_name(const char *text)
{
	if (!isalpha((unsigned char)*text))
		return 0;
	while (*++text)
		if (!isalnum((unsigned char)*text))
			return verbose && *text == '_';
	return 1;
}
