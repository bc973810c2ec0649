/* What Swift's Glibc module leaves out: the allocator's statistics, and the size of a thread's stack. */
#include <malloc.h>
#include <pthread.h>

/* Declared by pthread.h for _GNU_SOURCE alone. */
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes);

/* In bytes; zero if it cannot be told. */
static inline size_t stack_size_of_this_thread(void) {
    pthread_attr_t attributes;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) { return 0; }
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
    return size;
}
