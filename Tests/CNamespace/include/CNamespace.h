// What the namespace tests need of Linux and Swift's Glibc module leaves out. Everything returns -1 and sets errno on
// failure, as the system calls beneath do.
#ifndef CNAMESPACE_H
#define CNAMESPACE_H

#include <spawn.h>
#include <sys/types.h>

// Gives the calling thread, and what it starts from now on, a network namespace of its own.
int namespace_unshare(void);

// The calling thread's number.
pid_t namespace_thread(void);

// Makes a tun device, or a tap one, of a hardware type (ARPHRD_…; 0 for its own) in the calling thread's namespace. It
// lasts, with its carrier, as long as the descriptor that is returned.
int namespace_open_tun(const char *name, int is_tap, unsigned short hardware_type);

// Has the kernel refuse netlink sockets to the calling thread, and to what it starts from now on, with this errno.
int namespace_refuse_netlink(int code);

// Limits how many descriptors another process may have open (the soft limit).
int namespace_limit_descriptors(pid_t process, unsigned long count);

// A file that has no name and lives in memory.
int namespace_memory_file(void);

// A pipe whose ends, for reading and for writing, no other process inherits.
int namespace_pipe(int ends[2]);

// A pseudo-terminal: its program's end, and the end that a user would sit at. No other process inherits either.
int namespace_open_terminal(int *user, int *program);

// Has a process that is started have no descriptors but standard input, output and error.
int namespace_close_others(posix_spawn_file_actions_t *actions);

#endif
