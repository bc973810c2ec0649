#define _GNU_SOURCE
#include "CNamespace.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int namespace_unshare(void) { return unshare(CLONE_NEWNET); }

pid_t namespace_thread(void) { return (pid_t)syscall(SYS_gettid); }

int namespace_open_tun(const char *name, int is_tap, unsigned short hardware_type) {
    int tun = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
    if (tun < 0) return -1;
    struct ifreq request = {.ifr_flags = (is_tap ? IFF_TAP : IFF_TUN) | IFF_NO_PI};
    strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    if (ioctl(tun, TUNSETIFF, &request) || (hardware_type && ioctl(tun, TUNSETLINK, (unsigned long)hardware_type))) {
        int code = errno;
        close(tun);
        errno = code;
        return -1;
    }
    return tun;
}

int namespace_refuse_netlink(int code) {
    struct sock_filter instructions[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 3),
        // The low half of the first argument: the family.
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (code & SECCOMP_RET_DATA)),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof instructions / sizeof *instructions, .filter = instructions};
    // Without new privileges a filter needs none either.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int namespace_limit_descriptors(pid_t process, unsigned long count) {
    struct rlimit limit;
    if (prlimit(process, RLIMIT_NOFILE, NULL, &limit)) return -1;
    limit.rlim_cur = count;
    return prlimit(process, RLIMIT_NOFILE, &limit, NULL);
}

int namespace_memory_file(void) { return memfd_create("test", MFD_CLOEXEC); }

int namespace_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int namespace_open_terminal(int *user, int *program) {
    *user = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*user < 0) return -1;
    if (grantpt(*user) == 0 && unlockpt(*user) == 0) {
        *program = open(ptsname(*user), O_RDWR | O_NOCTTY | O_CLOEXEC);
        if (*program >= 0) return 0;
    }
    int code = errno;
    close(*user);
    errno = code;
    return -1;
}

int namespace_close_others(posix_spawn_file_actions_t *actions) {
    return posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
}
