// getopt_long, which Swift's Glibc module leaves out, and the globals it answers in, which Swift cannot read safely.
// To be used from the main thread only.
#ifndef CGETOPT_H
#define CGETOPT_H

#include <getopt.h>

// The value of the option that was read last.
static inline const char *option_value(void) { return optarg; }

// The place of the first word that has not been read.
static inline int option_index(void) { return optind; }

// To be called before the words of a command line are read: has the caller tell of errors, not getopt_long, and forgets where
// an earlier reading ended.
static inline void begin_options(void) {
    opterr = 0;
    optind = 0;
}

#endif
