#define _GNU_SOURCE
#include "CPrivateNetwork.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int write_line(const char *path, const char *line) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t count = write(file, line, strlen(line));
    int code = errno;
    close(file);
    errno = code;
    return count < 0 ? -1 : 0;
}

int private_network_enter(void) {
    // Who may do so by himself needs no user namespace, which a process of several threads cannot enter.
    if (unshare(CLONE_NEWNET) == 0) return 0;
    if (errno != EPERM) return -1;
    unsigned user = geteuid(), group = getegid();
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return -1;
    // Root inside is the user outside (user_namespaces(7)).
    char line[64];
    snprintf(line, sizeof line, "0 %u 1", user);
    if (write_line("/proc/self/uid_map", line) != 0) return -1;
    if (write_line("/proc/self/setgroups", "deny") != 0 && errno != ENOENT) return -1;
    snprintf(line, sizeof line, "0 %u 1", group);
    return write_line("/proc/self/gid_map", line);
}

int private_network_open_tunnel(const char *name) {
    int tunnel = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
    if (tunnel < 0) return -1;
    struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
    strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    if (ioctl(tunnel, TUNSETIFF, &request) != 0) {
        int code = errno;
        close(tunnel);
        errno = code;
        return -1;
    }
    return tunnel;
}
