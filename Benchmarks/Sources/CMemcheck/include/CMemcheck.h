// The requests of a program to valgrind's memcheck, as functions: valgrind's own are macros.
#ifndef CMEMCHECK_H
#define CMEMCHECK_H

#include <stdbool.h>
#include <stddef.h>

/// Returns whether the program runs under valgrind.
bool cmemcheck_is_running(void);

/// Marks bytes as secret: from now on a branch or an address that depends on them is an error.
void cmemcheck_make_undefined(const void *bytes, size_t count);

/// Marks bytes as public again.
void cmemcheck_make_defined(const void *bytes, size_t count);

/// Returns the number of errors so far, without the permitted ones.
unsigned cmemcheck_errors(void);

#endif
