// The floor: bare C doing what the kernel interface costs and nothing else.
#ifndef CFLOOR_H
#define CFLOOR_H

#include <stdint.h>

// CLOCK_MONOTONIC in nanoseconds.
uint64_t floor_now(void);

// CPU time of all threads of the process, in nanoseconds.
uint64_t floor_cpu(void);

// Opens a netlink socket that asks, or one that listens to IPv4 route messages. Negative on failure.
int floor_open_request(void);
int floor_open_routes(void);

// Nanoseconds that `count` round trips of RTM_GETROUTE for an IPv4 address (host order) take; 0 on failure.
uint64_t floor_lookups(int socket, uint32_t address, int count);

// Adds or deletes the default route, or a /32 that concerns nobody, through the interface. 0 on success.
int floor_set_route(int socket, uint32_t destination, int prefix_length, int interface_index, int adds);

// Blocks in recv until a message comes; the time it came, or 0 after a while without any. Says if it is of a removal.
uint64_t floor_wait(int socket, int *removed);

// Asks the kernel as often as the engine does after a change of the default route, in the same system calls. 1 if there is a default.
int floor_ask_default(int request, const char *link, int removed);

#endif
