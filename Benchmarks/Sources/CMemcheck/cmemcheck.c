#include "CMemcheck.h"

#if __has_include(<valgrind/memcheck.h>)

#include <valgrind/memcheck.h>

bool cmemcheck_is_running(void) { return RUNNING_ON_VALGRIND != 0; }

void cmemcheck_make_undefined(const void *bytes, size_t count) { (void)VALGRIND_MAKE_MEM_UNDEFINED(bytes, count); }

void cmemcheck_make_defined(const void *bytes, size_t count) { (void)VALGRIND_MAKE_MEM_DEFINED(bytes, count); }

unsigned cmemcheck_errors(void) { return VALGRIND_COUNT_ERRORS; }

#else

bool cmemcheck_is_running(void) { return false; }

void cmemcheck_make_undefined(const void *bytes, size_t count) {}

void cmemcheck_make_defined(const void *bytes, size_t count) {}

unsigned cmemcheck_errors(void) { return 0; }

#endif
