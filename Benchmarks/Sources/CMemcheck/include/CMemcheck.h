// What a program tells valgrind's memcheck, as functions: its own are macros.
#ifndef CMEMCHECK_H
#define CMEMCHECK_H

#include <stdbool.h>
#include <stddef.h>

/// Whether the program runs under valgrind.
bool cmemcheck_is_running(void);

/// From now on a branch or an address that depends on these bytes is an error.
void cmemcheck_make_undefined(const void *bytes, size_t count);

/// From now on it is none.
void cmemcheck_make_defined(const void *bytes, size_t count);

/// How many errors there were so far, without those that are permitted.
unsigned cmemcheck_errors(void);

#endif
