// What the demonstration needs of Linux and Swift's Glibc module leaves out. All return -1 and set errno on failure, as
// the system calls beneath do.
#ifndef CPRIVATENETWORK_H
#define CPRIVATENETWORK_H

// Gives the calling thread, and what it starts from now on, a network of its own, without root where the host lets users
// do so. To be called before there is another thread.
int private_network_enter(void);

// Makes a tunnel (tun) of this name in the calling thread's network. It lasts, and has carrier, as long as the descriptor
// that is returned.
int private_network_open_tunnel(const char *name);

#endif
