/* glibc's allocator statistics, which Swift's Glibc module leaves out. */
#include <malloc.h>
