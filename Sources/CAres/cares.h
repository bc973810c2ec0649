/* The system's c-ares, 1.18.1 or newer. Nothing is declared here: what differs between versions is decided at run time. */
#define CARES_NO_DEPRECATED /* what new versions deprecate is what old ones have */
#include <sys/time.h>
#include <ares.h>
